// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.os.Looper
import app.tauri.plugin.Invoke
import app.tauri.plugin.JSObject
import com.fasterxml.jackson.databind.ObjectMapper
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.SynchronousQueue
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit

/** Each command ends with exactly one answer. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class AnsweringTest {
    private val answers = CopyOnWriteArrayList<Pair<Long, JSONObject>>()

    private fun invoke() = Invoke(1, "info", 10, 11, { to, data -> answers += to to JSONObject(data) }, "{}", ObjectMapper())

    private fun one(): Pair<Long, JSONObject> {
        assertEquals(1, answers.size)
        return answers[0]
    }

    @Test
    fun firstAnswerCounts() {
        val answer = Answer(invoke())
        answer.resolve(JSObject().put("a", 1))
        answer.reject(Fault.FAILED, "late")
        answer.resolve(JSObject())
        assertEquals(10L, one().first)
        assertEquals(1, one().second.getInt("a"))
    }

    @Test
    fun errorsOfTheSystemTellOnlyTheirKind() {
        Answering().here(invoke()) { throw IllegalStateException("Ada's secret") }
        assertEquals("""{"code":"failed","message":"IllegalStateException"}""", one().second.toString().sorted())
        answers.clear()
        Answering().here(invoke()) { throw SecurityException("Ada's secret") }
        assertEquals("""{"code":"refused","message":"SecurityException"}""", one().second.toString().sorted())
    }

    private fun String.sorted() = JSONObject(this).let { """{"code":"${it["code"]}","message":"${it["message"]}"}""" }

    @Test
    fun tooLateIsTimedOut() {
        val begun = CountDownLatch(1)
        val ended = CountDownLatch(1)
        val pool = Executors.newSingleThreadExecutor()
        Answering(pool, 1_000).aside(invoke()) {
            try {
                begun.countDown()
                Thread.sleep(60_000)
            } finally {
                ended.countDown()
            }
            JSObject()
        }
        assertTrue(begun.await(10, TimeUnit.SECONDS))
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(999))
        assertEquals(0, answers.size)
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(2))
        // The work is told to stop, and what it then says is not heard.
        assertTrue(ended.await(10, TimeUnit.SECONDS))
        pool.shutdown()
        assertTrue(pool.awaitTermination(10, TimeUnit.SECONDS))
        assertEquals(11L, one().first)
        assertEquals("timed_out", one().second.getString("code"))
    }

    @Test
    fun nothingIsLeftWaiting() {
        val pool = Executors.newSingleThreadExecutor()
        Answering(pool, 60_000).aside(invoke()) { JSObject() }
        pool.shutdown()
        assertTrue(pool.awaitTermination(10, TimeUnit.SECONDS))
        assertEquals(Duration.ZERO, shadowOf(Looper.getMainLooper()).lastScheduledTaskTime)
        assertEquals(10L, one().first)
    }

    @Test
    fun tooManyAtOnceAreBusy() {
        val pool = ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, SynchronousQueue())
        val go = CountDownLatch(1)
        val answering = Answering(pool, 1_000)
        answering.aside(invoke()) { JSObject().also { go.await() } }
        answering.aside(invoke()) { JSObject() }
        assertEquals("busy", one().second.getString("code"))
        go.countDown()
        pool.shutdown()
        assertTrue(pool.awaitTermination(10, TimeUnit.SECONDS))
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(2))
        assertEquals(listOf(11L, 10L), answers.map { it.first })
    }
}
