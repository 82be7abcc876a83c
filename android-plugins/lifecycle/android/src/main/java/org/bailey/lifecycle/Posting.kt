// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.Notification
import android.app.NotificationChannel
import android.app.NotificationManager
import android.content.Context

/** A kind of notification, with a channel of its own that the person can turn down or off. */
internal enum class Kind(
    val channel: String,
    val label: Int,
    val about: Int,
    val importance: Int,
) {
    RUN(
        "lifecycle_run",
        R.string.lifecycle_run_channel,
        R.string.lifecycle_run_channel_about,
        NotificationManager.IMPORTANCE_LOW,
    ),
    ASK(
        "lifecycle_ask",
        R.string.lifecycle_ask_channel,
        R.string.lifecycle_ask_channel_about,
        NotificationManager.IMPORTANCE_HIGH,
    ),
    NOTICE(
        "lifecycle_notice",
        R.string.lifecycle_notice_channel,
        R.string.lifecycle_notice_channel_about,
        NotificationManager.IMPORTANCE_DEFAULT,
    ),
    ;

    /** Its number among the app's notifications; those of a kind differ in their tag. */
    val number = FIRST_NUMBER + ordinal
}

private const val FIRST_NUMBER = 0x6c01

/** Puts notifications up and takes them down. */
internal class Posting(
    private val context: Context,
) {
    private val system = context.getSystemService(NotificationManager::class.java)

    /** Whether the person would see one. */
    fun isAllowed(kind: Kind): Boolean {
        if (!system.areNotificationsEnabled()) return false
        return system.getNotificationChannel(kind.channel)?.importance != NotificationManager.IMPORTANCE_NONE
    }

    /** Ends the command unless the person would see one. */
    fun require(kind: Kind) {
        if (!isAllowed(kind)) throw FaultException(Fault.NOT_GRANTED, "notifications")
    }

    /** One that shows [title] while the device is unlocked, and [publicTitle] in place of all of it on the lock screen. */
    fun builder(
        kind: Kind,
        title: String,
        publicTitle: String,
    ): Notification.Builder {
        val channel = NotificationChannel(kind.channel, context.getString(kind.label), kind.importance)
        channel.description = context.getString(kind.about)
        channel.lockscreenVisibility = Notification.VISIBILITY_PRIVATE
        system.createNotificationChannel(channel)
        return plain(kind, title).setVisibility(Notification.VISIBILITY_PRIVATE).setPublicVersion(plain(kind, publicTitle).build())
    }

    private fun plain(
        kind: Kind,
        title: String,
    ) = Notification.Builder(context, kind.channel).setSmallIcon(R.drawable.lifecycle_bailey).setContentTitle(title)

    fun show(
        kind: Kind,
        tag: String,
        notification: Notification,
    ) = system.notify(tag, kind.number, notification)

    fun remove(
        kind: Kind,
        tag: String,
    ) = system.cancel(tag, kind.number)

    /** What is up now under [tag]. */
    fun shown(
        kind: Kind,
        tag: String,
    ): Notification? = system.activeNotifications.firstOrNull { it.tag == tag && it.id == kind.number }?.notification
}
