// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.content.Context
import android.content.Intent
import android.os.Handler
import android.os.Looper
import app.tauri.plugin.Invoke
import app.tauri.plugin.JSObject

/** What is said of the runs that are going on. */
internal class Run(
    val title: String,
    val publicTitle: String,
    val stop: String,
    val capturing: Boolean,
)

/** An order to start the service: the system starts it a little later. */
internal class Order(
    var run: Run,
) {
    val answers = mutableListOf<Answer>()

    /** The run was over before the service began. */
    var ended = false
}

/** Starts and stops [RunService]. On the main thread only, as the service is. */
internal class Runs(
    private val context: Context,
    private val start: (Intent) -> Unit = { context.startForegroundService(it) },
) {
    private val main = Handler(Looper.getMainLooper())
    private val posting = Posting(context)

    /** Answers when the notification is up. */
    fun show(invoke: Invoke) {
        val answer = Answer(invoke)
        answer.guard {
            val args = invoke.args<ShowRunArgs>()
            val run =
                Run(
                    args.title.required("title"),
                    args.publicTitle.required("publicTitle"),
                    args.stop.required("stop"),
                    args.capturing ?: false,
                )
            posting.require(Kind.RUN)
            val service = RunService.running
            if (service == null) {
                order(run, answer)
            } else {
                service.show(run)
                answer.resolve(JSObject())
            }
        }
    }

    private fun order(
        run: Run,
        answer: Answer,
    ) {
        val open = RunService.order
        if (open != null) {
            open.run = run
            open.ended = false
            open.answers += answer
        } else {
            val order = Order(run)
            order.answers += answer
            RunService.order = order
            try {
                start(Intent(context, RunService::class.java))
            } catch (e: Exception) {
                RunService.order = null
                throw refusal(e)
            }
        }
        main.postDelayed({ answer.reject(Fault.TIMED_OUT, "the service did not start") }, LIMIT_MS)
    }

    /** Also before the service has begun: stopped then, it would take the app with it. */
    fun end(): JSObject {
        RunService.order?.ended = true
        RunService.running?.end()
        return JSObject()
    }

    companion object {
        private const val LIMIT_MS = 10_000L

        /** What the system's refusal of a foreground service is to the model. */
        fun refusal(e: Exception): Exception =
            when (e) {
                // Since Android 12: ForegroundServiceStartNotAllowedException.
                is IllegalStateException -> FaultException(Fault.REFUSED, "nothing may begin in the background")
                is SecurityException -> FaultException(Fault.REFUSED, "the service may not begin")
                else -> e
            }
    }
}
