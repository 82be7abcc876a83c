// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.os.Handler
import android.os.Looper
import android.os.SystemClock
import app.tauri.plugin.Invoke
import app.tauri.plugin.JSObject

/** Waits until the screen is quiet, on the main thread's clock. [connected] throws when the service is not. */
internal class IdleWait(
    private val lastEvent: () -> Long,
    private val connected: () -> Unit,
) {
    private val main = Handler(Looper.getMainLooper())

    fun begin(invoke: Invoke) {
        val answer = Answer(invoke)
        answer.guard {
            val args = invoke.args<WaitIdleArgs>()
            val quiet = args.quietMs.within(0..MOST_MS, "quietMs")
            val limit = args.timeoutMs.within(0..MOST_MS, "timeoutMs")
            look(answer, SystemClock.uptimeMillis(), quiet, limit)
        }
    }

    private fun look(
        answer: Answer,
        begun: Long,
        quiet: Int,
        limit: Int,
    ) {
        connected()
        val now = SystemClock.uptimeMillis()
        val waited = now - begun
        // What was quiet before says nothing: the first change may still be on its way.
        val quietFor = now - maxOf(begun, lastEvent())
        if (quietFor >= quiet || waited >= limit) {
            answer.resolve(JSObject().put("idle", quietFor >= quiet).put("waitedMs", waited))
            return
        }
        main.postDelayed({ answer.guard { look(answer, begun, quiet, limit) } }, minOf(quiet - quietFor, limit - waited))
    }

    private companion object {
        const val MOST_MS = 60_000
    }
}
