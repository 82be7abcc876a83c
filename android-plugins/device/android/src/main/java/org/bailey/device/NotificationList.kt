// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.app.Notification
import android.content.Context
import android.os.Bundle
import android.service.notification.NotificationListenerService
import android.service.notification.StatusBarNotification
import app.tauri.plugin.JSArray
import app.tauri.plugin.JSObject

/** The notifications that are shown now. */
internal class NotificationList(
    private val context: Context,
    private val grants: Grants,
) {
    fun read(args: ReadNotificationsArgs): JSObject {
        val limit = args.limit.limit(MOST)
        grants.need(Grant.NOTIFICATION_ACCESS)
        val rows =
            others(active())
                .sortedByDescending { it.postTime }
                .take(limit)
                .map(::describe)
        return JSObject().put("notifications", JSArray(rows))
    }

    private fun active(): List<StatusBarNotification> {
        var reader = NotificationReader.await(0)
        if (reader == null) {
            // The system forgets to connect it, most of all after an update of the app.
            NotificationListenerService.requestRebind(NotificationReader.component(context))
            reader = NotificationReader.await(CONNECT_MS) ?: throw FaultException(Fault.NOT_BOUND, Grant.NOTIFICATION_ACCESS.title)
        }
        val active =
            try {
                reader.activeNotifications
            } catch (_: RuntimeException) {
                // Its connection is gone, and it has not been told yet.
                null
            }
        return active?.filterNotNull() ?: throw FaultException(Fault.NOT_ANSWERING, Grant.NOTIFICATION_ACCESS.title)
    }

    /** Without Bailey's own, and without the heads of groups whose members are there. */
    private fun others(all: List<StatusBarNotification>): List<StatusBarNotification> {
        val others = all.filter { it.packageName != context.packageName }
        val members = others.filterNot { it.isSummary() }.mapTo(mutableSetOf()) { it.groupKey }
        return others.filterNot { it.isSummary() && it.groupKey in members }
    }

    private fun StatusBarNotification.isSummary() = notification.flags and Notification.FLAG_GROUP_SUMMARY != 0

    private fun describe(shown: StatusBarNotification): JSObject {
        val notification = shown.notification
        val actions =
            notification.actions.orEmpty().map {
                JSObject()
                    .put("title", it.title?.toString().orEmpty())
                    .put("takesText", !it.remoteInputs.isNullOrEmpty())
            }
        return JSObject()
            .put("key", shown.key)
            .put("package", shown.packageName)
            .put("app", context.packageManager.labelOf(shown.packageName))
            .put("posted", shown.postTime)
            .put("title", NotificationText.title(notification.extras))
            .put("text", NotificationText.text(notification.extras))
            .put("ongoing", shown.isOngoing)
            .put("actions", JSArray(actions))
    }

    private companion object {
        const val MOST = 200

        /** How long the system gets to connect the reader, in milliseconds. */
        const val CONNECT_MS = 2_000L
    }
}

/** What a notification says. */
internal object NotificationText {
    /** The most characters of a text that are told. */
    const val LONGEST = 4_000
    private val breaks = Regex("""\s*[\r\n\u2028\u2029\u0085]+\s*""")

    fun title(extras: Bundle): String =
        listOf(Notification.EXTRA_CONVERSATION_TITLE, Notification.EXTRA_TITLE_BIG, Notification.EXTRA_TITLE)
            .firstNotNullOfOrNull { extras.string(it) }
            .orEmpty()
            .cut()

    /** The long form: the messages of a conversation, oldest first; else its lines; else its text. */
    fun text(extras: Bundle): String {
        val messages = messages(extras)
        val lines = extras.getCharSequenceArray(Notification.EXTRA_TEXT_LINES).orEmpty().mapNotNull { it?.toString()?.oneLine() }
        return when {
            // The newest are at the end, and they are what matters.
            messages.isNotEmpty() -> messages.joinToString("\n").cutFront()
            lines.isNotEmpty() -> lines.joinToString("\n").cut()
            else -> (extras.string(Notification.EXTRA_BIG_TEXT) ?: extras.string(Notification.EXTRA_TEXT)).orEmpty().cut()
        }
    }

    /** A line for each message, with its sender where the title does not name them. A line break in it can't pass for another message. */
    private fun messages(extras: Bundle): List<String> {
        val alone = extras.string(Notification.EXTRA_TITLE)

        // Its successor came with Android 9, and both are still written.
        @Suppress("DEPRECATION")
        val own = extras.string(Notification.EXTRA_SELF_DISPLAY_NAME)

        // The typed form fails on some versions that have it.
        @Suppress("DEPRECATION")
        val bundles = extras.getParcelableArray(Notification.EXTRA_MESSAGES).orEmpty().filterIsInstance<Bundle>()
        return bundles.mapNotNull { message ->
            val text = message.string(MESSAGE_TEXT)?.oneLine() ?: return@mapNotNull null
            // No sender means the person themselves.
            val sender = message.string(MESSAGE_SENDER)?.oneLine() ?: own
            if (sender == null || sender == alone) text else "$sender: $text"
        }
    }

    // The keys of a message in its bundle: those of the system and of androidx are the same.
    private const val MESSAGE_TEXT = "text"
    private const val MESSAGE_SENDER = "sender"

    private fun Bundle.string(key: String): String? = getCharSequence(key)?.toString()?.takeIf { it.isNotBlank() }

    private fun String.oneLine(): String = trim().replace(breaks, " ")

    private fun String.cut(): String {
        if (length <= LONGEST) return this
        val end = if (this[LONGEST - 1].isHighSurrogate()) LONGEST - 1 else LONGEST
        return substring(0, end)
    }

    private fun String.cutFront(): String {
        if (length <= LONGEST) return this
        val start = length - LONGEST
        return substring(if (this[start].isLowSurrogate()) start + 1 else start)
    }
}
