// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.content.ContentProviderOperation
import android.content.ContentUris
import android.content.Context
import android.content.OperationApplicationException
import android.os.RemoteException
import android.provider.CalendarContract
import android.provider.CalendarContract.Calendars
import android.provider.CalendarContract.Events
import android.provider.CalendarContract.Reminders
import app.tauri.plugin.JSObject
import java.time.DateTimeException
import java.time.ZoneId
import java.util.TimeZone

/** Writes into the person's calendar. */
internal class Calendar(
    private val context: Context,
    private val grants: Grants,
) {
    private class Target(
        val id: Long,
        val name: String,
        val rank: Int,
    )

    fun create(args: CreateEventArgs): JSObject {
        val event = event(args)
        val minutes = args.remindMinutes?.within(0..MOST_MINUTES, "remindMinutes")
        grants.need(Grant.CALENDAR)
        val calendar = target() ?: throw FaultException(Fault.NOT_FOUND, "no calendar that can be written")
        val steps = arrayListOf(event.withValue(Events.CALENDAR_ID, calendar.id).build())
        if (minutes != null) {
            steps +=
                ContentProviderOperation
                    .newInsert(Reminders.CONTENT_URI)
                    .withValueBackReference(Reminders.EVENT_ID, 0)
                    .withValue(Reminders.MINUTES, minutes)
                    .withValue(Reminders.METHOD, Reminders.METHOD_ALERT)
                    .build()
        }
        val written =
            try {
                // Both or neither.
                context.contentResolver.applyBatch(CalendarContract.AUTHORITY, steps)
            } catch (_: OperationApplicationException) {
                throw FaultException(Fault.REFUSED, "the calendar did not take it")
            } catch (_: RemoteException) {
                throw FaultException(Fault.NOT_ANSWERING, "the calendar")
            }
        val uri = written.firstOrNull()?.uri ?: throw FaultException(Fault.REFUSED, "the calendar did not take it")
        return JSObject().put("calendar", calendar.name).put("id", ContentUris.parseId(uri).toString())
    }

    private fun event(args: CreateEventArgs): ContentProviderOperation.Builder {
        val title = args.title.required("title").fitting()
        if (title.isBlank()) throw invalid("title is empty")
        val begin = args.begin.required("begin")
        val end = args.end.required("end")
        if (begin < 0 || end <= begin || end > LATEST) throw invalid("end must be after begin")
        val zone =
            try {
                args.zone?.let { ZoneId.of(it) } ?: ZoneId.systemDefault()
            } catch (_: DateTimeException) {
                throw invalid("no such time zone")
            }
        val allDay = args.allDay == true
        val days = WholeDays.touched(begin, end, zone)
        return ContentProviderOperation
            .newInsert(Events.CONTENT_URI)
            .withValue(Events.TITLE, title)
            .withValue(Events.DTSTART, if (allDay) days.begin else begin)
            .withValue(Events.DTEND, if (allDay) days.end else end)
            .withValue(Events.ALL_DAY, if (allDay) 1 else 0)
            .withValue(Events.EVENT_TIMEZONE, if (allDay) "UTC" else TimeZone.getTimeZone(zone).id)
            .withValue(Events.EVENT_LOCATION, args.place.orEmpty().fitting())
            .withValue(Events.DESCRIPTION, args.notes.orEmpty().fitting())
    }

    /** The calendar the person would take: one they see and may write, their main one before others, one of an account before a local one. */
    private fun target(): Target? {
        val columns =
            arrayOf(
                Calendars._ID,
                Calendars.CALENDAR_DISPLAY_NAME,
                Calendars.IS_PRIMARY,
                Calendars.ACCOUNT_NAME,
                Calendars.OWNER_ACCOUNT,
                Calendars.ACCOUNT_TYPE,
            )
        val where = "${Calendars.VISIBLE} = 1 AND ${Calendars.CALENDAR_ACCESS_LEVEL} >= ${Calendars.CAL_ACCESS_CONTRIBUTOR}"
        val rows =
            context.contentResolver.query(Calendars.CONTENT_URI, columns, where, null, "${Calendars._ID} ASC")
                ?: throw FaultException(Fault.NOT_ANSWERING, "the calendar")
        val found =
            rows.use {
                buildList {
                    while (it.moveToNext()) {
                        val owned = it.getString(4) != null && it.getString(3) == it.getString(4)
                        val local = it.getString(5) == CalendarContract.ACCOUNT_TYPE_LOCAL
                        val rank = (if (it.getInt(2) == 1) 4 else 0) + (if (owned) 2 else 0) + (if (local) 0 else 1)
                        add(Target(it.getLong(0), it.getString(1).orEmpty(), rank))
                    }
                }
            }
        return found.maxByOrNull { it.rank }
    }

    private companion object {
        /** Four weeks: what calendars on servers take at most. */
        const val MOST_MINUTES = 40_320

        /** The year 2200: what lies after it is a mistake. */
        const val LATEST = 7_258_118_400_000L
    }
}
