// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.content.ActivityNotFoundException
import android.os.Build
import android.os.Handler
import android.os.Looper
import app.tauri.PermissionState
import app.tauri.plugin.Invoke

/**
 * Asks the person for a permission: by the system's dialog, or by a page of the settings where there is none.
 *
 * One question at a time: Tauri keeps a single callback. The answer is every permission's state, as the person left it.
 */
internal class Asking(
    private val plugin: DevicePlugin,
    private val grants: Grants,
    private val front: Front,
) {
    private class Question(
        val invoke: Invoke,
        val answer: Answer,
        val grant: Grant,
    )

    private val main = Handler(Looper.getMainLooper())
    private var open: Question? = null
    private val late = Runnable { close(timedOut = true) }

    fun begin(invoke: Invoke) {
        val answer = Answer(invoke)
        answer.guard {
            val grant = Grant.named(invoke.args<PermissionArgs>().permission.required("permission"))
            when {
                grants.has(grant) -> answer.resolve(grants.reply())
                open != null -> throw FaultException(Fault.BUSY, "another permission is being asked for")
                !front.isOnTop() -> throw FaultException(Fault.REFUSED, "a permission can be asked for only while Bailey is in front")
                else -> ask(Question(invoke, answer, grant))
            }
        }
    }

    /** The question that [invoke] asked has been answered somehow. */
    fun answered(invoke: Invoke) {
        if (open?.invoke === invoke) close(timedOut = false)
    }

    private fun ask(question: Question) {
        open = question
        main.postDelayed(late, LIMIT_MS)
        try {
            if (hasDialog(question.grant)) {
                plugin.askSystem(question.invoke, question.grant.title)
            } else {
                openPage(question)
            }
        } catch (e: Exception) {
            forget()
            throw e
        }
    }

    /** Whether the system would show its dialog: not for posting before Android 13, and not after a lasting no. */
    private fun hasDialog(grant: Grant): Boolean {
        if (!grant.dialog) return false
        if (grant == Grant.NOTIFICATIONS && Build.VERSION.SDK_INT < Build.VERSION_CODES.TIRAMISU) return false
        if (!plugin.isPermissionDeclared(grant.title)) throw FaultException(Fault.FAILED, "the app does not declare ${grant.title}")
        return when (plugin.getPermissionState(grant.title)) {
            PermissionState.PROMPT, PermissionState.PROMPT_WITH_RATIONALE -> true
            // Granted, and yet not there: notifications that were switched off in the settings.
            PermissionState.GRANTED, PermissionState.DENIED, null -> false
        }
    }

    private fun openPage(question: Question) {
        for (page in grants.pages(question.grant)) {
            try {
                plugin.startActivityForResult(question.invoke, page, "pageLeft")
                return
            } catch (_: ActivityNotFoundException) {
                continue
            }
        }
        throw FaultException(Fault.UNSUPPORTED, "no settings page for ${question.grant.title}")
    }

    private fun close(timedOut: Boolean) {
        val question = forget() ?: return
        question.answer.guard {
            if (timedOut && !grants.has(question.grant)) throw FaultException(Fault.TIMED_OUT, question.grant.title)
            question.answer.resolve(grants.reply())
        }
    }

    private fun forget(): Question? {
        main.removeCallbacks(late)
        return open.also { open = null }
    }

    companion object {
        /** How long a question waits for the person, in milliseconds. */
        const val LIMIT_MS = 300_000L
    }
}
