// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.KeyguardManager
import android.app.Notification
import android.content.BroadcastReceiver
import android.content.Context
import android.content.Intent
import android.net.Uri
import android.os.Build

/** Takes the answer that was given in a question's notification. It counts only while the device is unlocked and the app is there to hear it. */
class AskReceiver : BroadcastReceiver() {
    override fun onReceive(
        context: Context,
        intent: Intent,
    ) {
        val link = intent.data ?: return
        val id = link.lastPathSegment ?: return
        val allow =
            when (intent.action) {
                ALLOW -> true
                DENY -> false
                else -> return
            }
        val posting = Posting(context)
        // Android 12 and later ask for the unlocking themselves, but whoever reads notifications can press a button, too.
        val locked = context.getSystemService(KeyguardManager::class.java).isDeviceLocked
        if (locked || !Events.askAnswered(id, allow)) return inApp(context, posting, id, link)
        posting.remove(Kind.ASK, id)
    }

    /** Nothing is answered: the question stays, to be answered in the app. */
    private fun inApp(
        context: Context,
        posting: Posting,
        id: String,
        link: Uri,
    ) {
        posting.shown(Kind.ASK, id)?.let { shown ->
            val again =
                Notification.Builder
                    .recoverBuilder(context, shown)
                    .setSubText(context.getString(R.string.lifecycle_answer_in_app))
                    .setOnlyAlertOnce(true)
            // Taken off here: a builder keeps those of what it was made from.
            posting.show(Kind.ASK, id, again.build().apply { actions = null })
        }
        // Later ones let no receiver of a notification's button open a window.
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.S) context.startActivity(Door.intent(context, link))
    }

    internal companion object {
        const val ALLOW = "org.bailey.lifecycle.ALLOW"
        const val DENY = "org.bailey.lifecycle.DENY"
    }
}
