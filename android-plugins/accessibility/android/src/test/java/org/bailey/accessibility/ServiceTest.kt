// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.Manifest
import android.accessibilityservice.AccessibilityService
import android.app.KeyguardManager
import android.content.pm.PackageManager
import android.content.pm.ServiceInfo
import android.graphics.PathMeasure
import android.graphics.Rect
import android.hardware.display.DisplayManager
import android.text.InputType
import android.view.View
import android.view.accessibility.AccessibilityNodeInfo
import android.view.accessibility.AccessibilityWindowInfo
import org.json.JSONObject
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.xmlpull.v1.XmlPullParser

/** The real service with the system's own nodes and windows. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [26, 34])
@Suppress("DEPRECATION")
class ServiceTest {
    private val bench = Bench()
    private val service = Robolectric.setupService(BaileyAccessibilityService::class.java).also { it.onServiceConnected() }

    @After
    fun end() = service.onDestroy()

    private fun node(
        name: String,
        text: String? = null,
    ): AccessibilityNodeInfo {
        val node = AccessibilityNodeInfo.obtain(View(bench.activity))
        node.packageName = "org.example.chat"
        node.className = name
        node.text = text
        node.isVisibleToUser = true
        node.isEnabled = true
        node.setBoundsInScreen(Rect(0, 0, 100, 50))
        return node
    }

    private fun window(
        id: Int,
        layer: Int,
        type: Int,
        root: AccessibilityNodeInfo?,
    ): AccessibilityWindowInfo {
        val window = AccessibilityWindowInfo.obtain()
        val shadow = shadowOf(window)
        shadow.setId(id)
        shadow.setLayer(layer)
        shadow.setType(type)
        shadow.setRoot(root)
        shadow.setBoundsInScreen(Rect(0, 0, 320, 470))
        return window
    }

    private fun show(vararg windows: AccessibilityWindowInfo) = shadowOf(service).setWindows(windows.toList())

    private fun read() = bench.call("readScreen")

    private fun JSONObject.windows() = getJSONArray("windows").let { list -> List(list.length()) { list.getJSONObject(it) } }

    private fun JSONObject.nodes() = getJSONArray("nodes").let { list -> List(list.length()) { list.getJSONObject(it) } }

    @Test
    fun frontToBack() {
        show(
            window(1, 0, AccessibilityWindowInfo.TYPE_APPLICATION, node("A")),
            window(2, 3, AccessibilityWindowInfo.TYPE_ACCESSIBILITY_OVERLAY, null),
            window(3, 2, AccessibilityWindowInfo.TYPE_INPUT_METHOD, null),
            window(4, 1, AccessibilityWindowInfo.TYPE_SYSTEM, null),
            window(5, 4, AccessibilityWindowInfo.TYPE_SPLIT_SCREEN_DIVIDER, null),
        )
        val read = read().windows().map { "${it.getInt("id")} ${it.getString("kind")}" }
        assertEquals(listOf("5 divider", "2 overlay", "3 input_method", "4 system", "1 application"), read)
    }

    @Test
    fun theWindowInFrontWhereNoneIsListed() {
        shadowOf(service).setRootInActiveWindow(node("A", "here"))
        val window = read().windows().single()
        assertEquals("application", window.getString("kind"))
        assertEquals("here", window.nodes().single().getString("text"))
    }

    @Test
    fun theScreen() {
        val keyguard = shadowOf(bench.app.getSystemService(KeyguardManager::class.java))
        keyguard.setKeyguardLocked(true)
        assertEquals("""{"width":320,"height":470,"rotation":0,"locked":true,"windows":[],"cut":false}""", read().toString())
        assertEquals("locked", bench.code("pressKey", """{"key":"home"}"""))
        assertEquals(emptyList<Int>(), shadowOf(service).globalActionsPerformed)
        keyguard.setKeyguardLocked(false)
        shadowOf(bench.app.getSystemService(DisplayManager::class.java).getDisplay(0)).setRotation(1)
        assertEquals(false to 1, read().let { it.getBoolean("locked") to it.getInt("rotation") })
    }

    @Test
    fun aNode() {
        val field = node("android.widget.EditText", "Ada")
        field.viewIdResourceName = "org.example.chat:id/name_field"
        field.contentDescription = "Name"
        field.hintText = "Your name"
        field.isEditable = true
        field.isFocused = true
        field.isClickable = true
        field.isEnabled = false
        field.isVisibleToUser = false
        val root = node("R")
        shadowOf(root).addChild(field)
        show(window(1, 0, AccessibilityWindowInfo.TYPE_APPLICATION, root))
        val want =
            """{"parent":0,"handle":"2","class":"android.widget.EditText","id":"name_field","text":"Ada","description":"Name",""" +
                """"bounds":[0,0,100,50],"hidden":true,"disabled":true,"clickable":true,"editable":true,"focused":true}"""
        val window = read().windows().single()
        assertEquals(want, window.nodes()[1].toString())
        assertEquals("org.example.chat", window.getString("app"))
        // The same nodes keep their handles.
        val again = read().windows().single()
        assertEquals(listOf("1", "2"), again.nodes().map { it.getString("handle") })
    }

    @Test
    fun theHintOfAnEmptyField() {
        val field = node("F", "Your name")
        field.hintText = "Your name"
        field.isShowingHintText = true
        show(window(1, 0, AccessibilityWindowInfo.TYPE_APPLICATION, field))
        val read =
            read()
                .windows()
                .single()
                .nodes()
                .single()
        assertEquals(false to "Your name", read.has("text") to read.getString("hint"))
    }

    @Test
    fun passwordsAreNotRead() {
        val field = node("F", "hunter2")
        field.isPassword = true
        field.isEditable = true
        show(window(1, 0, AccessibilityWindowInfo.TYPE_APPLICATION, field))
        val read = read()
        assertEquals(
            true,
            read
                .windows()
                .single()
                .nodes()
                .single()
                .getBoolean("password"),
        )
        assertTrue("hunter2" !in read.toString())
    }

    @Test
    fun aPasswordThatIsShownIsOneStill() {
        val kinds =
            mapOf(
                (InputType.TYPE_CLASS_TEXT or InputType.TYPE_TEXT_VARIATION_VISIBLE_PASSWORD) to true,
                (InputType.TYPE_CLASS_TEXT or InputType.TYPE_TEXT_VARIATION_WEB_PASSWORD) to true,
                (InputType.TYPE_CLASS_TEXT or InputType.TYPE_TEXT_VARIATION_PASSWORD) to true,
                (InputType.TYPE_CLASS_NUMBER or InputType.TYPE_NUMBER_VARIATION_PASSWORD) to true,
                (InputType.TYPE_CLASS_TEXT or InputType.TYPE_TEXT_VARIATION_URI) to false,
                InputType.TYPE_CLASS_PHONE to false,
            )
        for ((kind, isPassword) in kinds) {
            val field = node("F", "hunter2")
            field.inputType = kind
            show(window(1, 0, AccessibilityWindowInfo.TYPE_APPLICATION, field))
            val read =
                read()
                    .windows()
                    .single()
                    .nodes()
                    .single()
            assertEquals("$kind", isPassword to !isPassword, read.has("password") to read.has("text"))
        }
    }

    @Test
    @Config(sdk = [30])
    fun stateInWords() {
        val node = node("Switch")
        node.stateDescription = "on"
        show(window(1, 0, AccessibilityWindowInfo.TYPE_APPLICATION, node))
        assertEquals(
            "on",
            read()
                .windows()
                .single()
                .nodes()
                .single()
                .getString("state"),
        )
    }

    @Test
    fun types() {
        val field = node("F", "old")
        field.isEditable = true
        val typed = mutableListOf<Pair<Int, String?>>()
        shadowOf(field).setOnPerformActionListener { action, with ->
            typed += action to with?.getCharSequence(AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE)?.toString()
            true
        }
        show(window(1, 0, AccessibilityWindowInfo.TYPE_APPLICATION, field))
        val handle =
            read()
                .windows()
                .single()
                .nodes()
                .single()
                .getString("handle")
        val expect = """{"app":"org.example.chat","class":"F","id":"","text":"","description":"","labels":""}"""
        val reply = bench.call("perform", """{"handle":"$handle","expect":$expect,"action":"type","text":"new"}""")
        assertEquals(listOf(AccessibilityNodeInfo.ACTION_SET_TEXT to "new"), typed)
        // Robolectric hands out copies, which do not learn of it.
        assertEquals("""{"text":"old","bounds":[0,0,100,50]}""", reply.toString())
        val controller = service.softKeyboardController
        assertEquals(AccessibilityService.SHOW_MODE_AUTO, controller.showMode)
        shadowOf(field).setRefreshReturnValue(false)
        read()
        assertEquals("not_found", bench.code("perform", """{"handle":"$handle","expect":$expect,"action":"tap"}"""))
    }

    @Test
    fun movesAFinger() {
        val gesture = bench.begin("gesture", """{"from":[10,200],"to":[10,20],"durationMs":300}""")
        until("the gesture") { shadowOf(service).gesturesDispatched.size == 1 }
        val dispatched = shadowOf(service).gesturesDispatched[0]
        val stroke = dispatched.description().getStroke(0)
        assertEquals(0L to 300L, stroke.startTime to stroke.duration)
        assertEquals(180f, PathMeasure(stroke.path, false).length, 0.01f)
        dispatched.callback().onCancelled(dispatched.description())
        assertEquals("refused", gesture.fault().first)
        shadowOf(service).setCanDispatchGestures(false)
        assertEquals("refused", bench.code("gesture", """{"from":[10,20],"to":[10,20],"durationMs":50}"""))
    }

    @Test
    fun pressesAKey() {
        bench.call("pressKey", """{"key":"home"}""")
        assertEquals(listOf(AccessibilityService.GLOBAL_ACTION_HOME), shadowOf(service).globalActionsPerformed)
    }

    @Test
    fun onlyTheSystemBindsIt() {
        val component = BaileyAccessibilityService.component(bench.app)
        val info: ServiceInfo = bench.app.packageManager.getServiceInfo(component, PackageManager.GET_META_DATA)
        assertEquals(Manifest.permission.BIND_ACCESSIBILITY_SERVICE, info.permission)
        val xml = info.loadXmlMetaData(bench.app.packageManager, AccessibilityService.SERVICE_META_DATA)
        while (xml.eventType != XmlPullParser.START_TAG) xml.next()
        val said = List(xml.attributeCount) { xml.getAttributeName(it) to xml.getAttributeValue(it) }.toMap()
        assertEquals("true" to "true", said["canRetrieveWindowContent"] to said["canPerformGestures"])
        assertEquals("true", said["canTakeScreenshot"])
        // It is none of the tools for people with disabilities, nor does it take keys.
        assertEquals(emptySet<String>(), said.keys intersect setOf("isAccessibilityTool", "canRequestFilterKeyEvents"))
    }
}
