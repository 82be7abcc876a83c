// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.content.Context
import android.os.Looper
import android.os.SystemClock
import android.view.MotionEvent
import android.view.View
import android.view.ViewGroup
import android.view.WindowManager
import android.view.WindowManager.LayoutParams
import android.widget.Button
import android.widget.TextView
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.shadow.api.Shadow
import org.robolectric.shadows.ShadowWindowManagerImpl
import java.time.Duration

/** The bar that is shown while another app is being driven. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [26, 34])
class DrivingTest {
    private val bench = Bench()
    private val service = Robolectric.setupService(BaileyAccessibilityService::class.java)
    private val start = """{"text":"Bailey is using Chat","stop":"Stop"}"""

    @Before
    fun connect() {
        service.onServiceConnected()
        until("the event") { bench.events.size == 1 }
        bench.events.clear()
    }

    @After
    fun end() = service.onDestroy()

    private fun shown(): List<View> {
        val windows = (service as Context).getSystemService(WindowManager::class.java)
        return Shadow.extract<ShadowWindowManagerImpl>(windows).views.filter {
            (it.layoutParams as? LayoutParams)?.type ==
                LayoutParams.TYPE_ACCESSIBILITY_OVERLAY
        }
    }

    private fun touch(action: Int) {
        val now = SystemClock.uptimeMillis()
        val event = MotionEvent.obtain(now, now, action, 0f, 0f, 0)
        shown().single().dispatchTouchEvent(event)
        event.recycle()
    }

    private fun told() = bench.events.map { it.toString() }

    @Test
    fun theBar() {
        assertEquals("{}", bench.call("startDriving", start).toString())
        val bar = shown().single() as ViewGroup
        assertEquals("Bailey is using Chat", (bar.getChildAt(0) as TextView).text.toString())
        assertEquals("Stop", (bar.getChildAt(1) as TextView).text.toString())
        val params = bar.layoutParams as LayoutParams
        val flags = LayoutParams.FLAG_WATCH_OUTSIDE_TOUCH or LayoutParams.FLAG_NOT_FOCUSABLE or LayoutParams.FLAG_NOT_TOUCH_MODAL
        assertEquals(flags, params.flags and flags)
        bench.call("startDriving", """{"text":"Bailey is using Maps","stop":"Stop"}""")
        assertEquals("Bailey is using Maps", ((shown().single() as ViewGroup).getChildAt(0) as TextView).text.toString())
        assertEquals("{}", bench.call("endDriving").toString())
        assertEquals(0, shown().size)
        assertEquals("{}", bench.call("endDriving").toString())
    }

    @Test
    fun stop() {
        bench.call("startDriving", start)
        ((shown().single() as ViewGroup).getChildAt(1) as Button).performClick()
        assertEquals(listOf("""{"type":"stop_pressed"}"""), told())
    }

    @Test
    fun theirTouch() {
        bench.call("startDriving", start)
        touch(MotionEvent.ACTION_OUTSIDE)
        assertEquals(listOf("""{"type":"touched"}"""), told())
        touch(MotionEvent.ACTION_DOWN)
        touch(MotionEvent.ACTION_UP)
        assertEquals(2, told().size)
    }

    @Test
    fun ownTouchesAreNotTheirs() {
        bench.call("startDriving", start)
        val gesture = bench.begin("gesture", """{"from":[1,1],"to":[1,1],"durationMs":50}""")
        until("the gesture") { shadowOf(service).gesturesDispatched.size == 1 }
        touch(MotionEvent.ACTION_OUTSIDE)
        shadowOf(service).gesturesDispatched[0].callback().onCompleted(null)
        gesture.reply()
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(299))
        touch(MotionEvent.ACTION_OUTSIDE)
        assertEquals(emptyList<String>(), told())
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(1))
        touch(MotionEvent.ACTION_OUTSIDE)
        assertEquals(listOf("""{"type":"touched"}"""), told())
    }

    @Test
    fun goesWithTheService() {
        bench.call("startDriving", start)
        service.onDestroy()
        assertEquals(0, shown().size)
    }

    @Test
    fun withoutSense() {
        for (args in listOf("{}", """{"text":"a"}""", """{"text":" ","stop":"b"}""", """{"text":"a","stop":""}""")) {
            assertEquals(args, "invalid", bench.code("startDriving", args))
        }
        assertEquals(0, shown().size)
    }
}
