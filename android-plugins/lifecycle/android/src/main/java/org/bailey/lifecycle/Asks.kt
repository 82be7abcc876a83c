// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.Notification
import android.app.PendingIntent
import android.content.Context
import android.content.Intent
import android.os.Build
import android.os.SystemClock
import androidx.annotation.RequiresApi
import app.tauri.plugin.JSObject

/**
 * The questions that are open, as notifications: shown while Bailey's own window is not in front, which asks them itself.
 *
 * On the main thread only.
 */
internal class Asks(
    private val context: Context,
    private var inFront: Boolean,
) {
    private class Ask(
        val id: String,
        val title: String,
        val text: String,
        val publicTitle: String,
        val allow: String?,
        val deny: String?,
        /** When it goes away, in milliseconds since the device was started. */
        val end: Long,
    )

    private val posting = Posting(context)
    private val open = LinkedHashMap<String, Ask>()

    fun post(args: PostAskArgs): JSObject {
        val left = args.leftMs.required("leftMs")
        if (left !in 0..LONGEST_MS) throw invalid("leftMs must be 0 to $LONGEST_MS")
        val ask =
            Ask(
                args.ask.naming("ask"),
                args.title.required("title"),
                args.text.required("text"),
                args.publicTitle.required("publicTitle"),
                args.allow,
                args.deny,
                SystemClock.elapsedRealtime() + left,
            )
        if (!inFront) posting.require(Kind.ASK)
        forgetLate()
        open[ask.id] = ask
        if (!inFront) show(ask)
        return JSObject()
    }

    fun withdraw(args: WithdrawAskArgs): JSObject {
        val id = args.ask.naming("ask")
        open.remove(id)
        posting.remove(Kind.ASK, id)
        return JSObject()
    }

    /** The question [id] has been answered from its notification. */
    fun answered(id: String) {
        open.remove(id)
    }

    /** Bailey's window came to the front, or left it. */
    fun moved(inFront: Boolean) {
        if (this.inFront == inFront) return
        this.inFront = inFront
        forgetLate()
        for (ask in open.values) if (inFront) posting.remove(Kind.ASK, ask.id) else show(ask)
    }

    private fun forgetLate() {
        val now = SystemClock.elapsedRealtime()
        open.values.removeAll { it.end <= now }
    }

    private fun show(ask: Ask) {
        val left = ask.end - SystemClock.elapsedRealtime()
        if (left <= 0) return
        val builder =
            posting
                .builder(Kind.ASK, ask.title, ask.publicTitle)
                .setContentText(ask.text)
                .setStyle(Notification.BigTextStyle().bigText(ask.text))
                .setContentIntent(Door.pending(context, Door.link("ask", ask.id)))
                .setTimeoutAfter(left)
        ask.allow?.let { builder.addAction(action(ask.id, it, AskReceiver.ALLOW)) }
        ask.deny?.let { builder.addAction(action(ask.id, it, AskReceiver.DENY)) }
        posting.show(Kind.ASK, ask.id, builder.build())
    }

    private fun action(
        id: String,
        label: String,
        answer: String,
    ): Notification.Action {
        // The link tells the intents of different questions apart; extras would not.
        val intent = Intent(answer, Door.link("ask", id), context, AskReceiver::class.java)
        val pending = PendingIntent.getBroadcast(context, 0, intent, PendingIntent.FLAG_UPDATE_CURRENT or PendingIntent.FLAG_IMMUTABLE)
        val builder = Notification.Action.Builder(null, label, pending)
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.S) onlyUnlocked(builder)
        return builder.build()
    }

    @RequiresApi(Build.VERSION_CODES.S)
    private fun onlyUnlocked(builder: Notification.Action.Builder) {
        builder.setAuthenticationRequired(true)
    }

    private companion object {
        /** As much as the contract's number can say. */
        const val LONGEST_MS = 0xffff_ffffL
    }
}
