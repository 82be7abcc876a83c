// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.app.usage.UsageEvents
import android.app.usage.UsageStatsManager
import android.content.Context
import android.content.Intent
import android.content.pm.ApplicationInfo
import android.content.pm.PackageManager
import app.tauri.plugin.JSArray
import app.tauri.plugin.JSObject

/** The apps of the device and how they are used. */
internal class Apps(
    private val context: Context,
    private val grants: Grants,
) {
    private val packages: PackageManager = context.packageManager

    /** The apps with an icon to tap, each once. */
    fun installed(): JSObject {
        val launcher = Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER)
        val apps =
            packages
                .queryIntentActivities(launcher, 0)
                .map { it.activityInfo.applicationInfo }
                .distinctBy { it.packageName }
                .mapNotNull(::describe)
        return JSObject().put("apps", JSArray(apps))
    }

    /** An app, or nothing when it was removed meanwhile. */
    private fun describe(app: ApplicationInfo): JSObject? {
        val version =
            try {
                packages.getPackageInfo(app.packageName, 0).versionName.orEmpty()
            } catch (_: PackageManager.NameNotFoundException) {
                return null
            }
        return JSObject()
            .put("package", app.packageName)
            .put("name", app.loadLabel(packages).toString())
            .put("version", version)
            .put("system", app.flags and ApplicationInfo.FLAG_SYSTEM != 0)
    }

    /** Exact as far back as the system keeps single events; before that by its daily sums, which count a day as a whole. */
    fun usage(args: AppUsageArgs): JSObject {
        val from = args.from.required("from")
        val now = System.currentTimeMillis()
        val until = minOf(args.until.required("until"), now)
        if (from < 0 || from >= until) throw invalid("until must be after from, and from in the past")
        grants.need(Grant.USAGE)
        val usage = context.getSystemService(UsageStatsManager::class.java)
        val totals = if (now - from <= EVENTS_KEPT_MS) fromEvents(usage, from, until) else fromSums(usage, from, until)
        val rows =
            totals.map {
                JSObject()
                    .put("package", it.app)
                    .put("name", packages.labelOf(it.app))
                    .put("foregroundMs", it.foregroundMs)
                    .put("lastUsed", it.lastUsed)
            }
        return JSObject().put("apps", JSArray(rows))
    }

    private fun fromEvents(
        usage: UsageStatsManager,
        from: Long,
        until: Long,
    ): List<ForegroundTime.Total> {
        val time = ForegroundTime(from, until)
        val events = usage.queryEvents(from, until) ?: return emptyList()
        val event = UsageEvents.Event()
        while (events.getNextEvent(event)) {
            val app = event.packageName.orEmpty()
            val activity = event.className.orEmpty()
            when (event.eventType) {
                RESUMED -> time.resumed(app, activity, event.timeStamp)
                PAUSED -> time.paused(app, activity, event.timeStamp)
                STOPPED -> time.stopped(app, activity, event.timeStamp)
                DEVICE_SHUTDOWN -> time.shutDown(event.timeStamp)
            }
        }
        return time.totals()
    }

    private fun fromSums(
        usage: UsageStatsManager,
        from: Long,
        until: Long,
    ): List<ForegroundTime.Total> =
        usage
            .queryAndAggregateUsageStats(from, until)
            .values
            .filter { it.totalTimeInForeground > 0 }
            .map { ForegroundTime.Total(it.packageName, it.totalTimeInForeground, it.lastTimeUsed) }
            .sortedByDescending { it.foregroundMs }

    private companion object {
        /** The system keeps single events for a few days only: three are safe. */
        const val EVENTS_KEPT_MS = 3 * 24 * 3_600_000L

        // Kinds of events. The first two are older than their present names; the others come only with newer systems.
        const val RESUMED = 1
        const val PAUSED = 2
        const val STOPPED = 23
        const val DEVICE_SHUTDOWN = 26
    }
}

/** The name of an app as the person sees it; its package when it can't be seen. */
internal fun PackageManager.labelOf(app: String): String =
    try {
        getApplicationInfo(app, 0).loadLabel(this).toString()
    } catch (_: PackageManager.NameNotFoundException) {
        app
    }
