// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

/** What a node looked like when it was chosen; the contract says how it is made. */
internal data class Fingerprint(
    val app: String,
    val className: String,
    val id: String,
    val text: String,
    val description: String,
    val labels: String,
) {
    companion object {
        /** So many characters (Unicode scalar values) of the labels count. */
        private const val LABELS = 200

        /** What [node] looks like now, in a window of [app]; what stands in it is asked anew. `null` when [goOn] stopped it. */
        fun of(
            app: String,
            node: ScreenNode,
            goOn: () -> Boolean,
        ): Fingerprint? {
            var own: Look? = null
            val labels = StringBuilder()
            val isFull = { labels.codePointCount(0, labels.length) >= LABELS }
            val walk =
                Walk(fresh = true, { goOn() && !isFull() }) { _, look, parent ->
                    if (parent == null) {
                        own = look
                    } else {
                        val label = if (look.editable || look.text.isEmpty()) look.description else look.text
                        if (label.isNotEmpty()) {
                            if (labels.isNotEmpty()) labels.append(' ')
                            labels.append(label)
                        }
                    }
                }
            if (!walk.through(node) && !isFull()) return null
            val look = own ?: return null
            if (isFull()) labels.setLength(labels.offsetByCodePoints(0, LABELS))
            val text = if (look.editable) "" else look.text
            return Fingerprint(app, look.className, look.id, text, look.description, labels.toString())
        }
    }
}
