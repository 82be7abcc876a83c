// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.app.Notification
import android.app.NotificationChannel
import android.app.NotificationManager
import android.app.PendingIntent
import android.content.ActivityNotFoundException
import android.content.Context
import android.content.Intent
import android.content.pm.PackageManager
import androidx.annotation.StringRes
import app.tauri.plugin.JSObject

/** What is opened: the words for the notification, and its number. */
internal enum class Errand(
    @param:StringRes val title: Int,
) {
    APP(R.string.device_open_app),
    SETTINGS(R.string.device_open_settings),
    WEB(R.string.device_open_web),
    MAP(R.string.device_open_map),
    DIAL(R.string.device_open_dial),
    SHARE(R.string.device_open_share),
    MAIL(R.string.device_open_mail),
}

/** Opens something in another app; from the background, where the system forbids that, by a notification for the person to tap. */
internal class Opener(
    private val context: Context,
    private val grants: Grants,
    private val front: Front,
) {
    private val notifications = context.getSystemService(NotificationManager::class.java)

    /**
     * Opens the first of [choices] that an app takes; `not_found` when none does. [about] tells the person in the
     * notification what is behind it, and is not shown on a locked screen.
     */
    fun open(
        errand: Errand,
        choices: List<Intent>,
        about: String = "",
    ): JSObject {
        if (!front.mayStartActivity()) return notify(errand, choices.firstOrNull { takes(it) } ?: throw nobody(), about)
        for (choice in choices) {
            try {
                context.startActivity(Intent(choice).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK))
                return opened(choice, byNotification = false)
            } catch (_: ActivityNotFoundException) {
                continue
            }
        }
        throw nobody()
    }

    private fun nobody() = FaultException(Fault.NOT_FOUND, "no app opens it")

    private fun takes(intent: Intent): Boolean = context.packageManager.resolveActivity(intent, PackageManager.MATCH_DEFAULT_ONLY) != null

    /** The package that takes it; empty when the person has to choose one. */
    private fun taker(intent: Intent): String {
        val activity = context.packageManager.resolveActivity(intent, PackageManager.MATCH_DEFAULT_ONLY)?.activityInfo
        val chooses = activity == null || activity.packageName == SYSTEM || intent.action == Intent.ACTION_CHOOSER
        return if (chooses) "" else activity.packageName
    }

    private fun opened(
        intent: Intent,
        byNotification: Boolean,
    ): JSObject {
        val reply = JSObject()
        taker(intent).let { if (it.isNotEmpty()) reply.put("app", it) }
        return reply.put("byNotification", byNotification)
    }

    private fun notify(
        errand: Errand,
        intent: Intent,
        about: String,
    ): JSObject {
        grants.need(Grant.NOTIFICATIONS)
        val channel = NotificationChannel(CHANNEL, text(R.string.device_open_channel), NotificationManager.IMPORTANCE_HIGH)
        channel.description = text(R.string.device_open_channel_about)
        channel.lockscreenVisibility = Notification.VISIBILITY_PRIVATE
        notifications.createNotificationChannel(channel)
        if (notifications.getNotificationChannel(CHANNEL)?.importance == NotificationManager.IMPORTANCE_NONE) {
            throw FaultException(Fault.NOT_GRANTED, Grant.NOTIFICATIONS.title)
        }
        val onTap =
            PendingIntent.getActivity(
                context,
                errand.ordinal,
                Intent(intent).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK),
                PendingIntent.FLAG_UPDATE_CURRENT or PendingIntent.FLAG_IMMUTABLE,
            )
        val locked = builder().setContentTitle(text(R.string.device_open_public)).build()
        val notification =
            builder()
                .setContentTitle(text(errand.title))
                .setContentText(about.ifEmpty { text(R.string.device_open_tap) })
                .setVisibility(Notification.VISIBILITY_PRIVATE)
                .setPublicVersion(locked)
                .setContentIntent(onTap)
                .setAutoCancel(true)
                .setTimeoutAfter(SHOWN_MS)
                .build()
        notifications.notify(TAG, errand.ordinal, notification)
        return opened(intent, byNotification = true)
    }

    private fun builder() =
        Notification
            .Builder(context, CHANNEL)
            .setSmallIcon(R.drawable.device_open)
            .setCategory(Notification.CATEGORY_RECOMMENDATION)

    private fun text(
        @StringRes id: Int,
    ): String = context.getString(id)

    companion object {
        /** The channel of these notifications. */
        const val CHANNEL = "device_open"

        /** Their tag; a newer one of the same errand takes the place of the older. */
        const val TAG = "device_open"

        /** After so long nobody remembers what it was about. */
        private const val SHOWN_MS = 30 * 60_000L

        /** The package of the system's own question which app to take. */
        private const val SYSTEM = "android"
    }
}
