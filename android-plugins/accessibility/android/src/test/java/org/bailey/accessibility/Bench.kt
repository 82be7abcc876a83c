// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.app.Application
import android.os.Looper
import androidx.appcompat.app.AppCompatActivity
import app.tauri.plugin.Channel
import app.tauri.plugin.Invoke
import app.tauri.plugin.JSObject
import app.tauri.plugin.PluginHandle
import app.tauri.plugin.PluginManager
import com.fasterxml.jackson.core.JsonParser
import com.fasterxml.jackson.databind.DeserializationContext
import com.fasterxml.jackson.databind.JsonDeserializer
import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.module.SimpleModule
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.fail
import org.robolectric.Robolectric
import org.robolectric.Shadows.shadowOf
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executors

/** The plugin as Tauri runs it: loaded, with an activity, and called through its handle. */
internal class Bench(
    make: (AppCompatActivity) -> AccessibilityPlugin = { AccessibilityPlugin(it) },
) {
    /** With this in the service's place. */
    constructor(platform: Platform, limitMs: Long = 5_000) :
        this({ AccessibilityPlugin(it, { platform }, Answering(), Executors.newSingleThreadExecutor(), Pictures(limitMs)) })

    val activity: AppCompatActivity = Robolectric.buildActivity(AppCompatActivity::class.java).create().get()
    val app: Application = activity.application

    /** What was told without being asked. */
    val events = CopyOnWriteArrayList<JSONObject>()
    private val handle: PluginHandle

    init {
        PluginManager.activity = null
        PluginManager.onCreate(activity)
        val plugin = make(activity)
        PluginManager.load(null, "accessibility", plugin, "{}")
        handle = plugin.handle!!
        val args = """{"event":"device","handler":"7"}"""
        handle.invoke(Invoke(1, "registerListener", 10, 11, { _, _ -> }, args, hearing()))
    }

    /** Takes a channel to be [events]. */
    private fun hearing(): ObjectMapper {
        val mapper = ObjectMapper()
        val channels =
            object : JsonDeserializer<Channel>() {
                override fun deserialize(
                    parser: JsonParser,
                    context: DeserializationContext,
                ) = Channel(parser.text.toLong(), { events += JSONObject(it) }, mapper)
            }
        return mapper.registerModule(SimpleModule().addDeserializer(Channel::class.java, channels))
    }

    /** Starts a command. */
    fun begin(
        command: String,
        args: String = "{}",
    ): Pending {
        val pending = Pending(command)
        handle.invoke(Invoke(1, command, 10, 11, { to, data -> pending.answers += to to data }, args, handle.jsonMapper))
        return pending
    }

    /** Carries a command out; its reply. */
    fun call(
        command: String,
        args: String = "{}",
    ): JSObject = begin(command, args).reply()

    /** Carries a command out that fails; its fault and its detail. */
    fun fault(
        command: String,
        args: String = "{}",
    ): Pair<String, String> = begin(command, args).fault()

    /** The name of the fault a command fails with. */
    fun code(
        command: String,
        args: String = "{}",
    ): String = fault(command, args).first
}

/** A command that was begun. */
internal class Pending(
    private val command: String,
) {
    val answers = CopyOnWriteArrayList<Pair<Long, String>>()

    fun reply(): JSObject {
        val (to, data) = await()
        if (to != 10L) fail("$command was rejected: $data")
        return JSObject(data)
    }

    fun fault(): Pair<String, String> {
        val (to, data) = await()
        if (to != 11L) fail("$command was resolved: $data")
        val error = JSONObject(data)
        return error.getString("code") to error.getString("message")
    }

    private fun await(): Pair<Long, String> {
        until(command) { answers.isNotEmpty() }
        assertEquals("one answer", 1, answers.size)
        return answers[0]
    }
}

/** Lets the main thread go on until [holds]. */
internal fun until(
    what: String,
    holds: () -> Boolean,
) {
    val end = System.nanoTime() + 20_000_000_000
    while (!holds()) {
        if (System.nanoTime() > end) fail("$what did not come")
        shadowOf(Looper.getMainLooper()).idle()
        Thread.sleep(2)
    }
}
