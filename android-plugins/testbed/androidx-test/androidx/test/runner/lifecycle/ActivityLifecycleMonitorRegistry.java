// SPDX-License-Identifier: Apache-2.0
package androidx.test.runner.lifecycle;
public final class ActivityLifecycleMonitorRegistry { private static volatile ActivityLifecycleMonitor m; public static ActivityLifecycleMonitor getInstance(){return m;} public static void registerInstance(ActivityLifecycleMonitor x){m=x;} }
