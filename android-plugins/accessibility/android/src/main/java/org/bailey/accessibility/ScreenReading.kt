// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import app.tauri.plugin.JSArray
import app.tauri.plugin.JSObject

internal fun Box.json() = JSArray(listOf(left, top, right, bottom))

/** Reads all windows, and gives their nodes handles. [now] in milliseconds. */
internal class ScreenReading(
    private val handles: Handles,
    private val now: () -> Long,
) {
    fun read(platform: Platform): JSObject {
        val end = now() + LIMIT_MS
        val panel = platform.panel()
        var left = NODES
        var cut = false
        val windows = JSArray()
        for (window in platform.windows()) {
            val nodes = JSArray()
            val root = attempt { window.root() }
            val walk =
                Walk(fresh = false, { left > 0 && now() < end }) { node, look, parent ->
                    nodes.put(describe(handles.of(node, window.id), look, parent))
                    left -= 1
                }
            if (root != null && !walk.through(root)) cut = true
            val app = root?.let { attempt { it.look().app } }.orEmpty()
            val json = JSObject().put("id", window.id).put("kind", window.kind).put("app", app)
            if (window.title.isNotEmpty()) json.put("title", window.title)
            if (window.focused) json.put("focused", true)
            windows.put(json.put("bounds", window.bounds.json()).put("nodes", nodes))
        }
        return JSObject()
            .put("width", panel.width)
            .put("height", panel.height)
            .put("rotation", panel.rotation)
            .put("locked", platform.locked())
            .put("windows", windows)
            .put("cut", cut)
    }

    private fun describe(
        handle: String,
        look: Look,
        parent: Int?,
    ): JSObject {
        val json = JSObject()
        if (parent != null) json.put("parent", parent)
        json.put("handle", handle).put("class", look.className)
        val texts =
            listOf(
                "id" to look.id,
                "text" to look.text,
                "description" to look.description,
                "hint" to look.hint,
                "state" to look.state,
            )
        for ((name, text) in texts) if (text.isNotEmpty()) json.put(name, text)
        json.put("bounds", look.bounds.json())
        val marks =
            listOf(
                "hidden" to look.hidden,
                "disabled" to look.disabled,
                "clickable" to look.clickable,
                "longClickable" to look.longClickable,
                "scrollable" to look.scrollable,
                "editable" to look.editable,
                "password" to look.password,
                "checkable" to look.checkable,
                "checked" to look.checked,
                "selected" to look.selected,
                "focused" to look.focused,
            )
        for ((name, isSo) in marks) if (isSo) json.put(name, true)
        return json
    }

    private inline fun <T> attempt(block: () -> T?): T? =
        try {
            block()
        } catch (_: RuntimeException) {
            null
        }

    companion object {
        /** So many nodes of all windows together. */
        const val NODES = 4_000

        /** So long it may take, in milliseconds. */
        const val LIMIT_MS = 2_000L
    }
}
