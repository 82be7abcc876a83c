// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import org.junit.Assert.assertEquals
import org.junit.Test

/** A fingerprint is made as the other side of the contract makes it. */
class FingerprintTest {
    private fun of(node: FakeNode) = Fingerprint.of("app", node) { true }!!

    private fun text(
        text: String,
        vararg children: FakeNode,
    ) = FakeNode(Look(text = text), *children)

    @Test
    fun labelsAreTheTextsOfAllThatStandsInIt() {
        val field = FakeNode(Look(text = "typed", description = "Name", editable = true))
        val icon = FakeNode(Look(description = "icon"))
        val silent = FakeNode(Look(hint = "hint", state = "on"))
        val node = FakeNode(Look("x", "C", "i", "own", "about"), text("a", text("b")), field, silent, icon)
        assertEquals(Fingerprint("app", "C", "i", "own", "about", "a b Name icon"), of(node))
    }

    @Test
    fun theTextOfAFieldDoesNotCount() {
        val node = FakeNode(Look(className = "C", text = "typed", description = "Name", editable = true))
        assertEquals(Fingerprint("app", "C", "", "", "Name", ""), of(node))
    }

    @Test
    fun twoHundredCharactersCount() {
        val wide = "\uD83D\uDE00"
        assertEquals("$wide ${"a".repeat(198)}", of(text("", text(wide), text("a".repeat(300)))).labels)
        assertEquals(wide.repeat(200), of(text("", text(wide.repeat(201)))).labels)
        // The space between two texts counts as well, and may be the last.
        assertEquals("${"a".repeat(199)} ", of(text("", text("a".repeat(199)), text("b"))).labels)
        assertEquals("a".repeat(200), of(text("", text("a".repeat(200)), text("b"))).labels)
    }

    @Test
    fun noneWithoutTime() {
        var left = 2
        assertEquals(null, Fingerprint.of("app", text("a", text("b"), text("c"))) { left-- > 0 })
    }
}
