// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.accessibilityservice.AccessibilityServiceInfo
import android.app.ActivityManager
import android.app.ActivityManager.RunningAppProcessInfo
import android.app.KeyguardManager
import android.content.pm.ResolveInfo
import android.content.pm.ServiceInfo
import android.os.Process
import android.view.accessibility.AccessibilityManager
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.util.ReflectionHelpers

/** The real [SystemFront]. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class FrontTest {
    private val bench = Bench(make = { DevicePlugin(it) })
    private val front = SystemFront(bench.app)

    private fun importance(value: Int) {
        val process = RunningAppProcessInfo(bench.app.packageName, Process.myPid(), emptyArray())
        process.importance = value
        shadowOf(bench.app.getSystemService(ActivityManager::class.java)).setProcesses(listOf(process))
    }

    private fun bound(packageName: String) {
        val service = AccessibilityServiceInfo()
        service.feedbackType = AccessibilityServiceInfo.FEEDBACK_GENERIC
        val info = ResolveInfo().apply { serviceInfo = ServiceInfo().apply { this.packageName = packageName } }
        ReflectionHelpers.setField(service, "mResolveInfo", info)
        shadowOf(bench.app.getSystemService(AccessibilityManager::class.java)).setEnabledAccessibilityServiceList(listOf(service))
    }

    @Test
    fun onTop() {
        importance(RunningAppProcessInfo.IMPORTANCE_FOREGROUND)
        assertEquals(true to true, front.isOnTop() to front.mayStartActivity())
        importance(RunningAppProcessInfo.IMPORTANCE_FOREGROUND_SERVICE)
        assertEquals(false to false, front.isOnTop() to front.mayStartActivity())
    }

    @Test
    fun withABoundAccessibilityServiceActivitiesStart() {
        importance(RunningAppProcessInfo.IMPORTANCE_CACHED)
        bound("org.other")
        assertEquals(false, front.mayStartActivity())
        bound(bench.app.packageName)
        assertEquals(false to true, front.isOnTop() to front.mayStartActivity())
    }

    @Test
    fun notWhileTheDeviceIsLocked() {
        importance(RunningAppProcessInfo.IMPORTANCE_FOREGROUND)
        shadowOf(bench.app.getSystemService(KeyguardManager::class.java)).setKeyguardLocked(true)
        assertEquals(false, front.mayStartActivity())
    }

    @Test
    fun focusIsThatOfTheActivity() {
        assertEquals(false, front.hasFocus())
        assertEquals("refused", bench.code("readClipboard"))
    }
}
