// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.content.Context
import android.content.Intent
import android.content.SharedPreferences
import android.net.Uri
import app.tauri.plugin.JSArray
import app.tauri.plugin.JSObject
import org.json.JSONArray
import org.json.JSONException
import org.json.JSONObject
import java.io.File

/**
 * What reached the app and nobody has taken yet. Kept on the disk: much of it comes while the app does not run.
 *
 * Every instance sees the same, from any thread.
 */
internal class Arrivals(
    context: Context,
) {
    private val kept: SharedPreferences = context.getSharedPreferences("lifecycle_arrivals", Context.MODE_PRIVATE)

    fun link(uri: Uri) {
        if (isLink(uri)) add(JSONObject().put("type", "link").put("uri", uri.toString()))
    }

    fun shared(
        text: String,
        subject: String,
        app: String,
    ) = add(
        JSONObject()
            .put("type", "shared")
            .put("text", text.take(TEXT_LENGTH))
            .put("subject", subject.take(SUBJECT_LENGTH))
            .put("app", app),
    )

    fun file(file: SharedFile) =
        add(
            JSONObject()
                .put("type", "shared_file")
                .put("path", file.copy.path)
                .put("name", file.name)
                .put("mime", file.mime)
                .put("bytes", file.copy.length()),
        )

    fun alarm(id: String) = add(JSONObject().put("type", "alarm").put("id", id))

    /** Once, however often it was. */
    fun booted() = add(JSONObject().put("type", "booted"))

    /** Takes the link that [intent] brought, if it is a new one; returns whether it was. */
    fun opened(intent: Intent?): Boolean {
        val uri = intent?.data ?: return false
        // Opened again from the list of recent apps, an activity gets its old intent.
        val again = intent.flags and Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY != 0
        if (intent.action != Intent.ACTION_VIEW || again || !isLink(uri)) return false
        link(uri)
        return true
    }

    /** Everything in order; the next call gives only what came since. */
    fun take(): JSObject =
        synchronized(lock) {
            val all = read()
            kept.edit().remove(LIST).commit()
            JSObject().put("arrivals", JSArray(all.toString()))
        }

    private fun add(arrival: JSONObject) =
        synchronized(lock) {
            val all = read()
            val list = List(all.length()) { all.getJSONObject(it) }
            val others = if (arrival.getString("type") == "booted") list.filter { it.getString("type") != "booted" } else list
            val dropped = others.take((others.size + 1 - MOST).coerceAtLeast(0))
            for (old in dropped) if (old.getString("type") == "shared_file") File(old.getString("path")).delete()
            kept.edit().putString(LIST, JSONArray(others.drop(dropped.size) + arrival).toString()).commit()
            Unit
        }

    private fun read(): JSONArray =
        try {
            JSONArray(kept.getString(LIST, null) ?: "[]")
        } catch (_: JSONException) {
            JSONArray()
        }

    internal companion object {
        private const val LIST = "arrivals"
        private val lock = Any()

        /** So many wait; older ones are dropped. */
        const val MOST = 100

        /** A text longer than that is cut. */
        const val TEXT_LENGTH = 500_000
        private const val SUBJECT_LENGTH = 1_000
        private const val LINK_LENGTH = 4_000

        private fun isLink(uri: Uri) = uri.scheme.equals(Door.SCHEME, ignoreCase = true) && uri.toString().length <= LINK_LENGTH
    }
}
