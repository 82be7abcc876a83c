// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.content.Intent
import android.net.Uri
import app.tauri.annotation.Command
import app.tauri.plugin.PluginManager
import org.json.JSONArray
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Assert.fail
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import java.io.File

/** The plugin keeps to `contract.json`: it takes every example of a request, and its replies have the shape of the examples. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class ContractTest {
    private val contract = JSONObject(contractFile().readText())
    private val bench = Bench()

    private fun contractFile(): File {
        System.getProperty("bailey.contract")?.let { return File(it) }
        val start = File("").absoluteFile
        return generateSequence(start) { it.parentFile }
            .flatMap { sequenceOf(File(it, "contract.json"), File(it, "android-plugins/contract.json")) }
            .firstOrNull { it.isFile } ?: error("no contract.json above $start")
    }

    private fun list(name: String): List<JSONObject> {
        val all = contract.getJSONArray(name)
        return List(all.length()) { all.getJSONObject(it) }
    }

    private fun examples() = list("requests").filter { it.getString("channel") == "lifecycle" }

    @Test
    fun everyCommandIsThereAndNoOther() {
        val commands =
            LifecyclePlugin::class.java.declaredMethods
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
        for (example in examples()) {
            val command = example.getString("command")
            if (command == "takeArrivals") arrive(example.getJSONObject("reply").getJSONArray("arrivals"))
            val pending = bench.begin(command, example.getJSONObject("request").toString())
            if (command == "showRun") bench.serve()
            same(command, example.getJSONObject("reply"), pending.reply())
        }
    }

    /** Has come what the example tells of. */
    private fun arrive(all: JSONArray) {
        val arrivals = Arrivals(bench.app)
        for (arrival in List(all.length()) { all.getJSONObject(it) }) {
            when (arrival.getString("type")) {
                "link" -> PluginManager.onNewIntent(Intent(Intent.ACTION_VIEW, Uri.parse(arrival.getString("uri"))))
                "shared" -> arrivals.shared(arrival.getString("text"), arrival.getString("subject"), arrival.getString("app"))
                "shared_file" -> {
                    val copy = File(arrival.getString("path"))
                    arrivals.file(SharedFile(copy, arrival.getString("name"), arrival.getString("mime")))
                }
                "alarm" -> arrivals.alarm(arrival.getString("id"))
                "booted" -> BootReceiver().onReceive(bench.app, Intent(Intent.ACTION_BOOT_COMPLETED))
                else -> fail("$arrival")
            }
        }
    }

    @Test
    fun everyEventHasTheShapeOfItsExample() {
        bench.events.clear()
        Events.stopPressed()
        Events.askAnswered("a", allow = false)
        Events.arrived()
        Events.insets(Edges(1.0, 2.0, 3.0, 4.0, 5.0).json())
        val examples = list("events").associateBy { it.getString("type") }
        assertEquals(4, bench.events.size)
        for (event in bench.events.map(::JSONObject)) {
            val type = event.getString("type")
            same(type, examples.getValue(type), event)
        }
    }

    /** The same fields with the same kinds of values, and as many elements. */
    private fun same(
        path: String,
        want: Any,
        got: Any,
    ) {
        when (want) {
            is JSONObject -> {
                if (got !is JSONObject) return fail("$path: $got")
                assertEquals(path, want.keys().asSequence().toSet(), got.keys().asSequence().toSet())
                for (key in got.keys()) same("$path.$key", want.get(key), got.get(key))
            }
            is JSONArray -> {
                if (got !is JSONArray) return fail("$path: $got")
                assertEquals(path, want.length(), got.length())
                for (index in 0 until got.length()) same(path, want.get(index), got.get(index))
            }
            is Number -> assertTrue("$path: $got", got is Number)
            else -> assertEquals(path, want.javaClass, got.javaClass)
        }
    }
}
