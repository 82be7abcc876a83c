// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.app.Notification
import android.app.NotificationChannel
import android.app.NotificationManager
import android.app.PendingIntent
import android.content.ComponentName
import android.content.Intent
import android.os.Parcelable
import android.provider.Settings
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class OpeningTest {
    private val bench = Bench()
    private val phone = Phone(bench.app)
    private val manager = bench.app.getSystemService(NotificationManager::class.java)
    private val notifications = shadowOf(manager)

    @Before
    fun apps() {
        bench.shadow.checkActivities(true)
        phone.install("org.example.chat", "Chat")
        phone.install("org.example.browser", "Browser")
        phone.takes("org.example.browser", Intent.ACTION_VIEW, listOf("http", "https"))
        phone.install("org.example.maps", "Maps")
        phone.takes("org.example.maps", Intent.ACTION_VIEW, listOf("geo"))
        phone.install("org.example.phone", "Phone")
        phone.takes("org.example.phone", Intent.ACTION_DIAL, listOf("tel"))
        phone.install("org.example.mail", "Mail")
        phone.takes("org.example.mail", Intent.ACTION_SENDTO, listOf("mailto"))
    }

    /** What is opened has the flag without which it may not be started from here. */
    private fun started(): Intent = bench.started().also { assertTrue(it.flags and Intent.FLAG_ACTIVITY_NEW_TASK != 0) }

    private fun direct(app: String?) = if (app == null) """{"byNotification":false}""" else """{"app":"$app","byNotification":false}"""

    @Test
    fun app() {
        assertEquals(direct("org.example.chat"), bench.call("openApp", """{"package":"org.example.chat"}""").toString())
        assertEquals(ComponentName("org.example.chat", "org.example.chat.Main"), started().component)
        assertEquals("not_found", bench.code("openApp", """{"package":"org.example.none"}"""))
        assertEquals("invalid", bench.code("openApp", """{"package":"chat"}"""))
        assertEquals("invalid", bench.code("openApp"))
    }

    @Test
    fun web() {
        assertEquals(direct("org.example.browser"), bench.call("openUri", """{"uri":"https://example.org/a"}""").toString())
        val intent = started()
        assertEquals(Intent.ACTION_VIEW, intent.action)
        assertEquals("https://example.org/a", intent.dataString)
        assertEquals(setOf(Intent.CATEGORY_BROWSABLE), intent.categories)
        assertEquals("org.example.browser", intent.`package`)
        assertEquals("invalid", bench.code("openUri", """{"uri":"geo:1,2"}"""))
        assertEquals("invalid", bench.code("openUri", """{"uri":"intent:#Intent;end"}"""))
        assertEquals("invalid", bench.code("openUri", """{"uri":null}"""))
        assertNull(bench.started())
    }

    @Test
    fun map() {
        assertEquals(direct("org.example.maps"), bench.call("openMap", """{"uri":"geo:48.1,11.5?q=48.1,11.5(A)"}""").toString())
        started().let { assertEquals("geo:48.1,11.5?q=48.1,11.5(A)" to null, it.dataString to it.`package`) }
        val named = """{"uri":"geo:48.1,11.5","package":"org.example.maps"}"""
        assertEquals(direct("org.example.maps"), bench.call("openMap", named).toString())
        assertEquals("org.example.maps", started().`package`)
        assertEquals("not_found", bench.code("openMap", """{"uri":"geo:48.1,11.5","package":"org.example.none"}"""))
        assertEquals("not_found", bench.code("openMap", """{"uri":"geo:48.1,11.5","package":"org.example.chat"}"""))
        assertEquals("not_found", bench.code("openMap", """{"uri":"baidumap://map/marker?location=1,2"}"""))
        assertEquals("invalid", bench.code("openMap", """{"uri":"http://example.org/"}"""))
    }

    @Test
    fun dial() {
        assertEquals(direct("org.example.phone"), bench.call("dial", """{"number":"+49 89 1234"}""").toString())
        started().let {
            assertEquals(Intent.ACTION_DIAL, it.action)
            assertEquals("+49 89 1234", it.data?.schemeSpecificPart)
        }
        assertEquals("refused", bench.code("dial", """{"number":"*#06#"}"""))
        assertEquals("invalid", bench.code("dial", """{"number":"Ada"}"""))
    }

    @Test
    fun share() {
        assertEquals("not_found", bench.code("shareText", """{"text":"Hello","title":""}"""))
        phone.takes("org.example.chat", Intent.ACTION_SEND, type = "text/plain")
        phone.takes(bench.app.packageName, Intent.ACTION_SEND, type = "text/plain")
        phone.install("com.android.intentresolver", "Android", system = true)
        phone.takes("com.android.intentresolver", Intent.ACTION_CHOOSER)
        assertEquals(direct(null), bench.call("shareText", """{"text":"Hello","title":"Hi"}""").toString())
        val chooser = started()
        assertEquals(Intent.ACTION_CHOOSER, chooser.action)
        // Whatever of Bailey's takes a text, the share target of the plugin lifecycle among it, is left out.
        val left = chooser.getParcelableArrayExtra(Intent.EXTRA_EXCLUDE_COMPONENTS, Parcelable::class.java)!!.map { it as ComponentName }
        assertTrue(ComponentName(bench.app.packageName, "${bench.app.packageName}.SEND") in left)
        assertEquals(setOf(bench.app.packageName), left.map { it.packageName }.toSet())
        val send = chooser.getParcelableExtra(Intent.EXTRA_INTENT, Intent::class.java)!!
        assertEquals(listOf(Intent.ACTION_SEND, "text/plain"), listOf(send.action, send.type))
        assertEquals("Hello", send.getStringExtra(Intent.EXTRA_TEXT))
        assertEquals("Hi", send.getStringExtra(Intent.EXTRA_SUBJECT))
        assertEquals("invalid", bench.code("shareText", """{"text":""}"""))
        assertEquals("too_large", bench.code("shareText", """{"text":"${"a".repeat(LONGEST_TEXT + 1)}"}"""))
    }

    @Test
    fun mail() {
        val args = """{"to":["ada@example.org"],"cc":["bob@example.org"],"subject":"Tuesday","body":"At\nten?"}"""
        assertEquals(direct("org.example.mail"), bench.call("composeMail", args).toString())
        val draft = started()
        assertEquals(listOf(Intent.ACTION_SENDTO, "mailto:"), listOf(draft.action, draft.dataString))
        assertArrayEquals(arrayOf("ada@example.org"), draft.getStringArrayExtra(Intent.EXTRA_EMAIL))
        assertArrayEquals(arrayOf("bob@example.org"), draft.getStringArrayExtra(Intent.EXTRA_CC))
        assertEquals("Tuesday", draft.getStringExtra(Intent.EXTRA_SUBJECT))
        assertEquals("At\nten?", draft.getStringExtra(Intent.EXTRA_TEXT))
        bench.call("composeMail", """{"to":[],"subject":"","body":""}""")
        assertArrayEquals(arrayOf<String>(), started().getStringArrayExtra(Intent.EXTRA_EMAIL))
        for (bad in listOf(
            """{"subject":"","body":""}""",
            """{"to":["ada"],"subject":"","body":""}""",
            """{"to":[null],"subject":"","body":""}""",
            """{"to":"ada@example.org","subject":"","body":""}""",
            """{"to":[],"cc":["a@b,c@d"],"subject":"","body":""}""",
            """{"to":[],"subject":"a\nBcc: b@c","body":""}""",
            """{"to":[],"subject":""}""",
        )) {
            assertEquals(bad, "invalid", bench.code("composeMail", bad))
        }
        val many = List(51) { "\"a@b\"" }.joinToString(",")
        assertEquals("too_large", bench.code("composeMail", """{"to":[$many],"subject":"","body":""}"""))
    }

    @Test
    fun settings() {
        bench.shadow.checkActivities(false)
        val pages =
            mapOf(
                "main" to Settings.ACTION_SETTINGS,
                "wifi" to Settings.ACTION_WIFI_SETTINGS,
                "bluetooth" to Settings.ACTION_BLUETOOTH_SETTINGS,
                "mobile" to Settings.ACTION_NETWORK_OPERATOR_SETTINGS,
                "display" to Settings.ACTION_DISPLAY_SETTINGS,
                "sound" to Settings.ACTION_SOUND_SETTINGS,
                "storage" to Settings.ACTION_INTERNAL_STORAGE_SETTINGS,
                "battery" to Intent.ACTION_POWER_USAGE_SUMMARY,
                "location" to Settings.ACTION_LOCATION_SOURCE_SETTINGS,
                "date_time" to Settings.ACTION_DATE_SETTINGS,
                "language" to Settings.ACTION_LOCALE_SETTINGS,
                "accessibility" to Settings.ACTION_ACCESSIBILITY_SETTINGS,
                "notification_access" to Settings.ACTION_NOTIFICATION_LISTENER_SETTINGS,
                "usage_access" to Settings.ACTION_USAGE_ACCESS_SETTINGS,
                "write_settings" to Settings.ACTION_MANAGE_WRITE_SETTINGS,
                "developer" to Settings.ACTION_APPLICATION_DEVELOPMENT_SETTINGS,
            )
        for ((screen, action) in pages) {
            assertEquals(direct(null), bench.call("openSettings", """{"screen":"$screen"}""").toString())
            assertEquals(screen, action, started().action)
        }
        bench.call("openSettings", """{"screen":"app","package":"org.example.chat"}""")
        started().let {
            assertEquals(Settings.ACTION_APPLICATION_DETAILS_SETTINGS to "package:org.example.chat", it.action to it.dataString)
        }
        bench.call("openSettings", """{"screen":"app_notifications","package":"org.example.chat"}""")
        started().let {
            assertEquals(Settings.ACTION_APP_NOTIFICATION_SETTINGS, it.action)
            assertEquals("org.example.chat", it.getStringExtra(Settings.EXTRA_APP_PACKAGE))
        }
        assertEquals("invalid", bench.code("openSettings", """{"screen":"app"}"""))
        assertEquals("invalid", bench.code("openSettings", """{"screen":"app_notifications","package":"../x"}"""))
        assertEquals("not_found", bench.code("openSettings", """{"screen":"app","package":"org.example.none"}"""))
        assertEquals("invalid", bench.code("openSettings", """{"screen":"root"}"""))
        assertEquals("invalid", bench.code("openSettings"))
    }

    @Test
    fun aPageThatTheMakerLeftOutHasAnother() {
        assertEquals("not_found", bench.code("openSettings", """{"screen":"wifi"}"""))
        phone.install("com.android.settings", "Settings", system = true)
        phone.takes("com.android.settings", Settings.ACTION_SETTINGS)
        assertEquals(direct("com.android.settings"), bench.call("openSettings", """{"screen":"wifi"}""").toString())
        assertEquals(Settings.ACTION_SETTINGS, started().action)
    }

    @Test
    fun fromTheBackgroundANotificationIsPosted() {
        bench.front.mayStart = false
        val reply = bench.call("openUri", """{"uri":"https://example.org/secret?token=1"}""")
        assertEquals("""{"app":"org.example.browser","byNotification":true}""", reply.toString())
        assertNull(bench.started())
        val shown = notifications.getNotification(Opener.TAG, Errand.WEB.ordinal)
        assertEquals("Open a web page", shown.extras.getString(Notification.EXTRA_TITLE))
        assertEquals("example.org", shown.extras.getString(Notification.EXTRA_TEXT))
        assertEquals(Notification.VISIBILITY_PRIVATE, shown.visibility)
        assertEquals("Tap to go on in another app", shown.publicVersion.extras.getString(Notification.EXTRA_TITLE))
        assertNull(shown.publicVersion.extras.getString(Notification.EXTRA_TEXT))
        assertTrue(shown.flags and Notification.FLAG_AUTO_CANCEL != 0)
        val tap = shadowOf(shown.contentIntent)
        assertTrue(tap.isActivity && tap.flags and PendingIntent.FLAG_IMMUTABLE != 0)
        assertEquals("https://example.org/secret?token=1", tap.savedIntent.dataString)
        // The next of its kind takes its place.
        bench.call("openUri", """{"uri":"https://example.com/"}""")
        bench.call("openApp", """{"package":"org.example.chat"}""")
        assertEquals(2, notifications.size())
        val next = notifications.getNotification(Opener.TAG, Errand.WEB.ordinal)
        assertEquals("https://example.com/", shadowOf(next.contentIntent).savedIntent.dataString)
        // Drafts differ only in what is in them.
        for (subject in listOf("one", "two")) bench.call("composeMail", """{"to":["ada@example.org"],"subject":"$subject","body":""}""")
        val mail = notifications.getNotification(Opener.TAG, Errand.MAIL.ordinal)
        assertEquals("two", shadowOf(mail.contentIntent).savedIntent.getStringExtra(Intent.EXTRA_SUBJECT))
        assertEquals("ada@example.org", mail.extras.getString(Notification.EXTRA_TEXT))
        val app = notifications.getNotification(Opener.TAG, Errand.APP.ordinal)
        assertEquals("Chat", app.extras.getString(Notification.EXTRA_TEXT))
        assertEquals(NotificationManager.IMPORTANCE_HIGH, manager.getNotificationChannel(Opener.CHANNEL).importance)
    }

    @Test
    @Config(qualifiers = "zh")
    fun theNotificationSpeaksChinese() {
        bench.front.mayStart = false
        bench.call("openUri", """{"uri":"https://example.org/"}""")
        val shown = notifications.getNotification(Opener.TAG, Errand.WEB.ordinal)
        assertEquals("打开网页", shown.extras.getString(Notification.EXTRA_TITLE))
    }

    @Test
    fun fromTheBackgroundOnlyWhatSomebodyTakes() {
        bench.front.mayStart = false
        assertEquals("not_found", bench.code("openMap", """{"uri":"baidumap://map/marker?location=1,2"}"""))
        assertEquals(0, notifications.size())
    }

    @Test
    fun withoutNotificationsNothingCanBeOpenedFromTheBackground() {
        bench.front.mayStart = false
        notifications.setNotificationsEnabled(false)
        assertEquals("not_granted" to "notifications", bench.fault("openApp", """{"package":"org.example.chat"}"""))
        notifications.setNotificationsEnabled(true)
        manager.createNotificationChannel(NotificationChannel(Opener.CHANNEL, "x", NotificationManager.IMPORTANCE_NONE))
        assertEquals("not_granted" to "notifications", bench.fault("openApp", """{"package":"org.example.chat"}"""))
        assertEquals(0, notifications.size())
    }
}
