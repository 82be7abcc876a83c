// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

/** Goes through a tree of nodes, each after its parent, children in order. Dead nodes and nodes met before are passed over. */
internal class Walk(
    private val fresh: Boolean,
    private val goOn: () -> Boolean,
    private val visit: (node: ScreenNode, look: Look, parent: Int?) -> Unit,
) {
    private class Level(
        val node: ScreenNode,
        val index: Int,
    ) {
        var next = 0
    }

    private val met = HashSet<Any>()

    /** How many nodes have been visited. */
    private var count = 0

    /** Whether all was seen; `false` when it was told to stop. */
    fun through(root: ScreenNode): Boolean {
        val path = ArrayDeque<Level>()
        if (!goOn()) return false
        enter(root, null, refreshed = true)?.let(path::addLast)
        while (path.isNotEmpty()) {
            val level = path.last()
            if (level.next >= alive(0) { level.node.childCount }) {
                path.removeLast()
                continue
            }
            if (!goOn()) return false
            val child = alive(null) { level.node.child(level.next) }
            level.next += 1
            if (child != null) enter(child, level.index, refreshed = false)?.let(path::addLast)
        }
        return true
    }

    private fun enter(
        node: ScreenNode,
        parent: Int?,
        refreshed: Boolean,
    ): Level? {
        val isNew = alive(false) { met.add(node.identity) }
        if (!isNew || (fresh && !refreshed && !alive(false) { node.refresh() })) return null
        val look = alive(null) { node.look() } ?: return null
        visit(node, look, parent)
        return Level(node, count++)
    }

    /** What [block] says, or [otherwise] when the node has died meanwhile. */
    private inline fun <T> alive(
        otherwise: T,
        block: () -> T,
    ): T =
        try {
            block()
        } catch (_: RuntimeException) {
            otherwise
        }
}
