// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import app.tauri.annotation.InvokeArg
import app.tauri.plugin.Invoke
import com.fasterxml.jackson.annotation.JsonProperty

// The commands' arguments, as the contract has them. All may be absent until [required] has looked.

@InvokeArg
internal class FingerprintArgs {
    var app: String? = null

    @set:JsonProperty("class")
    var className: String? = null
    var id: String? = null
    var text: String? = null
    var description: String? = null
    var labels: String? = null

    fun read() =
        Fingerprint(
            app.required("app"),
            className.required("class"),
            id.required("id"),
            text.required("text"),
            description.required("description"),
            labels.required("labels"),
        )
}

@InvokeArg
internal class PerformArgs {
    var handle: String? = null
    var expect: FingerprintArgs? = null
    var action: String? = null
    var text: String? = null
}

@InvokeArg
internal class GestureArgs {
    var from: List<Int?>? = null
    var to: List<Int?>? = null
    var durationMs: Int? = null
}

@InvokeArg
internal class PressKeyArgs {
    var key: String? = null
}

@InvokeArg
internal class WaitIdleArgs {
    var quietMs: Int? = null
    var timeoutMs: Int? = null
}

@InvokeArg
internal class ScreenshotArgs {
    var maxEdge: Int? = null
}

@InvokeArg
internal class StartDrivingArgs {
    var text: String? = null
    var stop: String? = null
}

/** The arguments of a command. */
internal inline fun <reified T> Invoke.args(): T = parseArgs(T::class.java) ?: throw invalid("no arguments")

/** The value, which the contract says is there. */
internal fun <T : Any> T?.required(name: String): T = this ?: throw invalid("$name is missing")

/** The value when it lies within [range]. */
internal fun Int?.within(
    range: IntRange,
    name: String,
): Int = required(name).also { if (it !in range) throw invalid("$name must be ${range.first} to ${range.last}") }
