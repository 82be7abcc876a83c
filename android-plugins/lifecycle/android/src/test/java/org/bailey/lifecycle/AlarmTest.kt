// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.AlarmManager
import android.app.PendingIntent
import android.content.ComponentName
import android.content.Intent
import org.json.JSONObject
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowAlarmManager

/** Alarms, and what is done when the device was started. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class AlarmTest {
    private val bench = Bench()
    private val system = shadowOf(bench.app.getSystemService(AlarmManager::class.java))

    @After
    fun reset() = ShadowAlarmManager.setCanScheduleExactAlarms(true)

    private fun set(
        id: String = "a1",
        at: Long = SOON,
        exact: Boolean = true,
    ) = bench.call("setAlarm", """{"id":"$id","at":$at,"exact":$exact}""").getBoolean("exact")

    private fun taken(): List<JSONObject> {
        val list = bench.call("takeArrivals").getJSONArray("arrivals")
        return List(list.length()) { list.getJSONObject(it) }
    }

    @Suppress("DEPRECATION")
    private val ShadowAlarmManager.ScheduledAlarm.ringing: PendingIntent get() = operation!!

    private fun forget(alarm: PendingIntent) = bench.app.getSystemService(AlarmManager::class.java).cancel(alarm)

    private fun intent(index: Int = 0): Intent = shadowOf(system.scheduledAlarms[index].ringing).savedIntent

    @Test
    fun rings() {
        ShadowAlarmManager.setCanScheduleExactAlarms(true)
        assertEquals(true, set())
        val alarm = system.scheduledAlarms.single()
        assertEquals(SOON, alarm.triggerAtMs)
        assertEquals(AlarmManager.RTC_WAKEUP, alarm.getType())
        assertEquals(0L, alarm.windowLengthMs)
        assertTrue(alarm.isAllowWhileIdle)
        assertTrue(alarm.ringing.isImmutable)
        bench.press(AlarmReceiver(), intent())
        assertEquals("""{"type":"arrived"}""", bench.events.single())
        val arrival = taken().single()
        assertEquals("alarm", arrival.getString("type"))
        assertEquals("a1", arrival.getString("id"))
        assertEquals("the app runs, so nobody has to be asked", 0, bench.shown().size)
    }

    @Test
    fun ringsOnce() {
        set()
        val intent = intent()
        bench.press(AlarmReceiver(), intent)
        bench.press(AlarmReceiver(), intent)
        assertEquals(1, taken().size)
        assertEquals(1, bench.events.size)
    }

    @Test
    fun asksForTheAppWhereItDoesNotRun() {
        set()
        Events.listener = null
        bench.press(AlarmReceiver(), intent())
        val shown = bench.only()
        assertEquals("Something is due", shown.title)
        assertEquals("Something is due", shown.publicVersion.title)
        assertEquals(Bench.MAIN, shadowOf(shown.contentIntent).savedIntent.component?.className)
        assertEquals("a1", taken().single().getString("id"))
    }

    @Test
    fun isInexactWhereThePersonDoesNotLetIt() {
        ShadowAlarmManager.setCanScheduleExactAlarms(false)
        assertEquals(false, set())
        assertEquals(SOON, system.scheduledAlarms.single().triggerAtMs)
        ShadowAlarmManager.setCanScheduleExactAlarms(true)
        assertEquals("nor where it was not asked", false, set("a2", exact = false))
        assertEquals(false, bench.call("setAlarm", """{"id":"a3","at":$SOON}""").getBoolean("exact"))
        assertEquals(3, system.scheduledAlarms.size)
    }

    @Test
    @Config(sdk = [26, 30])
    fun isExactOnOlderAndroid() {
        assertEquals(true, set())
        assertEquals(SOON, system.scheduledAlarms.single().triggerAtMs)
    }

    @Test
    fun ofTheSameNameIsMoved() {
        set()
        set(at = SOON + 1_000)
        assertEquals(SOON + 1_000, system.scheduledAlarms.single().triggerAtMs)
        set("a 2/x")
        assertEquals(2, system.scheduledAlarms.size)
        bench.press(AlarmReceiver(), intent(1).takeIf { it.dataString == "bailey://alarm/a%202%2Fx" } ?: intent(0))
        assertEquals("a 2/x", taken().single().getString("id"))
    }

    @Test
    fun isCancelled() {
        set()
        val intent = intent()
        assertEquals(0, bench.call("cancelAlarm", """{"id":"a1"}""").length())
        assertEquals(0, system.scheduledAlarms.size)
        bench.press(AlarmReceiver(), intent)
        assertEquals(0, taken().size)
        bench.call("cancelAlarm", """{"id":"never"}""")
    }

    @Test
    fun areSetAgainWhenTheDeviceWasStarted() {
        set("a1")
        set("a2", SOON + 5_000, exact = false)
        for (alarm in system.scheduledAlarms.toList()) forget(alarm.ringing)
        assertEquals(0, system.scheduledAlarms.size)
        for (action in listOf(Intent.ACTION_BOOT_COMPLETED, Intent.ACTION_MY_PACKAGE_REPLACED)) {
            BootReceiver().onReceive(bench.app, Intent(action))
        }
        assertEquals(setOf(SOON, SOON + 5_000), system.scheduledAlarms.map { it.triggerAtMs }.toSet())
        assertEquals(listOf("booted"), taken().map { it.getString("type") })
        assertEquals("""{"type":"arrived"}""", bench.events.last())
    }

    @Test
    fun becomeExactWhenThePersonLetsThem() {
        ShadowAlarmManager.setCanScheduleExactAlarms(false)
        set()
        ShadowAlarmManager.setCanScheduleExactAlarms(true)
        BootReceiver().onReceive(bench.app, Intent(AlarmManager.ACTION_SCHEDULE_EXACT_ALARM_PERMISSION_STATE_CHANGED))
        assertEquals(0L, system.scheduledAlarms.single().windowLengthMs)
        assertEquals(0, taken().size)
        BootReceiver().onReceive(bench.app, Intent("org.other"))
        assertEquals(0, taken().size)
        assertEquals(emptyList<String>(), bench.events)
    }

    @Test
    fun areSetAgainWhenTheAppStarts() {
        set()
        forget(system.scheduledAlarms.single().ringing)
        Bench()
        assertEquals(SOON, system.scheduledAlarms.single().triggerAtMs)
    }

    @Test
    fun wantTheirArguments() {
        for (args in listOf("{}", """{"id":"","at":1}""", """{"id":"a"}""", """{"id":"a","at":-1}""", """{"id":"a","at":"x"}""")) {
            assertEquals(args, "invalid", bench.code("setAlarm", args))
        }
        assertEquals("invalid", bench.code("cancelAlarm"))
        assertNull(system.peekNextScheduledAlarm())
    }

    @Test
    fun areNotWithoutNumber() {
        repeat(400) { set("n$it") }
        assertEquals("too_large", bench.code("setAlarm", """{"id":"more","at":$SOON}"""))
        set("n1", SOON + 1)
    }

    @Test
    fun nobodyElseRings() {
        bench.app.sendBroadcast(Intent(AlarmReceiver.RING, Door.link("alarm", "a1")))
        AlarmReceiver().onReceive(bench.app, Intent("x", Door.link("alarm", "a1")))
        AlarmReceiver().onReceive(bench.app, Intent(AlarmReceiver.RING))
        assertEquals(0, taken().size)
        assertEquals(ComponentName(bench.app, AlarmReceiver::class.java), set().let { intent().component })
    }

    private companion object {
        const val SOON = 4_000_000_000_000L
    }
}
