// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.Application
import android.app.Notification
import android.app.NotificationManager
import android.content.BroadcastReceiver
import android.content.ComponentName
import android.content.Intent
import android.content.IntentFilter
import android.content.pm.ActivityInfo
import android.os.Looper
import android.service.notification.StatusBarNotification
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
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ServiceController
import org.robolectric.shadows.ShadowApplication
import java.util.concurrent.CopyOnWriteArrayList

/** The plugin as Tauri runs it: loaded, with an activity, called through its handle, and with a listener for its events. */
internal class Bench(
    inFront: Boolean = false,
    opened: Intent? = null,
    listens: Boolean = true,
    start: (Intent) -> Unit = { RuntimeEnvironment.getApplication().startForegroundService(it) },
) {
    val activity: AppCompatActivity = Robolectric.buildActivity(AppCompatActivity::class.java, opened).setup().get()
    val app: Application = activity.application
    val shadow: ShadowApplication = shadowOf(app)
    val events = CopyOnWriteArrayList<String>()
    private val notifications = app.getSystemService(NotificationManager::class.java)
    private val handle: PluginHandle

    init {
        RunService.running = null
        RunService.order = null
        Events.listener = null
        window()
        PluginManager.activity = null
        PluginManager.onCreate(activity)
        val plugin = LifecyclePlugin(activity, inFront, start)
        PluginManager.load(null, "lifecycle", plugin, "{}")
        handle = plugin.handle!!
        if (listens) listen()
    }

    /** Bailey's window, which the app's own manifest has. */
    private fun window() {
        val packages = shadowOf(app.packageManager)
        val main = ComponentName(app.packageName, MAIN)
        packages.addOrUpdateActivity(
            ActivityInfo().apply {
                packageName = app.packageName
                name = MAIN
                exported = true
            },
        )
        packages.addIntentFilterForActivity(main, IntentFilter(Intent.ACTION_MAIN).apply { addCategory(Intent.CATEGORY_LAUNCHER) })
    }

    private fun listen() {
        val mapper = ObjectMapper()
        val channels =
            object : JsonDeserializer<Channel>() {
                override fun deserialize(
                    parser: JsonParser,
                    context: DeserializationContext,
                ) = Channel(parser.valueAsString.length.toLong(), { events += it }, mapper)
            }
        mapper.registerModule(SimpleModule().addDeserializer(Channel::class.java, channels))
        val args = """{"event":"device","handler":"__CHANNEL__:1"}"""
        handle.invoke(Invoke(1, "registerListener", 10, 11, { _, _ -> }, args, mapper))
    }

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

    /** The name of the fault a command fails with. */
    fun code(
        command: String,
        args: String = "{}",
    ): String = begin(command, args).fault().first

    /** Starts the service as the system does, when it was asked to. */
    fun serve(): ServiceController<RunService> {
        val intent = shadow.nextStartedService ?: error("no service was started")
        assertEquals(RunService::class.java.name, intent.component?.className)
        return Robolectric.buildService(RunService::class.java, intent).create().startCommand(0, 1)
    }

    /** What [receiver] does with what the system sends it for [pending]. */
    fun press(
        receiver: BroadcastReceiver,
        pending: Intent,
    ) {
        assertEquals(ComponentName(app, receiver.javaClass), pending.component)
        receiver.onReceive(app, pending)
        shadowOf(Looper.getMainLooper()).idle()
    }

    fun shown(): List<StatusBarNotification> = notifications.activeNotifications.toList()

    fun only(): Notification = shown().single().notification

    fun allowNotifications(allowed: Boolean) = shadowOf(notifications).setNotificationsEnabled(allowed)

    fun turnOff(kind: Kind) {
        val channel = notifications.getNotificationChannel(kind.channel)
        channel.importance = NotificationManager.IMPORTANCE_NONE
    }

    fun channel(kind: Kind) = notifications.getNotificationChannel(kind.channel)

    companion object {
        const val MAIN = "org.bailey.app.MainActivity"
    }
}

internal val Notification.title get() = extras.getCharSequence(Notification.EXTRA_TITLE)?.toString()
internal val Notification.text get() = extras.getCharSequence(Notification.EXTRA_TEXT)?.toString()

/** What the button [index] sends. */
internal fun Notification.pressed(index: Int): Intent = shadowOf(actions[index].actionIntent).savedIntent

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
