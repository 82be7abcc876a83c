// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.Manifest
import android.provider.CalendarContract.Calendars
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import java.util.TimeZone

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class CalendarTest {
    private val bench = Bench()
    private val almanac = Almanac.open()

    @Before
    fun calendars() {
        bench.grant(Manifest.permission.READ_CALENDAR, Manifest.permission.WRITE_CALENDAR)
        almanac.add(1, "Holidays", primary = true, level = Calendars.CAL_ACCESS_READ)
        almanac.add(2, "Hidden", primary = true, visible = false)
        almanac.add(3, "On this phone", local = true)
        almanac.add(4, "Club", owned = false)
    }

    private fun args(vararg change: Pair<String, Any?>): String {
        val args = JSONObject("""{"title":"Dentist","begin":1790000000000,"end":1790003600000,"place":"Main Street 1","notes":"n"}""")
        for ((name, value) in change) args.put(name, value ?: JSONObject.NULL)
        return args.toString()
    }

    @Test
    fun theMainCalendarOfThoseThatCanBeWritten() {
        almanac.add(7, "Personal", primary = true)
        almanac.add(8, "Work")
        val written = args("zone" to "Europe/Berlin", "remindMinutes" to 30, "allDay" to false)
        assertEquals("""{"calendar":"Personal","id":"1"}""", bench.call("createEvent", written).toString())
        assertEquals(listOf("1|7|Dentist|1790000000000|1790003600000|0|Europe/Berlin|Main Street 1|n"), almanac.rows("events"))
        assertEquals(listOf("1|30|1"), almanac.rows("reminders"))
    }

    @Test
    fun withoutAMainOneThatOfTheAccountsOwner() {
        assertEquals("On this phone", bench.call("createEvent", args()).getString("calendar"))
        almanac.add(9, "Work")
        assertEquals("""{"calendar":"Work","id":"2"}""", bench.call("createEvent", args()).toString())
        assertEquals(emptyList<String>(), almanac.rows("reminders"))
    }

    @Test
    fun wholeDaysAreOfTheZone() {
        // It is the next day there already.
        bench.call("createEvent", args("allDay" to true, "zone" to "Pacific/Kiritimati", "place" to null, "notes" to null))
        val day = 1_790_035_200_000
        assertEquals(listOf("1|3|Dentist|$day|${day + 86_400_000}|1|UTC||"), almanac.rows("events"))
    }

    @Test
    fun theDevicesZoneIsTaken() {
        val before = TimeZone.getDefault()
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Shanghai"))
            bench.call("createEvent", args("zone" to null))
        } finally {
            TimeZone.setDefault(before)
        }
        assertEquals(listOf("1|3|Dentist|1790000000000|1790003600000|0|Asia/Shanghai|Main Street 1|n"), almanac.rows("events"))
    }

    @Test
    fun aZoneThatIsAnOffset() {
        bench.call("createEvent", args("zone" to "+02:00"))
        assertEquals(listOf("1|3|Dentist|1790000000000|1790003600000|0|GMT+02:00|Main Street 1|n"), almanac.rows("events"))
    }

    @Test
    fun refusals() {
        for (change in listOf<Pair<String, Any?>>(
            "title" to null,
            "title" to " ",
            "begin" to null,
            "begin" to -1,
            "end" to 1_790_000_000_000,
            "end" to 1,
            "end" to 9_000_000_000_000,
            "zone" to "Mars/Olympus",
            "zone" to "",
            "remindMinutes" to -1,
            "remindMinutes" to 50_000,
        )) {
            assertEquals("$change", "invalid", bench.code("createEvent", args(change)))
        }
        assertEquals("too_large", bench.code("createEvent", args("notes" to "n".repeat(LONGEST_TEXT + 1))))
        assertEquals(emptyList<String>(), almanac.rows("events"))
        almanac.silent = true
        assertEquals("not_answering", bench.code("createEvent", args()))
        almanac.silent = false
        almanac.db.execSQL("DELETE FROM calendars")
        assertEquals("not_found", bench.code("createEvent", args()))
        almanac.add(1, "Holidays", primary = true, level = Calendars.CAL_ACCESS_READ)
        assertEquals("not_found", bench.code("createEvent", args()))
        bench.shadow.denyPermissions(Manifest.permission.WRITE_CALENDAR)
        assertEquals("not_granted" to "calendar", bench.fault("createEvent", args()))
    }

    @Test
    fun aReminderThatFailsIsTold() {
        almanac.db.execSQL("DROP TABLE reminders")
        assertEquals("failed", bench.code("createEvent", args("remindMinutes" to 5)))
    }
}
