// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.app.Activity
import android.os.Handler
import android.os.Looper
import android.os.SystemClock
import app.tauri.annotation.Command
import app.tauri.annotation.TauriPlugin
import app.tauri.plugin.Invoke
import app.tauri.plugin.JSObject
import app.tauri.plugin.Plugin
import java.util.concurrent.ExecutorService
import java.util.concurrent.SynchronousQueue
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit
import java.util.concurrent.locks.ReentrantLock

/** The channel `accessibility`: eyes and hands on the screen, through [BaileyAccessibilityService]. */
@TauriPlugin
class AccessibilityPlugin internal constructor(
    activity: Activity,
    private val platform: () -> Platform?,
    private val answering: Answering,
    probes: ExecutorService,
    private val pictures: Pictures,
) : Plugin(activity) {
    /** As Tauri makes it. */
    constructor(activity: Activity) : this(activity, { Connection.service?.let(::SystemPlatform) }, Answering(), probes(), Pictures())

    // The activity may be made anew while this lives on, so nothing here holds it.
    private val state = State(activity.applicationContext, platform, probes)
    private val own = OwnTouches(SystemClock::uptimeMillis)
    private val handles = Handles()
    private val reading = ScreenReading(handles, SystemClock::uptimeMillis)
    private val touches = Touches(own)
    private val hands = Hands(handles, touches, own, SystemClock::uptimeMillis)
    private val idle = IdleWait({ Connection.lastEvent }, { state.connected() })
    private val driving = Driving(own) { type -> trigger(EVENTS, JSObject().put("type", type)) }
    private val turn = ReentrantLock()
    private val main = Handler(Looper.getMainLooper())

    init {
        Connection.changed = ::channelChanged
    }

    private fun channelChanged() {
        if (Connection.service == null) driving.end()
        answering.unasked {
            val now = state.reply()
            main.post { tellChanged(now) }
        }
    }

    private fun tellChanged(state: JSObject) =
        trigger(EVENTS, JSObject().put("type", "channel_changed").put("channel", "accessibility").put("state", state))

    @Command
    fun accessibilityState(invoke: Invoke) = answering.aside(invoke) { state.reply() }

    @Command
    fun readScreen(invoke: Invoke) = answering.aside(invoke) { reading.read(state.connected()) }

    @Command
    fun perform(invoke: Invoke) = answering.aside(invoke) { inTurn { hands.perform(state.connected(), invoke.args()) } }

    @Command
    fun gesture(invoke: Invoke) = answering.aside(invoke) { inTurn { touches.gesture(state.connected(), invoke.args()) } }

    @Command
    fun pressKey(invoke: Invoke) = answering.aside(invoke) { inTurn { touches.press(state.connected(), invoke.args()) } }

    @Command
    fun waitIdle(invoke: Invoke) = idle.begin(invoke)

    @Command
    fun screenshot(invoke: Invoke) = answering.aside(invoke) { pictures.take(state.connected(), invoke.args()) }

    @Command
    fun startDriving(invoke: Invoke) =
        answering.here(invoke) {
            state.connected()
            driving.start(Connection.service ?: throw FaultException(Fault.NOT_BOUND, "accessibility"), invoke.args())
            JSObject()
        }

    @Command
    fun endDriving(invoke: Invoke) =
        answering.here(invoke) {
            driving.end()
            JSObject()
        }

    /** One hand at a time: nothing may come between the last look and the touch. */
    private fun inTurn(block: () -> JSObject): JSObject {
        if (!turn.tryLock(TURN_MS, TimeUnit.MILLISECONDS)) throw FaultException(Fault.BUSY, "something else is being done")
        try {
            return block()
        } finally {
            turn.unlock()
        }
    }

    internal companion object {
        /** What Rust listens to. */
        private const val EVENTS = "device"
        private const val TURN_MS = 2_000L
        private const val IDLE_SECONDS = 30L

        private fun probes(): ExecutorService = ThreadPoolExecutor(0, 2, IDLE_SECONDS, TimeUnit.SECONDS, SynchronousQueue())
    }
}
