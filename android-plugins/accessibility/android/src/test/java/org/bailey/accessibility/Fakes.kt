// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

/** A node as a test has it. */
internal class FakeNode(
    var look: Look = Look(),
    vararg children: FakeNode?,
) : ScreenNode {
    val children = children.toMutableList()
    var above: FakeNode? = null
    var dead = false
    var onRefresh: (() -> Unit)? = null
    val acts = mutableListOf<Pair<Int, String?>>()
    var onAct: (Int, String?) -> Boolean = { _, _ -> true }
    override val identity: Any get() = this
    override val childCount get() = children.size

    init {
        for (child in children) child?.above = this
    }

    override fun look() = if (dead) throw IllegalStateException("it has gone") else look

    override fun child(index: Int): ScreenNode? = children[index]

    override fun parent(): ScreenNode? = above

    override fun refresh(): Boolean {
        onRefresh?.invoke()
        return !dead
    }

    override fun act(
        action: Int,
        text: String?,
    ): Boolean {
        acts += action to text
        return onAct(action, text)
    }
}

internal class FakeWindow(
    override val id: Int,
    val top: FakeNode?,
    override val kind: String = "application",
    override val bounds: Box = Box(0, 0, 1080, 2400),
    override val title: String = "",
    override val focused: Boolean = false,
) : ScreenWindow {
    override fun root() = top
}

internal class FakePlatform(
    vararg windows: FakeWindow,
) : Platform {
    var shown = windows.toList()
    var isLocked = false
    var isAwake = true
    val gestures = mutableListOf<Triple<Spot, Spot, Int>>()
    var onGesture: (done: (Boolean) -> Unit) -> Boolean = { done -> true.also { done(true) } }
    val presses = mutableListOf<Int>()
    var takesKeys = true
    val keyboards = mutableListOf<Int>()
    var onWindows: () -> Unit = {}
    var onScreenshot: ((Shot) -> Unit) -> Unit = {}

    override fun windows(): List<ScreenWindow> {
        onWindows()
        return shown
    }

    override fun panel() = Panel(1080, 2400, 0)

    override fun locked() = isLocked

    override fun awake() = isAwake

    override var keyboard = 2
        set(mode) {
            keyboards += mode
            field = mode
        }

    override fun gesture(
        from: Spot,
        to: Spot,
        durationMs: Int,
        done: (Boolean) -> Unit,
    ): Boolean {
        gestures += Triple(from, to, durationMs)
        return onGesture(done)
    }

    override fun press(action: Int): Boolean {
        presses += action
        return takesKeys
    }

    override fun screenshot(done: (Shot) -> Unit) = onScreenshot(done)
}
