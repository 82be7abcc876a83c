// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.KeyguardManager
import android.app.Notification
import android.app.NotificationManager
import android.content.Intent
import android.os.Looper
import app.tauri.plugin.PluginManager
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import java.time.Duration

/** Questions and notices as notifications. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class AskTest {
    private val bench = Bench()

    private fun ask(
        id: String = "r1-q1",
        left: Long = 300_000,
        buttons: String = ""","allow":"Allow once","deny":"Deny"""",
    ) = """{"ask":"$id","title":"Send a mail?","text":"To ada@example.org","publicTitle":"Bailey has a question"$buttons,"leftMs":$left}"""

    private fun lock(locked: Boolean) {
        val guard = shadowOf(bench.app.getSystemService(KeyguardManager::class.java))
        guard.setIsDeviceLocked(locked)
    }

    @Test
    fun showsTheQuestionAndNothingPrivateOnTheLockScreen() {
        assertEquals(0, bench.call("postAsk", ask()).length())
        val shown = bench.only()
        assertEquals("Send a mail?", shown.title)
        assertEquals("To ada@example.org", shown.text)
        assertEquals("To ada@example.org", shown.extras.getCharSequence(Notification.EXTRA_BIG_TEXT).toString())
        assertEquals(Notification.VISIBILITY_PRIVATE, shown.visibility)
        assertEquals("Bailey has a question", shown.publicVersion.title)
        assertNull(shown.publicVersion.text)
        assertNull(shown.publicVersion.actions)
        assertEquals(300_000L, shown.timeoutAfter)
        assertEquals(NotificationManager.IMPORTANCE_HIGH, bench.channel(Kind.ASK).importance)
        assertEquals(listOf("Allow once", "Deny"), shown.actions.map { it.title.toString() })
        assertTrue(shown.actions.all { it.isAuthenticationRequired })
        assertTrue(shown.actions.all { it.actionIntent.isImmutable && it.actionIntent.isBroadcast })
    }

    @Test
    fun aTapOpensTheQuestionInTheApp() {
        bench.call("postAsk", ask("r1/q 1"))
        val tap = bench.only().contentIntent
        assertTrue(tap.isActivity && tap.isImmutable)
        assertEquals("bailey://ask/r1%2Fq%201", shadowOf(tap).savedIntent.dataString)
        assertEquals(Intent.ACTION_VIEW, shadowOf(tap).savedIntent.action)
        assertEquals(Bench.MAIN, shadowOf(tap).savedIntent.component?.className)
    }

    @Test
    fun answersAreTold() {
        bench.call("postAsk", ask("a"))
        bench.call("postAsk", ask("b/c"))
        val all = bench.shown().associate { it.tag to it.notification }
        assertEquals(setOf("a", "b/c"), all.keys)
        bench.press(AskReceiver(), all.getValue("b/c").pressed(0))
        assertEquals("""{"type":"ask_answered","ask":"b\/c","allow":true}""", bench.events.single())
        assertEquals("an answered one goes away", "a", bench.shown().single().tag)
        bench.press(AskReceiver(), all.getValue("a").pressed(1))
        assertEquals("""{"type":"ask_answered","ask":"a","allow":false}""", bench.events.last())
        assertEquals(0, bench.shown().size)
    }

    @Test
    fun anAnsweredOneStaysAway() {
        bench.call("postAsk", ask())
        bench.press(AskReceiver(), bench.only().pressed(0))
        PluginManager.onResume(bench.activity)
        PluginManager.onPause(bench.activity)
        assertEquals(0, bench.shown().size)
    }

    @Test
    fun aLockedDeviceAnswersNothing() {
        bench.call("postAsk", ask())
        lock(true)
        val pressed = bench.only().let { shown -> List(2) { shown.pressed(it) } }
        for (press in pressed) bench.press(AskReceiver(), press)
        assertEquals(emptyList<String>(), bench.events)
        val left = bench.only()
        assertEquals("Send a mail?", left.title)
        assertEquals("Bailey has a question", left.publicVersion.title)
        assertEquals(0, left.actions.orEmpty().size)
        assertEquals("Open Bailey to answer", left.extras.getCharSequence(Notification.EXTRA_SUB_TEXT).toString())
        assertNull("Android 12 and later would not let it", bench.shadow.nextStartedActivity)
    }

    @Test
    fun anAnswerWithNobodyThereCountsNotAtAll() {
        val bench = Bench(listens = false)
        bench.call("postAsk", ask())
        bench.press(AskReceiver(), bench.only().pressed(0))
        assertEquals(
            0,
            bench
                .only()
                .actions
                .orEmpty()
                .size,
        )
    }

    @Test
    fun whatIsNoAnswerIsNotHeard() {
        val receiver = AskReceiver()
        receiver.onReceive(bench.app, Intent("x", Door.link("ask", "a")))
        receiver.onReceive(bench.app, Intent(AskReceiver.ALLOW))
        assertEquals(emptyList<String>(), bench.events)
    }

    @Test
    fun withoutButtons() {
        bench.call("postAsk", ask(buttons = ""))
        assertNull(bench.only().actions)
    }

    @Test
    fun withdraws() {
        bench.call("postAsk", ask("a"))
        bench.call("postAsk", ask("b"))
        bench.call("withdrawAsk", """{"ask":"a"}""")
        assertEquals("b", bench.shown().single().tag)
        bench.call("withdrawAsk", """{"ask":"never"}""")
        assertEquals(1, bench.shown().size)
    }

    @Test
    fun isNotShownWhileTheWindowIsInFront() {
        val bench = Bench(inFront = true)
        bench.call("postAsk", ask("a"))
        bench.call("postAsk", ask("late", left = 1_000))
        bench.call("postAsk", ask("gone"))
        bench.call("withdrawAsk", """{"ask":"gone"}""")
        assertEquals(0, bench.shown().size)
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(2))
        PluginManager.onPause(bench.activity)
        assertEquals("a", bench.shown().single().tag)
        assertTrue(bench.only().timeoutAfter in 290_000..298_000)
        PluginManager.onResume(bench.activity)
        assertEquals(0, bench.shown().size)
    }

    @Test
    fun wantsNotificationsUnlessInFront() {
        bench.allowNotifications(false)
        assertEquals("not_granted", bench.code("postAsk", ask()))
        PluginManager.onResume(bench.activity)
        bench.call("postAsk", ask())
        PluginManager.onPause(bench.activity)
        bench.allowNotifications(true)
        bench.call("postAsk", ask())
        bench.turnOff(Kind.ASK)
        assertEquals("not_granted", bench.code("postAsk", ask()))
    }

    @Test
    fun wantsItsArguments() {
        for (args in listOf("{}", ask(" "), ask("x".repeat(201)), ask(left = -1), ask(left = 4_294_967_296), """{"ask":{}}""")) {
            assertEquals(args, "invalid", bench.code("postAsk", args))
        }
        assertEquals("invalid", bench.code("withdrawAsk"))
    }

    @Test
    @Config(sdk = [26, 30])
    fun lockedOnOlderAndroidTheAppOpensInstead() {
        bench.call("postAsk", ask())
        val allow = bench.only().pressed(0)
        lock(true)
        bench.press(AskReceiver(), allow)
        assertEquals(emptyList<String>(), bench.events)
        val opened = bench.shadow.nextStartedActivity
        assertEquals("bailey://ask/r1-q1", opened.dataString)
        assertEquals(Bench.MAIN, opened.component?.className)
        lock(false)
        bench.press(AskReceiver(), allow)
        assertEquals(1, bench.events.size)
        assertEquals(0, bench.shown().size)
        assertTrue(RuntimeEnvironment.getApiLevel() < 31)
    }

    @Test
    fun notices() {
        val notice = """{"tag":"reminder-1","title":"Dentist","text":"In 30 minutes","publicTitle":"A reminder"}"""
        assertEquals(0, bench.call("postNotice", notice).length())
        val shown = bench.only()
        assertEquals("Dentist", shown.title)
        assertEquals("In 30 minutes", shown.text)
        assertEquals(Notification.VISIBILITY_PRIVATE, shown.visibility)
        assertEquals("A reminder", shown.publicVersion.title)
        assertNull(shown.publicVersion.text)
        assertTrue(shown.flags and Notification.FLAG_AUTO_CANCEL != 0)
        assertEquals(Bench.MAIN, shadowOf(shown.contentIntent).savedIntent.component?.className)
        assertNull(shadowOf(shown.contentIntent).savedIntent.data)
        bench.call("postNotice", notice.replace("Dentist", "Doctor"))
        assertEquals("in place of the one of the same tag", "Doctor", bench.only().title)
        bench.call("postNotice", notice.replace("reminder-1", "reminder-2"))
        assertEquals(2, bench.shown().size)
        assertEquals("invalid", bench.code("postNotice", """{"tag":"a"}"""))
        bench.allowNotifications(false)
        assertEquals("not_granted", bench.code("postNotice", notice))
        assertFalse(bench.events.isNotEmpty())
    }
}
