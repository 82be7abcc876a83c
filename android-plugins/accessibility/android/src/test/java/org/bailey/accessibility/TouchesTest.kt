// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.accessibilityservice.AccessibilityService
import org.junit.Assert.assertEquals
import org.junit.Assert.assertThrows
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import java.util.concurrent.CountDownLatch

/** Fingers and keys. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class TouchesTest {
    private val platform = FakePlatform()
    private val bench = Bench(platform)
    private val swipe = """{"from":[540,1800],"to":[540,600],"durationMs":300}"""

    @Test
    fun gesture() {
        assertEquals("{}", bench.call("gesture", swipe).toString())
        assertEquals(listOf(Triple(Spot(540, 1800), Spot(540, 600), 300)), platform.gestures)
    }

    @Test
    fun gesturesThatFail() {
        platform.onGesture = { done -> true.also { done(false) } }
        assertEquals("refused" to "the gesture was cancelled", bench.fault("gesture", swipe))
        platform.onGesture = { false }
        assertEquals("refused", bench.code("gesture", swipe))
        platform.onGesture = { true }
        assertEquals("timed_out", bench.code("gesture", """{"from":[0,0],"to":[0,0],"durationMs":1}"""))
        platform.isLocked = true
        assertEquals("locked", bench.code("gesture", swipe))
        assertEquals(3, platform.gestures.size)
    }

    @Test
    fun gesturesWithoutSense() {
        val wrong =
            listOf(
                "{}",
                """{"from":[1,1],"to":[1,1]}""",
                """{"from":[1,1],"to":[1,1],"durationMs":0}""",
                """{"from":[1,1],"to":[1,1],"durationMs":10001}""",
                """{"from":[1,1],"to":[1081,1],"durationMs":10}""",
                """{"from":[1,-1],"to":[1,1],"durationMs":10}""",
                """{"from":[1],"to":[1,1],"durationMs":10}""",
                """{"from":[1,null],"to":[1,1],"durationMs":10}""",
                """{"from":[1,2,3],"to":[1,1],"durationMs":10}""",
            )
        for (args in wrong) assertEquals(args, "invalid", bench.code("gesture", args))
        assertEquals(0, platform.gestures.size)
    }

    @Test
    fun oneAtATime() {
        val begun = CountDownLatch(1)
        val ends = mutableListOf<(Boolean) -> Unit>()
        platform.onGesture = { done -> true.also { ends += done }.also { begun.countDown() } }
        val first = bench.begin("gesture", """{"from":[1,1],"to":[1,1],"durationMs":10000}""")
        begun.await()
        assertEquals("busy", bench.code("pressKey", """{"key":"back"}"""))
        ends[0](true)
        first.reply()
        assertEquals(0, platform.presses.size)
    }

    @Test
    fun keys() {
        for (key in listOf("back", "home", "recents", "notifications", "quick_settings")) bench.call("pressKey", """{"key":"$key"}""")
        val want =
            listOf(
                AccessibilityService.GLOBAL_ACTION_BACK,
                AccessibilityService.GLOBAL_ACTION_HOME,
                AccessibilityService.GLOBAL_ACTION_RECENTS,
                AccessibilityService.GLOBAL_ACTION_NOTIFICATIONS,
                AccessibilityService.GLOBAL_ACTION_QUICK_SETTINGS,
            )
        assertEquals(want, platform.presses)
        assertEquals("invalid", bench.code("pressKey", """{"key":"power"}"""))
        assertEquals("invalid", bench.code("pressKey"))
        platform.takesKeys = false
        assertEquals("refused", bench.code("pressKey", """{"key":"back"}"""))
        platform.isLocked = true
        assertEquals("locked", bench.code("pressKey", """{"key":"back"}"""))
    }

    @Test
    fun ownAndOthersTouches() {
        var now = 1_000L
        val own = OwnTouches { now }
        assertEquals(true, own.isPerson())
        assertEquals(true to false, own.touchedSince(1_000) to own.touchedSince(1_001))
        own.during {
            assertEquals(false, own.isPerson())
            now = 5_000
            own.during { }
            assertEquals(false, own.isPerson())
        }
        now = 5_299
        assertEquals(false, own.isPerson())
        now = 5_300
        assertEquals(true, own.isPerson())
        assertThrows(IllegalStateException::class.java) { own.during { throw IllegalStateException() } }
        assertEquals(false, own.isPerson())
    }
}
