// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.accessibilityservice.AccessibilityServiceInfo
import android.content.Intent
import android.content.pm.ResolveInfo
import android.content.pm.ServiceInfo
import android.provider.Settings
import android.view.accessibility.AccessibilityManager
import android.view.accessibility.AccessibilityWindowInfo
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.util.ReflectionHelpers
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit

/** Switched on, connected, answering. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [26, 34])
class StateTest {
    private fun Bench.state() = call("accessibilityState").toString()

    private fun enabled(value: String) {
        val app = RuntimeEnvironment.getApplication()
        Settings.Secure.putString(app.contentResolver, Settings.Secure.ENABLED_ACCESSIBILITY_SERVICES, value)
    }

    @Test
    fun notGranted() {
        enabled("org.other/.Service:org.bailey.testbed/.Other")
        assertEquals("""{"granted":false,"bound":false,"answering":false,"fault":"not_granted"}""", Bench().state())
        assertEquals("not_granted", Bench().code("readScreen"))
        assertEquals("not_granted", Bench().code("waitIdle", """{"quietMs":1,"timeoutMs":1}"""))
    }

    @Test
    fun grantedInTheSettings() {
        val bench = Bench()
        val own = BaileyAccessibilityService.component(bench.app)
        enabled("org.other/.Service:${own.flattenToString()}")
        assertEquals("""{"granted":true,"bound":false,"answering":false,"fault":"not_bound"}""", bench.state())
        for (command in listOf("readScreen", "perform", "gesture", "pressKey", "screenshot", "startDriving", "waitIdle")) {
            assertEquals(
                command,
                "not_bound",
                bench.code(
                    command,
                    """{"quietMs":1,"timeoutMs":1}""".takeIf { command == "waitIdle" } ?: "{}",
                ),
            )
        }
    }

    @Test
    fun grantedAsTheManagerTells() {
        val bench = Bench()
        val own = BaileyAccessibilityService.component(bench.app)
        val info = AccessibilityServiceInfo().apply { feedbackType = AccessibilityServiceInfo.FEEDBACK_GENERIC }
        val service = ServiceInfo().apply { packageName = own.packageName }.apply { name = own.className }
        ReflectionHelpers.setField(info, "mResolveInfo", ResolveInfo().apply { serviceInfo = service })
        shadowOf(bench.app.getSystemService(AccessibilityManager::class.java)).setEnabledAccessibilityServiceList(listOf(info))
        assertEquals("""{"granted":true,"bound":false,"answering":false,"fault":"not_bound"}""", bench.state())
    }

    @Test
    fun connectedAndGone() {
        val bench = Bench()
        val service = Robolectric.setupService(BaileyAccessibilityService::class.java)
        shadowOf(service).setWindows(listOf(AccessibilityWindowInfo.obtain()))
        service.onServiceConnected()
        val whole = """{"granted":true,"bound":true,"answering":true}"""
        assertEquals(whole, bench.state())
        until("the event") { bench.events.size == 1 }
        assertEquals("""{"type":"channel_changed","channel":"accessibility","state":$whole}""", bench.events[0].toString())
        service.onUnbind(Intent())
        service.onDestroy()
        until("the event") { bench.events.size == 2 }
        val gone = """{"granted":false,"bound":false,"answering":false,"fault":"not_granted"}"""
        assertEquals("""{"type":"channel_changed","channel":"accessibility","state":$gone}""", bench.events[1].toString())
        assertEquals(gone, bench.state())
    }

    @Test
    fun anOldServiceThatEndsLateDoesNotTakeTheNewOneAway() {
        val first = Robolectric.setupService(BaileyAccessibilityService::class.java)
        val second = Robolectric.setupService(BaileyAccessibilityService::class.java)
        first.onServiceConnected()
        second.onServiceConnected()
        first.onDestroy()
        assertEquals(second, Connection.service)
        second.onDestroy()
        assertEquals(null, Connection.service)
    }

    @Test
    fun answersNothing() {
        val platform = FakePlatform()
        val none = """{"granted":true,"bound":true,"answering":false,"fault":"not_answering"}"""
        assertEquals(none, Bench(platform).state())
        // A dark screen has no windows.
        platform.isAwake = false
        assertEquals("""{"granted":true,"bound":true,"answering":true}""", Bench(platform).state())
        platform.onWindows = { throw IllegalStateException() }
        assertEquals(none, Bench(platform).state())
    }

    @Test
    fun hangs() {
        val go = CountDownLatch(1)
        val platform = FakePlatform(FakeWindow(1, null))
        platform.onWindows = { go.await() }
        val app = RuntimeEnvironment.getApplication()
        val pool = Executors.newCachedThreadPool()
        val state = State(app, { platform }, pool, 50)
        assertEquals("not_answering", state.reply().getString("fault"))
        // The question that is open is not asked again.
        assertEquals("not_answering", state.reply().getString("fault"))
        assertEquals(1, (pool as ThreadPoolExecutor).largestPoolSize)
        go.countDown()
        pool.shutdown()
        pool.awaitTermination(10, TimeUnit.SECONDS)
    }
}
