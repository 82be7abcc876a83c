// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.accessibilityservice.AccessibilityService
import android.view.accessibility.AccessibilityNodeInfo
import android.view.accessibility.AccessibilityNodeInfo.AccessibilityAction
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertThrows
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

/** What is done to a node, and when it is not. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class PerformTest {
    private val box = Box(100, 200, 300, 400)
    private val node = FakeNode(Look(app = "a", className = "C", id = "i", text = "Send", description = "d", bounds = box))
    private val root = FakeNode(Look(app = "a", className = "R", bounds = Box(0, 0, 1080, 2400)), node)
    private val platform = FakePlatform(FakeWindow(7, root))
    private val bench = Bench(platform)
    private val click = listOf(AccessibilityNodeInfo.ACTION_CLICK to null)

    private fun args(
        action: String,
        text: String? = null,
        handle: String = "2",
        expect: JSONObject = expected(),
    ): String {
        val args = JSONObject().put("handle", handle).put("expect", expect).put("action", action)
        if (text != null) args.put("text", text)
        return args.toString()
    }

    private fun expected(
        text: String = if (node.look.editable) "" else node.look.text,
        labels: String = "",
    ): JSONObject =
        JSONObject()
            .put("app", "a")
            .put("class", "C")
            .put("id", "i")
            .put("text", text)
            .put("description", "d")
            .put("labels", labels)

    private fun field() {
        node.look = node.look.copy(editable = true, text = "old")
        node.onAct = { action, text ->
            if (action == AccessibilityNodeInfo.ACTION_SET_TEXT) node.look = node.look.copy(text = text!!)
            true
        }
        bench.call("readScreen")
    }

    @Test
    fun tap() {
        bench.call("readScreen")
        assertEquals("""{"bounds":[100,200,300,400]}""", bench.call("perform", args("tap")).toString())
        assertEquals(click, node.acts)
        assertEquals(0, platform.gestures.size)
    }

    @Test
    fun tapByFingerWhatTakesNoClick() {
        bench.call("readScreen")
        node.onAct = { _, _ -> false }
        root.look = root.look.copy(bounds = Box(0, 0, 1080, 300))
        bench.call("perform", args("tap"))
        // The middle of what can be seen of it.
        assertEquals(listOf(Triple(Spot(200, 250), Spot(200, 250), 60)), platform.gestures)
        bench.call("perform", args("long_press"))
        assertEquals(Triple(Spot(200, 250), Spot(200, 250), 800), platform.gestures[1])
    }

    @Test
    fun noFingerOnWhatIsCoveredOrNotThere() {
        bench.call("readScreen")
        node.onAct = { _, _ -> false }
        val window = platform.shown[0]
        platform.shown = listOf(FakeWindow(8, null, "overlay", Box(150, 250, 250, 350)), window)
        assertEquals("refused" to "another window lies over it", bench.fault("perform", args("tap")))
        platform.shown = listOf(window)
        node.look = node.look.copy(hidden = true)
        assertEquals("refused" to "it is not on the screen", bench.fault("perform", args("tap")))
        node.look = node.look.copy(hidden = false, bounds = Box(100, 2400, 300, 2600))
        assertEquals("refused" to "it is not on the screen", bench.fault("perform", args("tap")))
        node.look = node.look.copy(bounds = Box(5, 5, 5, 5))
        assertEquals("refused" to "it is not on the screen", bench.fault("perform", args("tap")))
        assertEquals(0, platform.gestures.size)
        platform.onGesture = { false }
        node.look = node.look.copy(bounds = box)
        assertEquals("refused", bench.code("perform", args("tap")))
    }

    @Test
    fun longPressAndScroll() {
        bench.call("readScreen")
        for (action in listOf("long_press", "scroll_forward", "scroll_backward", "scroll_to")) bench.call("perform", args(action))
        val want =
            listOf(
                AccessibilityNodeInfo.ACTION_LONG_CLICK,
                AccessibilityNodeInfo.ACTION_SCROLL_FORWARD,
                AccessibilityNodeInfo.ACTION_SCROLL_BACKWARD,
                AccessibilityAction.ACTION_SHOW_ON_SCREEN.id,
            )
        assertEquals(want, node.acts.map { it.first })
        node.onAct = { _, _ -> false }
        assertEquals("refused", bench.code("perform", args("scroll_forward")))
        assertEquals("refused", bench.code("perform", args("scroll_backward")))
        // What is there already need not be moved.
        bench.call("perform", args("scroll_to"))
        node.look = node.look.copy(hidden = true)
        assertEquals("refused", bench.code("perform", args("scroll_to")))
    }

    @Test
    fun boundsAreThoseAfterwards() {
        bench.call("readScreen")
        node.onAct = { _, _ -> true.also { node.look = node.look.copy(bounds = Box(1, 2, 3, 4)) } }
        assertEquals("[1,2,3,4]", bench.call("perform", args("scroll_to")).getString("bounds"))
        node.onAct = { _, _ -> true.also { node.dead = true } }
        assertEquals("[1,2,3,4]", bench.call("perform", args("tap")).getString("bounds"))
    }

    @Test
    fun type() {
        field()
        val reply = bench.call("perform", args("type", "你好\nyou"))
        assertEquals("你好\nyou", reply.getString("text"))
        assertEquals(listOf(AccessibilityNodeInfo.ACTION_SET_TEXT to "你好\nyou"), node.acts)
        assertEquals(listOf(AccessibilityService.SHOW_MODE_HIDDEN, 2), platform.keyboards)
        // An empty text empties it.
        assertEquals("", bench.call("perform", args("type", "")).getString("text"))
    }

    @Test
    fun whatTheFieldMakesOfIt() {
        field()
        node.onAct = { _, text -> true.also { node.look = node.look.copy(text = text!!.take(3)) } }
        assertEquals("123", bench.call("perform", args("type", "12345")).getString("text"))
        node.onAct = { _, _ -> false }
        assertEquals("refused", bench.code("perform", args("type", "x")))
        node.onAct = { _, _ -> throw IllegalStateException() }
        assertEquals("failed" to "IllegalStateException", bench.fault("perform", args("type", "x")))
        // The keyboard is as it was, whatever happened.
        assertEquals(listOf(1, 2, 1, 2, 1, 2), platform.keyboards)
    }

    @Test
    fun passwords() {
        field()
        node.look = node.look.copy(password = true)
        assertEquals("password", bench.code("perform", args("type", "x")))
        assertEquals("password", bench.code("perform", args("submit")))
        assertEquals(0, node.acts.size)
        assertEquals(0, platform.keyboards.size)
        bench.call("perform", args("tap"))
        assertEquals(click, node.acts)
    }

    @Test
    fun submit() {
        field()
        bench.call("perform", args("submit"))
        assertEquals(listOf(AccessibilityNodeInfo.ACTION_FOCUS, AccessibilityAction.ACTION_IME_ENTER.id), node.acts.map { it.first })
        node.look = node.look.copy(focused = true)
        node.onAct = { _, _ -> false }
        assertEquals("refused", bench.code("perform", args("submit")))
        assertEquals(3, node.acts.size)
    }

    @Test
    @Config(sdk = [26])
    fun submitNeedsAndroid11() {
        field()
        assertEquals("unsupported", bench.code("perform", args("submit")))
        assertEquals(0, node.acts.size)
    }

    @Test
    fun onlyFieldsAreTypedInto() {
        bench.call("readScreen")
        assertEquals("invalid", bench.code("perform", args("type", "x")))
        assertEquals("invalid", bench.code("perform", args("submit")))
        node.look = node.look.copy(disabled = true)
        assertEquals("refused", bench.code("perform", args("tap")))
        assertEquals(0, node.acts.size)
    }

    @Test
    fun changed() {
        bench.call("readScreen")
        val other = mapOf("app" to "b", "class" to "D", "id" to "j", "text" to "Pay", "description" to "e", "labels" to "x")
        for ((name, value) in other) assertEquals(name, "changed", bench.code("perform", args("tap", expect = expected().put(name, value))))
        // It changes with the last look at it.
        node.onRefresh = { node.look = node.look.copy(text = "Pay") }
        assertEquals("changed", bench.code("perform", args("tap", expect = expected("Send"))))
        assertEquals(0, node.acts.size)
    }

    @Test
    fun aTextInItChangesWithTheLastLook() {
        val label = FakeNode(Look(text = "To Ada"))
        node.children += label
        bench.call("readScreen")
        bench.call("perform", args("tap", expect = expected(labels = "To Ada")))
        label.onRefresh = { label.look = label.look.copy(text = "To Eve") }
        assertEquals("changed", bench.code("perform", args("tap", expect = expected(labels = "To Ada"))))
        label.dead = true
        bench.call("perform", args("tap"))
        assertEquals(2, node.acts.size)
    }

    @Test
    fun gone() {
        assertEquals("not_found" to "no such node", bench.fault("perform", args("tap")))
        bench.call("readScreen")
        assertEquals("not_found", bench.code("perform", args("tap", handle = "9")))
        node.dead = true
        assertEquals("not_found" to "the node has gone", bench.fault("perform", args("tap")))
        node.dead = false
        platform.shown = listOf(FakeWindow(8, root))
        assertEquals("not_found" to "the node has gone", bench.fault("perform", args("tap")))
        platform.shown = listOf(FakeWindow(7, null))
        assertEquals("not_found", bench.code("perform", args("tap")))
    }

    @Test
    fun locked() {
        bench.call("readScreen")
        platform.isLocked = true
        assertEquals("locked", bench.code("perform", args("tap")))
        assertEquals(0, node.acts.size)
    }

    @Test
    fun aTouchOfThePersonMeanwhile() {
        val own = OwnTouches { 1_000 }
        val handles = Handles()
        val handle = handles.of(node, 7)
        val hands = Hands(handles, Touches(own), own, { 1_000 })
        val perform =
            PerformArgs().also {
                it.handle = handle
                it.action = "tap"
                it.expect =
                    FingerprintArgs().also { look ->
                        look.app = "a"
                        look.className = "C"
                        look.id = "i"
                        look.text = "Send"
                        look.description = "d"
                        look.labels = ""
                    }
            }
        platform.onWindows = { own.isPerson() }
        val fault = assertThrows(FaultException::class.java) { hands.perform(platform, perform) }
        assertEquals(Fault.DECLINED, fault.fault)
        assertEquals(0, node.acts.size)
    }

    @Test
    fun withoutSense() {
        bench.call("readScreen")
        assertEquals("invalid", bench.code("perform", "{}"))
        assertEquals("invalid", bench.code("perform", args("eat")))
        assertEquals("invalid", bench.code("perform", args("type")))
        assertEquals("invalid", bench.code("perform", """{"handle":"2","action":"tap"}"""))
        assertEquals("invalid", bench.code("perform", """{"handle":"2","action":"tap","expect":{}}"""))
        assertEquals("invalid", bench.code("perform", """{"handle":[]}"""))
    }
}
