// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.graphics.Bitmap
import android.os.Looper
import app.tauri.annotation.Command
import org.json.JSONArray
import org.json.JSONObject
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Assert.fail
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import java.io.File
import java.time.Duration

/** The plugin keeps to `contract.json`: it takes every example of a request, and its replies have the shape of the examples. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class ContractTest {
    private val contract = JSONObject(File(System.getProperty("bailey.contract")!!).readText())
    private val button = Look("org.example.chat", "android.widget.Button", "send_button", description = "Send", clickable = true)
    private val root = FakeNode(Look("org.example.chat", "android.widget.FrameLayout"), FakeNode(button))
    private val platform = FakePlatform(FakeWindow(7, root, title = "Chat", focused = true))
    private val bench = Bench(platform)

    @After
    fun end() {
        Connection.service?.onDestroy()
    }

    private fun examples(): List<JSONObject> {
        val all = contract.getJSONArray("requests")
        return List(all.length()) { all.getJSONObject(it) }.filter { it.getString("channel") == "accessibility" }
    }

    @Test
    fun everyCommandIsThereAndNoOther() {
        val commands =
            AccessibilityPlugin::class.java.declaredMethods
                .filter { it.isAnnotationPresent(Command::class.java) }
                .map { it.name }
                .toSet()
        assertEquals(examples().map { it.getString("command") }.toSet(), commands)
    }

    @Test
    fun everyFaultIsOfTheContract() {
        val names = contract.getJSONArray("faults").let { list -> List(list.length()) { list.getString(it) } }
        for (fault in Fault.entries) assertTrue(fault.code, fault.code in names)
    }

    @Test
    fun everyExampleIsTakenAndAnsweredInItsShape() {
        // The bar needs the service itself; its reading may find nothing.
        Robolectric.setupService(BaileyAccessibilityService::class.java).onServiceConnected()
        platform.onScreenshot = { it(Shot.Taken(Bitmap.createBitmap(9, 9, Bitmap.Config.ARGB_8888))) }
        for (example in examples()) {
            val command = example.getString("command")
            val request = example.getJSONObject("request")
            // A handle is the device's own.
            if (command == "perform") request.put("handle", "2")
            val pending = bench.begin(command, request.toString())
            if (command == "waitIdle") {
                shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(1))
            }
            val reply = pending.reply()
            // The example is of a channel that is not bound.
            val free = if (command == "accessibilityState") setOf("fault") else emptySet()
            same(command, example.getJSONObject("reply"), reply, free)
        }
    }

    /** The same fields with the same kinds of values; every element of a list like that of the example. */
    private fun same(
        path: String,
        want: Any,
        got: Any,
        free: Set<String> = emptySet(),
    ) {
        when (want) {
            is JSONObject -> {
                if (got !is JSONObject) return fail("$path: $got")
                assertEquals(path, want.keys().asSequence().toSet() - free, got.keys().asSequence().toSet())
                for (key in got.keys()) same("$path.$key", want.get(key), got.get(key))
            }
            is JSONArray -> {
                if (got !is JSONArray) return fail("$path: $got")
                assertEquals(path, want.length(), got.length())
                for (index in 0 until got.length()) same("$path[$index]", want.get(index), got.get(index))
            }
            is Number -> assertTrue("$path: $got", got is Number)
            else -> assertEquals(path, want.javaClass, got.javaClass)
        }
    }

    @Test
    fun eventsAreAsInTheContract() {
        val events = contract.getJSONArray("events").let { list -> List(list.length()) { list.getJSONObject(it) } }
        val example = events.single { it.getString("type") == "channel_changed" }
        Robolectric.setupService(BaileyAccessibilityService::class.java).onServiceConnected()
        until("the event") { bench.events.isNotEmpty() }
        val state = bench.events[0].getJSONObject("state")
        assertEquals(
            example.keys().asSequence().toSet(),
            bench.events[0]
                .keys()
                .asSequence()
                .toSet(),
        )
        assertEquals(
            example
                .getJSONObject("state")
                .keys()
                .asSequence()
                .toSet() - "fault",
            state.keys().asSequence().toSet(),
        )
        assertTrue(events.map { it.getString("type") }.containsAll(listOf("touched", "stop_pressed")))
    }
}
