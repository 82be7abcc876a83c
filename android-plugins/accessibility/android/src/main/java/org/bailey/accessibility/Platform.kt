// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.graphics.Bitmap

/** A rectangle in pixels of the screen. */
internal data class Box(
    val left: Int,
    val top: Int,
    val right: Int,
    val bottom: Int,
) {
    val empty get() = left >= right || top >= bottom
    val centre get() = Spot(left + (right - left) / 2, top + (bottom - top) / 2)

    fun intersection(other: Box) =
        Box(maxOf(left, other.left), maxOf(top, other.top), minOf(right, other.right), minOf(bottom, other.bottom))

    operator fun contains(spot: Spot) = spot.x in left..<right && spot.y in top..<bottom
}

/** A point in pixels of the screen. */
internal data class Spot(
    val x: Int,
    val y: Int,
)

/** What a node looks like. A text that it does not have is empty; that of a password field is never read. */
internal data class Look(
    val app: String = "",
    val className: String = "",
    val id: String = "",
    val text: String = "",
    val description: String = "",
    val hint: String = "",
    val state: String = "",
    val bounds: Box = Box(0, 0, 0, 0),
    val hidden: Boolean = false,
    val disabled: Boolean = false,
    val clickable: Boolean = false,
    val longClickable: Boolean = false,
    val scrollable: Boolean = false,
    val editable: Boolean = false,
    val password: Boolean = false,
    val checkable: Boolean = false,
    val checked: Boolean = false,
    val selected: Boolean = false,
    val focused: Boolean = false,
)

/** A node of the screen. Any of this may throw when the node dies. */
internal interface ScreenNode {
    /** Equal for the same node, over several readings. */
    val identity: Any
    val childCount: Int

    fun look(): Look

    fun child(index: Int): ScreenNode?

    fun parent(): ScreenNode?

    /** Asks its app how it is now; `false` when it has gone. */
    fun refresh(): Boolean

    /** Does something to it, by the number of the system's action; `false` when its app refuses. */
    fun act(
        action: Int,
        text: String? = null,
    ): Boolean
}

/** A window of the screen. */
internal interface ScreenWindow {
    val id: Int
    val kind: String
    val title: String
    val focused: Boolean
    val bounds: Box

    fun root(): ScreenNode?
}

/** The screen itself; [rotation] in quarter turns. */
internal data class Panel(
    val width: Int,
    val height: Int,
    val rotation: Int,
) {
    val bounds get() = Box(0, 0, width, height)
}

/** A picture of the screen that was asked for. */
internal sealed interface Shot {
    /** It came. */
    class Taken(
        val bitmap: Bitmap,
    ) : Shot

    /** It did not. */
    class Missed(
        val fault: Fault,
        val detail: String,
    ) : Shot
}

/** What the accessibility service is given by the system. Its calls may block while they ask an app. */
internal interface Platform {
    /** Front to back. */
    fun windows(): List<ScreenWindow>

    fun panel(): Panel

    /** Whether the lock screen is up. */
    fun locked(): Boolean

    /** Whether the screen is on. */
    fun awake(): Boolean

    /** How the keyboard shows itself, in the system's numbers. */
    var keyboard: Int

    /** Moves a finger; [done] is told whether it got to its end. `false` when it can't even begin. */
    fun gesture(
        from: Spot,
        to: Spot,
        durationMs: Int,
        done: (Boolean) -> Unit,
    ): Boolean

    /** Does one of the system's global actions; `false` when it refuses. */
    fun press(action: Int): Boolean

    fun screenshot(done: (Shot) -> Unit)
}
