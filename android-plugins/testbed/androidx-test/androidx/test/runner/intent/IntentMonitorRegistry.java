// SPDX-License-Identifier: Apache-2.0
package androidx.test.runner.intent;
public final class IntentMonitorRegistry { private static volatile IntentMonitor m; public static IntentMonitor getInstance(){return m;} public static void registerInstance(IntentMonitor x){m=x;} }
