// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.os.Handler
import android.os.Looper
import app.tauri.plugin.Invoke
import app.tauri.plugin.JSObject
import com.fasterxml.jackson.core.JsonProcessingException
import java.util.concurrent.ExecutorService
import java.util.concurrent.Future
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.SynchronousQueue
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean

/** The end of one command: whatever is said first counts, and nothing after it. */
internal class Answer(
    private val invoke: Invoke,
) {
    private val open = AtomicBoolean(true)

    fun resolve(reply: JSObject) {
        if (open.compareAndSet(true, false)) invoke.resolve(reply)
    }

    fun reject(
        fault: Fault,
        detail: String,
    ) {
        if (open.compareAndSet(true, false)) invoke.reject(detail, fault.code)
    }

    /** Runs [block] and rejects with what it throws. Of an error of the system only its kind is told: its text may hold private data. */
    fun guard(block: () -> Unit) {
        try {
            block()
        } catch (e: FaultException) {
            reject(e.fault, e.detail)
        } catch (_: JsonProcessingException) {
            reject(Fault.INVALID, "the arguments do not fit the command")
        } catch (e: SecurityException) {
            reject(Fault.REFUSED, e.javaClass.simpleName)
        } catch (e: Exception) {
            reject(Fault.FAILED, e.javaClass.simpleName)
        }
    }
}

/** Carries commands out, on the main thread or aside, so that each ends with exactly one answer. */
internal class Answering(
    private val pool: ExecutorService = threads(),
    private val limitMs: Long = LIMIT_MS,
) {
    private val main = Handler(Looper.getMainLooper())

    /** Here and now: for what never blocks. */
    fun here(
        invoke: Invoke,
        block: () -> JSObject,
    ) {
        val answer = Answer(invoke)
        answer.guard { answer.resolve(block()) }
    }

    /** On a thread of its own, with a time-out: for what asks another process or the disk. */
    fun aside(
        invoke: Invoke,
        block: () -> JSObject,
    ) {
        val answer = Answer(invoke)
        var task: Future<*>? = null
        val late =
            Runnable {
                answer.reject(Fault.TIMED_OUT, invoke.command)
                task?.cancel(true)
            }
        main.postDelayed(late, limitMs)
        try {
            task =
                pool.submit {
                    answer.guard { answer.resolve(block()) }
                    main.removeCallbacks(late)
                }
        } catch (_: RejectedExecutionException) {
            main.removeCallbacks(late)
            answer.reject(Fault.BUSY, "too many requests at once")
        }
    }

    private companion object {
        const val LIMIT_MS = 15_000L
        const val THREADS = 8
        const val IDLE_SECONDS = 30L

        /** Threads that end by themselves when there is nothing to do; more work at once than that is turned away. */
        fun threads(): ExecutorService = ThreadPoolExecutor(0, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, SynchronousQueue())
    }
}
