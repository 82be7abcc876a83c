// SPDX-License-Identifier: Apache-2.0
package androidx.test.runner.lifecycle;
public interface ActivityLifecycleCallback { void onActivityLifecycleChanged(android.app.Activity a, Stage s); }
