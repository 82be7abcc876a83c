// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import app.tauri.plugin.JSObject

/** Carries events from the system's entries (receivers, services, activities), which know no plugin, to whoever listens in this process. */
internal object Events {
    /** Takes an event; whether somebody was told. */
    @Volatile
    var listener: ((JSObject) -> Boolean)? = null

    /** Whether somebody was told: nobody is while the app has not started. */
    fun send(event: JSObject): Boolean = listener?.invoke(event) == true

    fun stopPressed() = send(event("stop_pressed"))

    fun arrived() = send(event("arrived"))

    fun askAnswered(
        ask: String,
        allow: Boolean,
    ) = send(event("ask_answered").put("ask", ask).put("allow", allow))

    fun insets(insets: JSObject) = send(event("insets").put("insets", insets))

    private fun event(type: String) = JSObject().put("type", type)
}
