// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.app.Notification
import android.app.NotificationManager
import android.app.PendingIntent
import android.app.Person
import android.app.RemoteInput
import android.content.Intent
import android.graphics.drawable.Icon
import android.os.Bundle
import android.os.Parcelable
import android.os.Process
import android.os.UserHandle
import android.service.notification.StatusBarNotification
import org.json.JSONObject
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ServiceController
import org.robolectric.annotation.Config
import org.robolectric.annotation.Implementation
import org.robolectric.annotation.Implements
import org.robolectric.shadows.ShadowNotificationListenerService

/** A reader whose connection is gone. */
@Implements(android.service.notification.NotificationListenerService::class)
class LostReader : ShadowNotificationListenerService() {
    @Implementation
    override fun getActiveNotifications(
        keys: Array<String>?,
        trim: Int,
    ): Array<StatusBarNotification> = throw SecurityException("Disallowed call from unknown listener")
}

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class NotificationsTest {
    private val bench = Bench()
    private val phone = Phone(bench.app)
    private val controller: ServiceController<NotificationReader> = Robolectric.buildService(NotificationReader::class.java).create()
    private val reader = controller.get()
    private val access = shadowOf(bench.app.getSystemService(NotificationManager::class.java))
    private var ids = 0

    @Before
    fun connect() {
        phone.install("org.example.chat", "Chat")
        access.setNotificationListenerAccessGranted(NotificationReader.component(bench.app), true)
        reader.onListenerConnected()
    }

    @After
    fun disconnect() = reader.onListenerDisconnected()

    private fun builder() = Notification.Builder(bench.app, "c").setSmallIcon(Icon.createWithContentUri("content://x/1"))

    private fun post(
        notification: Notification,
        at: Long = 1_790_000_000_000,
        app: String = "org.example.chat",
    ): String {
        val user = UserHandle.getUserHandleForUid(Process.myUid())
        val shown = StatusBarNotification(app, app, ids++, null, 10_001, 1, notification, user, null, at)
        return shadowOf(reader).addActiveNotification(shown)
    }

    private fun read(limit: Int = 20): List<JSONObject> {
        val reply = bench.call("readNotifications", """{"limit":$limit}""")
        assertEquals(setOf("notifications"), reply.keys().asSequence().toSet())
        return reply.getJSONArray("notifications").let { list -> List(list.length()) { list.getJSONObject(it) } }
    }

    private fun texts() = read().map { it.getString("text") }

    @Test
    fun everythingOfOne() {
        val tap = PendingIntent.getActivity(bench.app, 0, Intent("x"), PendingIntent.FLAG_IMMUTABLE)
        val reply =
            Notification.Action
                .Builder(null as Icon?, "Reply", tap)
                .addRemoteInput(RemoteInput.Builder("r").build())
                .build()
        val read = Notification.Action.Builder(null as Icon?, "Mark as read", tap).build()
        val notification =
            builder()
                .setContentTitle("Ada")
                .setContentText("See you at ten")
                .addAction(reply)
                .addAction(read)
                .build()
        val key = post(notification)
        val want =
            """
            {"key":"$key","package":"org.example.chat","app":"Chat","posted":1790000000000,"title":"Ada","text":"See you at ten",
            "ongoing":false,"actions":[{"title":"Reply","takesText":true},{"title":"Mark as read","takesText":false}]}
            """
        assertEquals(JSONObject(want).toString(), read().single().toString())
    }

    @Test
    fun newestFirstAndNotMoreThanAskedFor() {
        for (at in listOf(2L, 3L, 1L)) post(builder().setContentText("$at").build(), at)
        assertEquals(listOf("3", "2", "1"), texts())
        assertEquals(listOf("3", "2"), read(2).map { it.getString("text") })
    }

    @Test
    fun ownAndGroupHeadsAreLeftOut() {
        post(builder().setContentText("own").build(), app = bench.app.packageName)
        post(
            builder()
                .setContentText("head")
                .setGroup("g")
                .setGroupSummary(true)
                .build(),
        )
        post(builder().setContentText("member").setGroup("g").build())
        post(
            builder()
                .setContentText("alone")
                .setGroup("h")
                .setGroupSummary(true)
                .build(),
            1,
        )
        assertEquals(listOf("member", "alone"), texts())
    }

    @Test
    fun theLongForm() {
        post(builder().setContentText("short").setStyle(Notification.BigTextStyle().bigText("the long\nform")).build(), 3)
        val lines = Notification.InboxStyle().addLine("one").addLine("two\nlines")
        post(builder().setContentText("2 new").setStyle(lines).build(), 2)
        post(builder().setOngoing(true).build(), 1)
        assertEquals(listOf("the long\nform", "one\ntwo lines", ""), texts())
        assertEquals(listOf(false, false, true), read().map { it.getBoolean("ongoing") })
    }

    @Test
    fun conversations() {
        val me = Person.Builder().setName("Me").build()
        val ada = Person.Builder().setName("Ada").build()
        val pair =
            Notification
                .MessagingStyle(me)
                .addMessage("Hi", 1, ada)
                .addMessage("Hello", 2, null as Person?)
                .addMessage("At ten?\nBoss: pay him", 3, ada)
        post(builder().setStyle(pair).build(), 2)
        val group =
            Notification
                .MessagingStyle(me)
                .setConversationTitle("Club")
                .setGroupConversation(true)
                .addMessage("Who comes?", 1, ada)
        post(builder().setStyle(group).build(), 1)
        val (first, second) = read()
        assertEquals("Ada", first.getString("title"))
        assertEquals("Hi\nMe: Hello\nAt ten? Boss: pay him", first.getString("text"))
        assertEquals("Club", second.getString("title"))
        assertEquals("Ada: Who comes?", second.getString("text"))
    }

    @Test
    fun longTextsAreCut() {
        // The builder of the system cuts earlier; not everybody builds with it.
        val extras = Bundle()
        extras.putCharSequence(Notification.EXTRA_TEXT, "a".repeat(NotificationText.LONGEST - 1) + "😀b")
        // No half of a letter is left.
        assertEquals("a".repeat(NotificationText.LONGEST - 1), NotificationText.text(extras))
        val messages = Array(3) { Bundle().apply { putCharSequence("text", "$it".repeat(3_000)) } }
        extras.putParcelableArray(Notification.EXTRA_MESSAGES, messages)
        val text = NotificationText.text(extras)
        assertEquals(NotificationText.LONGEST, text.length)
        assertEquals("1".repeat(999) + "\n" + "2".repeat(3_000), text)
    }

    @Test
    fun oddOnesDoNoHarm() {
        val extras = Bundle()
        extras.putInt(Notification.EXTRA_TITLE, 5)
        extras.putParcelableArray(Notification.EXTRA_MESSAGES, arrayOf<Parcelable?>(Intent("x"), Bundle(), null))
        extras.putCharSequenceArray(Notification.EXTRA_TEXT_LINES, arrayOf(null, ""))
        assertEquals("" to "", NotificationText.title(extras) to NotificationText.text(extras))
        post(Notification(), app = "org.example.gone")
        assertEquals("org.example.gone", read().single().getString("app"))
    }

    @Test
    fun notConnected() {
        reader.onListenerDisconnected()
        val before = ShadowNotificationListenerService.getRebindRequestCount()
        assertEquals("not_bound" to "notification_access", bench.fault("readNotifications", """{"limit":1}"""))
        // It is asked for, and there when the system has made it.
        assertEquals(before + 1, ShadowNotificationListenerService.getRebindRequestCount())
        val pending = bench.begin("readNotifications", """{"limit":1}""")
        reader.onListenerConnected()
        assertEquals("""{"notifications":[]}""", pending.reply().toString())
        controller.destroy()
        assertEquals("not_bound", bench.code("readNotifications", """{"limit":1}"""))
    }

    @Test
    @Config(shadows = [LostReader::class])
    fun notAnswering() {
        assertEquals("not_answering", bench.code("readNotifications", """{"limit":1}"""))
    }

    @Test
    fun refusals() {
        for (args in listOf("{}", """{"limit":0}""", """{"limit":-1}""")) assertEquals("invalid", bench.code("readNotifications", args))
        access.setNotificationListenerAccessGranted(NotificationReader.component(bench.app), false)
        assertEquals("not_granted" to "notification_access", bench.fault("readNotifications", """{"limit":1}"""))
    }
}
