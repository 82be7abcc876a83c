// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.Activity
import android.app.ActivityManager
import android.content.Intent
import androidx.appcompat.app.AppCompatActivity
import app.tauri.annotation.Command
import app.tauri.annotation.TauriPlugin
import app.tauri.plugin.Invoke
import app.tauri.plugin.JSObject
import app.tauri.plugin.Plugin

/**
 * The channel `lifecycle`: the app's foreground service, what it shows outside its window, and what reaches it there.
 *
 * Each command is a method here; the work is done in a class of its theme.
 */
@TauriPlugin
class LifecyclePlugin internal constructor(
    activity: Activity,
    inFront: Boolean,
    start: (Intent) -> Unit,
) : Plugin(activity) {
    /** As Tauri makes it. */
    constructor(activity: Activity) : this(activity, isOnTop(), { activity.applicationContext.startForegroundService(it) })

    // The activity may be made anew while this lives on, so nothing here keeps it for good.
    private val context = activity.applicationContext
    private val answering = Answering()
    private val runs = Runs(context, start)
    private val asks = Asks(context, inFront)
    private val notices = Notices(context)
    private val arrivals = Arrivals(context)
    private val alarms = Alarms(context)
    private val window = OwnWindow { Events.insets(it.json()) }

    init {
        Events.listener = ::hear
        window.follow(activity)
        arrivals.opened(activity.intent)
        // Those that were exact are lost when the person forbids that.
        alarms.armAll()
    }

    private fun hear(event: JSObject): Boolean {
        if (!hasListener(DEVICE)) return false
        if (event.getString("type") == "ask_answered") asks.answered(event.getString("ask"))
        trigger(DEVICE, event)
        return true
    }

    override fun onNewIntent(intent: Intent) {
        if (arrivals.opened(intent)) Events.arrived()
    }

    override fun onResume(activity: AppCompatActivity) {
        window.follow(activity)
        asks.moved(inFront = true)
    }

    override fun onPause(activity: AppCompatActivity) = asks.moved(inFront = false)

    override fun onDestroy(activity: AppCompatActivity) = window.leave(activity)

    @Command
    fun showRun(invoke: Invoke) = runs.show(invoke)

    @Command
    fun endRun(invoke: Invoke) = answering.here(invoke) { runs.end() }

    @Command
    fun postAsk(invoke: Invoke) = answering.here(invoke) { asks.post(invoke.args()) }

    @Command
    fun withdrawAsk(invoke: Invoke) = answering.here(invoke) { asks.withdraw(invoke.args()) }

    @Command
    fun postNotice(invoke: Invoke) = answering.here(invoke) { notices.post(invoke.args()) }

    @Command
    fun setAlarm(invoke: Invoke) = answering.here(invoke) { alarms.set(invoke.args()) }

    @Command
    fun cancelAlarm(invoke: Invoke) = answering.here(invoke) { alarms.cancel(invoke.args()) }

    @Command
    fun setSecure(invoke: Invoke) = answering.here(invoke) { window.setSecure(invoke.args()) }

    @Command
    fun takeArrivals(invoke: Invoke) = answering.aside(invoke) { arrivals.take() }

    @Command
    fun readInsets(invoke: Invoke) = answering.here(invoke) { window.read() }

    private companion object {
        /** Under this name all plugins tell their events. */
        const val DEVICE = "device"

        fun isOnTop(): Boolean {
            val process = ActivityManager.RunningAppProcessInfo()
            ActivityManager.getMyMemoryState(process)
            return process.importance == ActivityManager.RunningAppProcessInfo.IMPORTANCE_FOREGROUND
        }
    }
}
