// SPDX-License-Identifier: Apache-2.0
package androidx.test.runner.intent;
public interface IntentMonitor { void addIntentCallback(IntentCallback c); void removeIntentCallback(IntentCallback c); }
