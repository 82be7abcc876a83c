// SPDX-License-Identifier: Apache-2.0
package androidx.test.runner.lifecycle;
public interface ApplicationLifecycleCallback { void onApplicationLifecycleChanged(android.app.Application a, ApplicationStage s); }
