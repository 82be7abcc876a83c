// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.accessibilityservice.AccessibilityService
import app.tauri.plugin.JSObject
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException

/** Fingers on the screen, and the system's keys. */
internal class Touches(
    private val own: OwnTouches,
) {
    fun gesture(
        platform: Platform,
        args: GestureArgs,
    ): JSObject {
        val duration = args.durationMs.within(1..LONGEST_MS, "durationMs")
        val panel = platform.panel()
        val from = spot(args.from, "from", panel)
        val to = spot(args.to, "to", panel)
        if (platform.locked()) throw FaultException(Fault.LOCKED, "")
        stroke(platform, from, to, duration)
        return JSObject()
    }

    private fun spot(
        point: List<Int?>?,
        name: String,
        panel: Panel,
    ): Spot {
        val numbers = point.required(name).filterNotNull()
        if (numbers.size != 2 || point?.size != 2) throw invalid("$name must be two numbers")
        val (x, y) = numbers
        if (x !in 0..panel.width || y !in 0..panel.height) throw invalid("$name is not on the screen")
        return Spot(x, y)
    }

    /** Moves a finger and waits for its end. */
    fun stroke(
        platform: Platform,
        from: Spot,
        to: Spot,
        durationMs: Int,
    ) = own.during {
        val end = CompletableFuture<Boolean>()
        if (!platform.gesture(from, to, durationMs, end::complete)) throw FaultException(Fault.REFUSED, "the system takes no gesture now")
        val completed =
            try {
                end.get(durationMs + PATIENCE_MS, TimeUnit.MILLISECONDS)
            } catch (_: TimeoutException) {
                throw FaultException(Fault.TIMED_OUT, "the gesture did not end")
            }
        if (!completed) throw FaultException(Fault.REFUSED, "the gesture was cancelled")
    }

    fun press(
        platform: Platform,
        args: PressKeyArgs,
    ): JSObject {
        val action =
            when (args.key.required("key")) {
                "back" -> AccessibilityService.GLOBAL_ACTION_BACK
                "home" -> AccessibilityService.GLOBAL_ACTION_HOME
                "recents" -> AccessibilityService.GLOBAL_ACTION_RECENTS
                "notifications" -> AccessibilityService.GLOBAL_ACTION_NOTIFICATIONS
                "quick_settings" -> AccessibilityService.GLOBAL_ACTION_QUICK_SETTINGS
                else -> throw invalid("no such key")
            }
        if (platform.locked()) throw FaultException(Fault.LOCKED, "")
        val isDone = own.during { platform.press(action) }
        if (!isDone) throw FaultException(Fault.REFUSED, "the system does not press it")
        return JSObject()
    }

    private companion object {
        const val LONGEST_MS = 10_000
        const val PATIENCE_MS = 2_000L
    }
}
