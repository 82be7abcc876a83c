// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.accessibilityservice.AccessibilityService
import android.os.Build
import android.view.accessibility.AccessibilityNodeInfo
import android.view.accessibility.AccessibilityNodeInfo.AccessibilityAction
import androidx.annotation.RequiresApi
import app.tauri.plugin.JSObject

/** What is done to a node; [code] is its name in the contract. */
internal enum class NodeAction(
    val code: String,
) {
    TAP("tap"),
    LONG_PRESS("long_press"),
    TYPE("type"),
    SCROLL_FORWARD("scroll_forward"),
    SCROLL_BACKWARD("scroll_backward"),
    SCROLL_TO("scroll_to"),
    SUBMIT("submit"),
    ;

    val isForFields get() = this == TYPE || this == SUBMIT
}

/** Does something to one node, after a last look at it. [now] in milliseconds. */
internal class Hands(
    private val handles: Handles,
    private val touches: Touches,
    private val own: OwnTouches,
    private val now: () -> Long,
    private val sleep: (Long) -> Unit = Thread::sleep,
) {
    /** The node that was looked up, and what it was like right before. */
    private class Target(
        val platform: Platform,
        val windows: List<ScreenWindow>,
        val window: ScreenWindow,
        val node: ScreenNode,
        val look: Look,
    )

    fun perform(
        platform: Platform,
        args: PerformArgs,
    ): JSObject {
        val begun = now()
        val action = NodeAction.entries.find { it.code == args.action.required("action") } ?: throw invalid("no such action")
        val handle = args.handle.required("handle")
        val expect = args.expect.required("expect").read()
        val text = if (action == NodeAction.TYPE) args.text.required("text") else null
        if (platform.locked()) throw FaultException(Fault.LOCKED, "")
        val target = find(platform, handle, expect)
        if (own.touchedSince(begun)) throw FaultException(Fault.DECLINED, "the person touched the screen")
        if (action.isForFields && target.look.password) throw FaultException(Fault.PASSWORD, "")
        if (action.isForFields && !target.look.editable) throw invalid("not a field")
        if (target.look.disabled) throw FaultException(Fault.REFUSED, "it takes no input now")
        own.during { act(target, action, text) }
        val read = if (text != null) readBack(target.node, text) else null
        val bounds = attempt { if (target.node.refresh()) target.node.look().bounds else null } ?: target.look.bounds
        return JSObject().also { if (read != null) it.put("text", read) }.put("bounds", bounds.json())
    }

    private fun find(
        platform: Platform,
        handle: String,
        expect: Fingerprint,
    ): Target {
        val gone = FaultException(Fault.NOT_FOUND, "the node has gone")
        val known = handles.find(handle) ?: throw FaultException(Fault.NOT_FOUND, "no such node")
        val windows = platform.windows()
        val window = windows.find { it.id == known.window } ?: throw gone
        val app = attempt { window.root()?.look()?.app } ?: throw gone
        if (attempt { known.node.refresh() } != true) throw gone
        val end = now() + LOOK_MS
        var left = NODES
        val found =
            Fingerprint.of(app, known.node) { left-- > 0 && now() < end } ?: throw FaultException(Fault.TIMED_OUT, "too much to look at")
        if (found != expect) throw FaultException(Fault.CHANGED, "")
        val look = attempt { known.node.look() } ?: throw gone
        return Target(platform, windows, window, known.node, look)
    }

    private fun act(
        target: Target,
        action: NodeAction,
        text: String?,
    ) {
        val node = target.node
        when (action) {
            NodeAction.TAP -> if (!node.act(AccessibilityNodeInfo.ACTION_CLICK)) touch(target, TAP_MS)
            NodeAction.LONG_PRESS -> if (!node.act(AccessibilityNodeInfo.ACTION_LONG_CLICK)) touch(target, LONG_MS)
            NodeAction.TYPE -> type(target, text.orEmpty())
            NodeAction.SCROLL_FORWARD -> insist(node.act(AccessibilityNodeInfo.ACTION_SCROLL_FORWARD), "it is at its end")
            NodeAction.SCROLL_BACKWARD -> insist(node.act(AccessibilityNodeInfo.ACTION_SCROLL_BACKWARD), "it is at its end")
            NodeAction.SCROLL_TO -> {
                // An app also says no to what need not be moved.
                val isThere = node.act(AccessibilityAction.ACTION_SHOW_ON_SCREEN.id) || (!target.look.hidden && !visible(target).empty)
                insist(isThere, "it can't be brought onto the screen")
            }
            NodeAction.SUBMIT -> {
                if (Build.VERSION.SDK_INT < Build.VERSION_CODES.R) throw FaultException(Fault.UNSUPPORTED, "it needs Android 11")
                // The action of a field without focus does nothing.
                if (!target.look.focused) node.act(AccessibilityNodeInfo.ACTION_FOCUS)
                insist(submit(node), "the field has no action")
            }
        }
    }

    @RequiresApi(Build.VERSION_CODES.R)
    private fun submit(node: ScreenNode) = node.act(AccessibilityAction.ACTION_IME_ENTER.id)

    private fun insist(
        isDone: Boolean,
        otherwise: String,
    ) {
        if (!isDone) throw FaultException(Fault.REFUSED, otherwise)
    }

    /** Puts the text there; the keyboard shows itself afterwards as it did before. */
    private fun type(
        target: Target,
        text: String,
    ) {
        val before = target.platform.keyboard
        target.platform.keyboard = AccessibilityService.SHOW_MODE_HIDDEN
        try {
            insist(target.node.act(AccessibilityNodeInfo.ACTION_SET_TEXT, text), "the field takes no text")
        } finally {
            target.platform.keyboard = before
        }
    }

    /** What the field holds. Some apps take a moment. */
    private fun readBack(
        node: ScreenNode,
        typed: String,
    ): String {
        var read = ""
        repeat(READINGS) {
            read = attempt { if (node.refresh()) node.look().text else null } ?: return read
            if (read == typed) return read
            sleep(READING_MS)
        }
        return read
    }

    /** A finger on the middle of what can be seen of the node, unless something lies over it. */
    private fun touch(
        target: Target,
        durationMs: Int,
    ) {
        val part = visible(target)
        if (target.look.hidden || part.empty) throw FaultException(Fault.REFUSED, "it is not on the screen")
        val spot = part.centre
        val covered = target.windows.takeWhile { it !== target.window }.any { spot in it.bounds }
        if (covered) throw FaultException(Fault.REFUSED, "another window lies over it")
        touches.stroke(target.platform, spot, spot, durationMs)
    }

    private fun visible(target: Target): Box {
        var part =
            target.look.bounds
                .intersection(target.platform.panel().bounds)
                .intersection(target.window.bounds)
        var above = attempt { target.node.parent() }
        var left = DEPTH
        while (above != null && left-- > 0) {
            val outer = above
            part = part.intersection(attempt { outer.look().bounds } ?: break)
            above = attempt { outer.parent() }
        }
        return part
    }

    private inline fun <T> attempt(block: () -> T?): T? =
        try {
            block()
        } catch (_: RuntimeException) {
            null
        }

    private companion object {
        const val LOOK_MS = 2_000L
        const val NODES = 4_000
        const val DEPTH = 200
        const val TAP_MS = 60
        const val LONG_MS = 800
        const val READINGS = 6
        const val READING_MS = 60L
    }
}
