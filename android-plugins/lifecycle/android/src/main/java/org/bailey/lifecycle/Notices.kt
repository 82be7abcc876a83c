// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.Notification
import android.content.Context
import app.tauri.plugin.JSObject

/** Notifications that want no answer. A tap opens the app. */
internal class Notices(
    private val context: Context,
) {
    private val posting = Posting(context)

    fun post(args: PostNoticeArgs): JSObject {
        val tag = args.tag.naming("tag")
        val title = args.title.required("title")
        val text = args.text.required("text")
        val publicTitle = args.publicTitle.required("publicTitle")
        posting.require(Kind.NOTICE)
        show(TOLD + tag, title, text, publicTitle)
        return JSObject()
    }

    /** Something is due, and the app has to be opened for it: an alarm cannot open it. */
    fun due() {
        val title = context.getString(R.string.lifecycle_due)
        show(DUE, title, context.getString(R.string.lifecycle_due_tap), title)
    }

    private fun show(
        tag: String,
        title: String,
        text: String,
        publicTitle: String,
    ) {
        val builder =
            posting
                .builder(Kind.NOTICE, title, publicTitle)
                .setContentText(text)
                .setStyle(Notification.BigTextStyle().bigText(text))
                .setContentIntent(Door.pending(context, null))
                .setAutoCancel(true)
        posting.show(Kind.NOTICE, tag, builder.build())
    }

    internal companion object {
        const val TOLD = "told:"
        const val DUE = "due"
    }
}
