// SPDX-License-Identifier: Apache-2.0
package androidx.test.runner.intent;
public interface IntentCallback { void onIntentSent(android.content.Intent i); }
