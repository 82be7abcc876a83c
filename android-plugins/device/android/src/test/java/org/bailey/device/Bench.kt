// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.app.Application
import android.os.Looper
import androidx.appcompat.app.AppCompatActivity
import app.tauri.plugin.Invoke
import app.tauri.plugin.JSObject
import app.tauri.plugin.PluginHandle
import app.tauri.plugin.PluginManager
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.fail
import org.robolectric.Robolectric
import org.robolectric.Shadows.shadowOf
import org.robolectric.shadows.ShadowApplication
import java.util.concurrent.CopyOnWriteArrayList

/** Where Bailey stands, as a test has it. */
internal class FakeFront(
    var onTop: Boolean = true,
    var focus: Boolean = true,
    var mayStart: Boolean = true,
) : Front {
    override fun isOnTop() = onTop

    override fun hasFocus() = focus

    override fun mayStartActivity() = mayStart
}

/** The plugin as Tauri runs it: loaded, with an activity, and called through its handle. */
internal class Bench(
    val front: FakeFront = FakeFront(),
    answering: Answering = Answering(),
    make: (AppCompatActivity) -> DevicePlugin = { DevicePlugin(it, answering, front) },
) {
    val activity: AppCompatActivity = Robolectric.buildActivity(AppCompatActivity::class.java).create().get()
    val app: Application = activity.application
    val shadow: ShadowApplication = shadowOf(app)
    private val handle: PluginHandle

    init {
        PluginManager.activity = null
        PluginManager.onCreate(activity)
        val plugin = make(activity)
        PluginManager.load(null, "device", plugin, "{}")
        handle = plugin.handle!!
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

    fun grant(vararg permissions: String) = shadow.grantPermissions(*permissions)

    /** What the next activity that was started was started with. */
    fun started() = shadow.nextStartedActivity
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
        val end = System.nanoTime() + 20_000_000_000
        while (answers.isEmpty()) {
            if (System.nanoTime() > end) fail("$command did not answer")
            shadowOf(Looper.getMainLooper()).idle()
            Thread.sleep(2)
        }
        assertEquals("one answer", 1, answers.size)
        return answers[0]
    }
}
