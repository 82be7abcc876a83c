// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import app.tauri.annotation.InvokeArg
import app.tauri.plugin.Invoke

// The commands' arguments, as the contract has them. All may be absent until [required] has looked.

@InvokeArg
internal class PermissionArgs {
    var permission: String? = null
}

@InvokeArg
internal class AppUsageArgs {
    var from: Long? = null
    var until: Long? = null
}

@InvokeArg
internal class OpenAppArgs {
    var `package`: String? = null
}

@InvokeArg
internal class OpenSettingsArgs {
    var screen: String? = null
    var `package`: String? = null
}

@InvokeArg
internal class OpenUriArgs {
    var uri: String? = null
}

@InvokeArg
internal class OpenMapArgs {
    var uri: String? = null
    var `package`: String? = null
}

@InvokeArg
internal class DialArgs {
    var number: String? = null
}

@InvokeArg
internal class ShareTextArgs {
    var text: String? = null
    var title: String? = null
}

@InvokeArg
internal class ComposeMailArgs {
    var to: List<String?>? = null
    var cc: List<String?>? = null
    var subject: String? = null
    var body: String? = null
}

@InvokeArg
internal class FindContactsArgs {
    var query: String? = null
    var limit: Int? = null
}

@InvokeArg
internal class CreateEventArgs {
    var title: String? = null
    var begin: Long? = null
    var end: Long? = null
    var allDay: Boolean? = null
    var zone: String? = null
    var place: String? = null
    var notes: String? = null
    var remindMinutes: Int? = null
}

@InvokeArg
internal class SetClipboardArgs {
    var text: String? = null
}

@InvokeArg
internal class ReadNotificationsArgs {
    var limit: Int? = null
}

@InvokeArg
internal class SetVolumeArgs {
    var stream: String? = null
    var percent: Int? = null
}

@InvokeArg
internal class SetBrightnessArgs {
    var percent: Int? = null
}

@InvokeArg
internal class SetTorchArgs {
    var on: Boolean? = null
}

@InvokeArg
internal class VibrateArgs {
    var durationMs: Int? = null
}

@InvokeArg
internal class MediaControlArgs {
    var key: String? = null
}

/** The arguments of a command. */
internal inline fun <reified T> Invoke.args(): T = parseArgs(T::class.java) ?: throw invalid("no arguments")

/** The value, which the contract says is there. */
internal fun <T : Any> T?.required(name: String): T = this ?: throw invalid("$name is missing")

/** How many at most: those above [most] are as good as [most]. */
internal fun Int?.limit(most: Int): Int = within(1..Int.MAX_VALUE, "limit").coerceAtMost(most)

/** The value when it lies within [range]. */
internal fun Int?.within(
    range: IntRange,
    name: String,
): Int = required(name).also { if (it !in range) throw invalid("$name must be ${range.first} to ${range.last}") }
