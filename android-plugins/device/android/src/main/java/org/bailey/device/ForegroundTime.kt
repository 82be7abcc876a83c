// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

/** Adds up how long apps were in front, from the system's record of what their activities did. Times are milliseconds since 1970. */
internal class ForegroundTime(
    private val from: Long,
    private val until: Long,
) {
    /** An app's time in front, and when that was last. */
    data class Total(
        val app: String,
        val foregroundMs: Long,
        val lastUsed: Long,
    )

    private class App {
        val shown = mutableSetOf<String>()
        val seen = mutableSetOf<String>()
        var since = 0L
        var sum = 0L
        var last = 0L
    }

    private val apps = mutableMapOf<String, App>()

    /** An activity came to the front. */
    fun resumed(
        app: String,
        activity: String,
        at: Long,
    ) {
        val entry = apps.getOrPut(app) { App() }
        entry.seen += activity
        if (entry.shown.isEmpty()) entry.since = at
        entry.shown += activity
    }

    /** An activity left it. One that was not seen to come had been there from the beginning. */
    fun paused(
        app: String,
        activity: String,
        at: Long,
    ) {
        val entry = apps.getOrPut(app) { App() }
        if (entry.seen.add(activity) && entry.shown.isEmpty() && entry.sum == 0L) {
            entry.since = from
            entry.shown += activity
        }
        if (entry.shown.remove(activity) && entry.shown.isEmpty()) entry.close(at)
    }

    /** An activity is no longer to be seen, as when the app was ended while in front. */
    fun stopped(
        app: String,
        activity: String,
        at: Long,
    ) {
        val entry = apps[app] ?: return
        if (entry.shown.remove(activity) && entry.shown.isEmpty()) entry.close(at)
    }

    /** The device went off: nothing is in front any more. */
    fun shutDown(at: Long) {
        for (entry in apps.values) {
            if (entry.shown.isEmpty()) continue
            entry.shown.clear()
            entry.close(at)
        }
    }

    /** Every app that was in front at all, longest first. What still is counts until the end. */
    fun totals(): List<Total> {
        shutDown(until)
        return apps
            .filterValues { it.sum > 0 }
            .map { (app, entry) -> Total(app, entry.sum, entry.last) }
            .sortedByDescending { it.foregroundMs }
    }

    private fun App.close(at: Long) {
        val end = at.coerceIn(from, until)
        sum += (end - since.coerceIn(from, until)).coerceAtLeast(0)
        last = maxOf(last, end)
    }
}
