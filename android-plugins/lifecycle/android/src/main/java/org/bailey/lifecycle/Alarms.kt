// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.AlarmManager
import android.app.PendingIntent
import android.content.BroadcastReceiver
import android.content.Context
import android.content.Intent
import android.os.Build
import androidx.annotation.RequiresApi
import app.tauri.plugin.JSObject

/** Alarms, each kept on the disk until it has rung: the system forgets its own when the device is started. */
internal class Alarms(
    private val context: Context,
) {
    private val system = context.getSystemService(AlarmManager::class.java)
    private val kept = context.getSharedPreferences("lifecycle_alarms", Context.MODE_PRIVATE)

    fun set(args: SetAlarmArgs): JSObject {
        val id = args.id.naming("id")
        val at = args.at.required("at")
        if (at < 0) throw invalid("at must not be negative")
        val exact = args.exact ?: false
        if (id !in kept.all && kept.all.size >= MOST) throw FaultException(Fault.TOO_LARGE, "more than $MOST alarms")
        // The wish is kept, whatever is allowed now: the person may allow it later.
        kept.edit().putString(id, "$at $exact").apply()
        return JSObject().put("exact", arm(id, at, exact))
    }

    fun cancel(args: CancelAlarmArgs): JSObject {
        val id = args.id.naming("id")
        forget(id)
        ringing(id, PendingIntent.FLAG_NO_CREATE)?.let {
            system.cancel(it)
            it.cancel()
        }
        return JSObject()
    }

    /** Sets all that are kept once more. One whose time has passed rings now. */
    fun armAll() {
        for ((id, value) in kept.all) {
            val parts = (value as? String)?.split(' ').orEmpty()
            val at = parts.getOrNull(0)?.toLongOrNull()
            if (at == null) forget(id) else arm(id, at, parts.getOrNull(1) == "true")
        }
    }

    /** The alarm [id] rang; whether it was still wanted. */
    fun rang(id: String): Boolean = (id in kept.all).also { forget(id) }

    private fun forget(id: String) = kept.edit().remove(id).apply()

    private fun arm(
        id: String,
        at: Long,
        exact: Boolean,
    ): Boolean {
        val ringing = ringing(id, PendingIntent.FLAG_UPDATE_CURRENT) ?: throw FaultException(Fault.FAILED, "no intent")
        if (exact && mayBeExact()) {
            try {
                system.setExactAndAllowWhileIdle(AlarmManager.RTC_WAKEUP, at, ringing)
                return true
            } catch (_: SecurityException) {
                // Forbidden a moment ago.
            }
        }
        system.setAndAllowWhileIdle(AlarmManager.RTC_WAKEUP, at, ringing)
        return false
    }

    private fun mayBeExact() = Build.VERSION.SDK_INT < Build.VERSION_CODES.S || isAllowed()

    @RequiresApi(Build.VERSION_CODES.S)
    private fun isAllowed() = system.canScheduleExactAlarms()

    private fun ringing(
        id: String,
        flag: Int,
    ): PendingIntent? {
        // The link tells the intents of different alarms apart; extras would not.
        val intent = Intent(AlarmReceiver.RING, Door.link("alarm", id), context, AlarmReceiver::class.java)
        return PendingIntent.getBroadcast(context, 0, intent, flag or PendingIntent.FLAG_IMMUTABLE)
    }

    private companion object {
        /** The system takes 500 of an app. */
        const val MOST = 400
    }
}

/** An alarm rings: it is kept for the app to take. Where the app does not run, a notice asks the person to open it. */
class AlarmReceiver : BroadcastReceiver() {
    override fun onReceive(
        context: Context,
        intent: Intent,
    ) {
        val id = intent.data?.lastPathSegment
        if (intent.action != RING || id == null || !Alarms(context).rang(id)) return
        Arrivals(context).alarm(id)
        if (!Events.arrived()) Notices(context).due()
    }

    internal companion object {
        const val RING = "org.bailey.lifecycle.RING"
    }
}

/** The device was started, the app was updated, or exact alarms were allowed: the alarms are set again. */
class BootReceiver : BroadcastReceiver() {
    override fun onReceive(
        context: Context,
        intent: Intent,
    ) {
        val started = intent.action == Intent.ACTION_BOOT_COMPLETED || intent.action == Intent.ACTION_MY_PACKAGE_REPLACED
        val allowed = intent.action == EXACT_ALLOWED
        if (!started && !allowed) return
        Alarms(context).armAll()
        if (!started) return
        Arrivals(context).booted()
        Events.arrived()
    }

    internal companion object {
        /** `AlarmManager.ACTION_SCHEDULE_EXACT_ALARM_PERMISSION_STATE_CHANGED`, since Android 12. */
        const val EXACT_ALLOWED = "android.app.action.SCHEDULE_EXACT_ALARM_PERMISSION_STATE_CHANGED"
    }
}
