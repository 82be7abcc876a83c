// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import org.json.JSONArray
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import kotlin.random.Random

/** What is read of a screen. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class ReadScreenTest {
    private fun node(
        text: String,
        vararg children: FakeNode?,
    ) = FakeNode(Look(app = "org.example.chat", className = "C", text = text), *children)

    private fun read(platform: FakePlatform) = Bench(platform).call("readScreen")

    private fun JSONObject.window(index: Int = 0) = getJSONArray("windows").getJSONObject(index)

    private fun JSONObject.nodes(): List<JSONObject> = getJSONArray("nodes").list()

    private fun JSONArray.list() = List(length()) { getJSONObject(it) }

    private fun JSONObject.tree() = nodes().map { "${it.opt("parent") ?: "-"} ${it.getString("text")}" }

    @Test
    fun eachAfterItsParent() {
        val tree = node("a", node("b", node("c"), node("d")), null, node("e", node("f")))
        val screen = read(FakePlatform(FakeWindow(7, tree)))
        assertEquals(listOf("- a", "0 b", "1 c", "1 d", "0 e", "4 f"), screen.window().tree())
        assertEquals(listOf("1", "2", "3", "4", "5", "6"), screen.window().nodes().map { it.getString("handle") })
        assertEquals(false, screen.getBoolean("cut"))
        assertEquals("org.example.chat", screen.window().getString("app"))
        assertEquals(1080, screen.getInt("width"))
        assertEquals(2400, screen.getInt("height"))
    }

    @Test
    fun everyFieldAndNoEmptyOne() {
        val look =
            Look("a", "C", "i", "t", "d", "", "on", Box(1, 2, 3, 4), true, true, true, true, true, true, false, true, true, true, true)
        val bare = FakeNode(Look(className = "D"))
        val window = FakeWindow(7, FakeNode(look, bare), "system", Box(0, 0, 5, 5), "Title", true)
        val want =
            """{"id":7,"kind":"system","app":"a","title":"Title","focused":true,"bounds":[0,0,5,5],"nodes":[""" +
                """{"handle":"1","class":"C","id":"i","text":"t","description":"d","state":"on","bounds":[1,2,3,4],"hidden":true,""" +
                """"disabled":true,"clickable":true,"longClickable":true,"scrollable":true,"editable":true,"checkable":true,""" +
                """"checked":true,"selected":true,"focused":true},{"parent":0,"handle":"2","class":"D","bounds":[0,0,0,0]}]}"""
        assertEquals(JSONObject(want).toString(), JSONObject(read(FakePlatform(window)).window().toString()).toString())
    }

    @Test
    fun handlesStay() {
        val kept = node("kept")
        val root = node("root", node("old"), kept)
        val platform = FakePlatform(FakeWindow(7, root))
        val bench = Bench(platform)
        bench.call("readScreen")
        root.children[0] = node("new")
        val second = bench.call("readScreen").window().nodes()
        assertEquals(listOf("1", "4", "3"), second.map { it.getString("handle") })
    }

    @Test
    fun handlesAreForgottenInTheEnd() {
        val handles = Handles(most = 2)
        val nodes = List(3) { node("$it") }
        assertEquals("1", handles.of(nodes[0], 1))
        assertEquals("2", handles.of(nodes[1], 1))
        assertEquals("1", handles.of(nodes[0], 1))
        assertEquals("3", handles.of(nodes[2], 1))
        assertEquals(listOf(true, false, true), listOf("1", "2", "3").map { handles.find(it) != null })
        // The same view in another window is another.
        assertEquals("4", handles.of(nodes[0], 2))
    }

    @Test
    fun oddTrees() {
        val root = node("root", node("a"), node("dead").also { it.dead = true }, node("b"))
        // In a circle, and twice.
        root.children += root
        root.children += root.children[0]
        val screen = read(FakePlatform(FakeWindow(1, null), FakeWindow(2, root), FakeWindow(3, node("gone").also { it.dead = true })))
        assertEquals(emptyList<String>(), screen.window(0).tree())
        assertEquals("", screen.window(0).getString("app"))
        assertEquals(listOf("- root", "0 a", "0 b"), screen.window(1).tree())
        assertEquals(emptyList<String>(), screen.window(2).tree())
        assertEquals(false, screen.getBoolean("cut"))
    }

    @Test
    fun tooMany() {
        val many = node("root", *Array(5_000) { node("n") })
        val screen = read(FakePlatform(FakeWindow(1, many), FakeWindow(2, node("behind"))))
        assertEquals(4_000, screen.window(0).nodes().size)
        assertEquals(0, screen.window(1).nodes().size)
        assertEquals(true, screen.getBoolean("cut"))
    }

    @Test
    fun veryDeep() {
        var tree = node("leaf")
        repeat(3_000) { tree = node("x", tree) }
        assertEquals(3_001, read(FakePlatform(FakeWindow(1, tree))).window().nodes().size)
    }

    @Test
    fun tooSlow() {
        // The time is looked at once before and once before each node.
        var time = 0L
        val slow = node("root", node("a"), node("b"))
        val reading = ScreenReading(Handles()) { time.also { time += 900 } }
        val screen = reading.read(FakePlatform(FakeWindow(1, slow)))
        assertEquals(true, screen.getBoolean("cut"))
        assertEquals(listOf("- root", "0 a"), screen.window().tree())
    }

    @Test
    fun locked() {
        val platform = FakePlatform()
        platform.isLocked = true
        assertEquals(true, read(platform).getBoolean("locked"))
    }

    /** What the other side makes of a node it has read, by the rule of the contract. */
    private fun fingerprint(
        window: JSONObject,
        index: Int,
    ): Fingerprint {
        val nodes = window.nodes()
        val inside = mutableSetOf(index)
        val labels = mutableListOf<String>()
        for (at in index + 1..<nodes.size) {
            val other = nodes[at]
            if (other.optInt("parent", -1) !in inside) continue
            inside += at
            val isField = other.optBoolean("editable")
            val label = other.optString("text").takeUnless { isField || it.isEmpty() } ?: other.optString("description")
            if (label.isNotEmpty()) labels += label
        }
        val all =
            labels
                .joinToString(" ")
                .codePoints()
                .limit(200)
                .toArray()
        val node = nodes[index]
        return Fingerprint(
            window.getString("app"),
            node.getString("class"),
            node.optString("id"),
            if (node.optBoolean("editable")) "" else node.optString("text"),
            node.optString("description"),
            String(all, 0, all.size),
        )
    }

    @Test
    fun whatIsReadIsWhatIsHeldAgainstTheScreen() {
        val random = Random(7)
        val words = listOf("", "a", "\uD83D\uDE00\uD83D\uDE00", "你好", "word ".repeat(30))
        val made = mutableListOf<FakeNode>()

        fun tree(depth: Int): FakeNode {
            val look =
                Look("app", "C", words.random(random), words.random(random), words.random(random), editable = random.nextInt(4) == 0)
            val node = FakeNode(look, *Array(if (depth == 0) 0 else random.nextInt(4)) { tree(depth - 1) })
            node.dead = depth < 4 && random.nextInt(10) == 0
            return node
        }

        fun list(node: FakeNode) {
            if (node.dead) return
            made += node
            for (child in node.children) list(child!!)
        }
        repeat(20) {
            made.clear()
            val root = tree(5)
            list(root)
            val window = JSONObject(ScreenReading(Handles()) { 0 }.read(FakePlatform(FakeWindow(1, root))).toString()).window()
            assertEquals(made.size, window.nodes().size)
            for ((index, node) in made.withIndex()) assertEquals(fingerprint(window, index), Fingerprint.of("app", node) { true })
        }
    }

    @Test
    fun halvesOfCharacters() {
        assertEquals("a\uFFFDb", "a\uD83Db".clean())
        assertEquals("a\uD83D\uDE00b", "a\uD83D\uDE00b".clean())
        assertEquals("\uFFFD", "\uDE00".clean())
        assertEquals("", null.clean())
    }
}
