// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.PendingIntent
import android.content.Context
import android.content.Intent
import android.net.Uri

/** The way into Bailey's own window. */
internal object Door {
    const val SCHEME = "bailey"

    /** A link into the app: its [parts] are escaped. */
    fun link(
        host: String,
        vararg parts: String,
    ): Uri =
        Uri
            .Builder()
            .scheme(SCHEME)
            .authority(host)
            .apply { parts.forEach(::appendPath) }
            .build()

    /** Opens the window, at [link] if there is one. */
    fun intent(
        context: Context,
        link: Uri?,
    ): Intent {
        val launch = context.packageManager.getLaunchIntentForPackage(context.packageName)
        val intent = if (link == null) launch ?: Intent(Intent.ACTION_MAIN) else Intent(Intent.ACTION_VIEW, link)
        // By its name, so that nobody else can be meant.
        return intent
            .setPackage(context.packageName)
            .setComponent(launch?.component)
            .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK or Intent.FLAG_ACTIVITY_SINGLE_TOP)
    }

    /** [intent] for somebody else to send. */
    fun pending(
        context: Context,
        link: Uri?,
    ): PendingIntent =
        PendingIntent.getActivity(context, 0, intent(context, link), PendingIntent.FLAG_UPDATE_CURRENT or PendingIntent.FLAG_IMMUTABLE)
}
