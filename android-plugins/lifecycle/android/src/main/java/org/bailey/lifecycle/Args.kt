// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import app.tauri.annotation.InvokeArg
import app.tauri.plugin.Invoke

// The commands' arguments, as the contract has them. All may be absent until [required] has looked.

@InvokeArg
internal class ShowRunArgs {
    var title: String? = null
    var publicTitle: String? = null
    var stop: String? = null
    var capturing: Boolean? = null
}

@InvokeArg
internal class PostAskArgs {
    var ask: String? = null
    var title: String? = null
    var text: String? = null
    var publicTitle: String? = null
    var allow: String? = null
    var deny: String? = null
    var leftMs: Long? = null
}

@InvokeArg
internal class WithdrawAskArgs {
    var ask: String? = null
}

@InvokeArg
internal class PostNoticeArgs {
    var tag: String? = null
    var title: String? = null
    var text: String? = null
    var publicTitle: String? = null
}

@InvokeArg
internal class SetAlarmArgs {
    var id: String? = null
    var at: Long? = null
    var exact: Boolean? = null
}

@InvokeArg
internal class CancelAlarmArgs {
    var id: String? = null
}

@InvokeArg
internal class SetSecureArgs {
    var on: Boolean? = null
}

/** The arguments of a command. */
internal inline fun <reified T> Invoke.args(): T = parseArgs(T::class.java) ?: throw invalid("no arguments")

/** The value, which the contract says is there. */
internal fun <T : Any> T?.required(name: String): T = this ?: throw invalid("$name is missing")

/** The value, which names something: neither blank nor longer than [NAME_LENGTH]. */
internal fun String?.naming(name: String): String =
    required(name).also { if (it.isBlank() || it.length > NAME_LENGTH) throw invalid("$name must be 1 to $NAME_LENGTH characters") }

private const val NAME_LENGTH = 200
