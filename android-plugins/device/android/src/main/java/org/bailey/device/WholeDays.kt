// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import java.time.Instant
import java.time.ZoneId
import java.time.ZoneOffset

/** The days an event takes, as calendars keep them: midnights of UTC, the end being the day after the last. */
internal data class WholeDays(
    val begin: Long,
    val end: Long,
) {
    companion object {
        /** All days in [zone] that the time from [begin] until [end] touches; both in milliseconds since 1970. */
        fun touched(
            begin: Long,
            end: Long,
            zone: ZoneId,
        ): WholeDays {
            val first = Instant.ofEpochMilli(begin).atZone(zone).toLocalDate()
            val until = Instant.ofEpochMilli(end).atZone(zone)
            val after = if (until.toLocalTime().toNanoOfDay() == 0L) until.toLocalDate() else until.toLocalDate().plusDays(1)
            val last = maxOf(after, first.plusDays(1))
            return WholeDays(
                first.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli(),
                last.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli(),
            )
        }
    }
}
