// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.os.Looper
import android.view.accessibility.AccessibilityEvent
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import java.time.Duration

/** Waiting for a quiet screen. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class WaitIdleTest {
    private val bench = Bench()
    private val service = Robolectric.setupService(BaileyAccessibilityService::class.java)

    @Before
    fun connect() = service.onServiceConnected()

    @After
    fun end() = service.onDestroy()

    private fun pass(ms: Long) = shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(ms))

    @Suppress("DEPRECATION")
    private fun change() = service.onAccessibilityEvent(AccessibilityEvent.obtain(AccessibilityEvent.TYPE_WINDOW_CONTENT_CHANGED))

    private fun Pending.said() = reply().toString()

    @Test
    fun quietFromTheBeginning() {
        val waiting = bench.begin("waitIdle", """{"quietMs":300,"timeoutMs":3000}""")
        pass(299)
        assertEquals(0, waiting.answers.size)
        pass(1)
        assertEquals("""{"idle":true,"waitedMs":300}""", waiting.said())
    }

    @Test
    fun changesBegTheQuestionAnew() {
        val waiting = bench.begin("waitIdle", """{"quietMs":300,"timeoutMs":3000}""")
        pass(200)
        change()
        pass(299)
        assertEquals(0, waiting.answers.size)
        pass(1)
        assertEquals("""{"idle":true,"waitedMs":500}""", waiting.said())
    }

    @Test
    fun neverQuiet() {
        val waiting = bench.begin("waitIdle", """{"quietMs":300,"timeoutMs":1000}""")
        repeat(10) {
            pass(100)
            change()
        }
        assertEquals("""{"idle":false,"waitedMs":1000}""", waiting.said())
    }

    @Test
    fun noTimeAtAll() {
        assertEquals("""{"idle":true,"waitedMs":0}""", bench.begin("waitIdle", """{"quietMs":0,"timeoutMs":0}""").said())
        assertEquals("""{"idle":false,"waitedMs":0}""", bench.begin("waitIdle", """{"quietMs":10,"timeoutMs":0}""").said())
    }

    @Test
    fun theServiceGoesMeanwhile() {
        val waiting = bench.begin("waitIdle", """{"quietMs":300,"timeoutMs":3000}""")
        service.onDestroy()
        pass(300)
        assertEquals("not_granted", waiting.fault().first)
    }

    @Test
    fun withoutSense() {
        for (args in listOf("{}", """{"quietMs":1}""", """{"quietMs":-1,"timeoutMs":1}""", """{"quietMs":1,"timeoutMs":60001}""")) {
            assertEquals(args, "invalid", bench.code("waitIdle", args))
        }
    }
}
