// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.content.ClipData
import android.content.ClipDescription
import android.content.ClipboardManager
import android.content.Context
import android.os.Build
import app.tauri.plugin.JSObject

/** What is on the clipboard. */
internal class Clipboard(
    private val context: Context,
    private val front: Front,
) {
    private val clipboard = context.getSystemService(ClipboardManager::class.java)

    /** Its text. What points to a file is not followed, and what its app marked as a secret is not read. */
    fun read(): JSObject {
        // Without the focus the system says that it is empty, which would be told as the truth.
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q && !front.hasFocus()) {
            throw FaultException(Fault.REFUSED, "the clipboard can be read only while Bailey is in front")
        }
        val clip = clipboard.primaryClip
        if (clip?.description?.extras?.getBoolean(SENSITIVE) == true) {
            throw FaultException(Fault.REFUSED, "what is on the clipboard is marked as secret")
        }
        val texts = (0 until (clip?.itemCount ?: 0)).mapNotNull { clip?.getItemAt(it)?.text?.toString() }
        val reply = JSObject()
        if (texts.any { it.isNotEmpty() }) reply.put("text", texts.joinToString("\n"))
        return reply
    }

    fun set(args: SetClipboardArgs): JSObject {
        val text = args.text.required("text").fitting()
        clipboard.setPrimaryClip(ClipData.newPlainText("Bailey", text))
        return DevicePlugin.done()
    }

    private companion object {
        /** [ClipDescription.EXTRA_IS_SENSITIVE], which apps set on older systems, too. */
        const val SENSITIVE = "android.content.extra.IS_SENSITIVE"
    }
}
