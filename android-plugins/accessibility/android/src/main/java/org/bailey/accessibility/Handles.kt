// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

/** Gives nodes their handles. Of [most] nodes at most are known; those that were not seen for the longest are forgotten. */
internal class Handles(
    private val most: Int = 8_000,
) {
    /** A node that was read, and the number of its window. */
    class Known(
        val handle: String,
        val node: ScreenNode,
        val window: Int,
    )

    private data class Key(
        val window: Int,
        val node: Any,
    )

    private val byNode = LinkedHashMap<Key, Known>()
    private val byHandle = HashMap<String, Known>()
    private var last = 0L

    /** The handle of a node: the one it had, or a new one. */
    @Synchronized
    fun of(
        node: ScreenNode,
        window: Int,
    ): String {
        val key = Key(window, node.identity)
        // What was read last is the freshest, and goes to the end.
        val handle = byNode.remove(key)?.handle ?: (++last).toString()
        val known = Known(handle, node, window)
        byNode[key] = known
        byHandle[handle] = known
        if (byNode.size > most) {
            val oldest = byNode.entries.first()
            byNode.remove(oldest.key)
            byHandle.remove(oldest.value.handle)
        }
        return handle
    }

    @Synchronized
    fun find(handle: String): Known? = byHandle[handle]
}
