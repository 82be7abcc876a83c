// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.graphics.Insets
import android.os.Looper
import android.view.WindowInsets
import android.view.WindowManager
import androidx.appcompat.app.AppCompatActivity
import app.tauri.plugin.PluginManager
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config

/** Bailey's own window. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class WindowTest {
    private val bench = Bench()

    private fun isSecure(activity: AppCompatActivity = bench.activity) =
        activity.window.attributes.flags and WindowManager.LayoutParams.FLAG_SECURE != 0

    @Test
    fun picturesAreForbiddenAndAllowed() {
        assertEquals(false, isSecure())
        assertEquals(0, bench.call("setSecure", """{"on":true}""").length())
        assertEquals(true, isSecure())
        bench.call("setSecure", """{"on":false}""")
        assertEquals(false, isSecure())
        assertEquals("invalid", bench.code("setSecure"))
    }

    @Test
    fun aWindowMadeAnewIsAsSecure() {
        bench.call("setSecure", """{"on":true}""")
        PluginManager.onDestroy(bench.activity)
        val next = Robolectric.buildActivity(AppCompatActivity::class.java).setup().get()
        PluginManager.onCreate(next)
        PluginManager.onResume(next)
        assertEquals(true, isSecure(next))
        bench.call("setSecure", """{"on":false}""")
        assertEquals(false, isSecure(next))
        assertEquals("an old one is left alone", true, isSecure())
    }

    @Test
    fun readsWhatCoversTheWindow() {
        val reply = bench.call("readInsets")
        assertEquals(setOf("top", "right", "bottom", "left", "keyboard"), reply.keys().asSequence().toSet())
        assertEquals(0.0, reply.getDouble("keyboard"), 0.0)
    }

    @Test
    fun thereIsNoWindow() {
        PluginManager.onDestroy(bench.activity)
        assertEquals("not_found", bench.code("readInsets"))
    }

    @Test
    @Config(qualifiers = "xhdpi")
    fun tellsWhenTheKeyboardComes() {
        bench.call("readInsets")
        bench.events.clear()
        val insets =
            WindowInsets
                .Builder()
                .setInsets(WindowInsets.Type.statusBars(), Insets.of(0, 48, 0, 0))
                .setInsets(WindowInsets.Type.navigationBars(), Insets.of(0, 0, 0, 96))
                .setInsets(WindowInsets.Type.displayCutout(), Insets.of(10, 60, 0, 0))
                .setInsets(WindowInsets.Type.ime(), Insets.of(0, 0, 0, 600))
                .build()
        repeat(2) {
            bench.activity.window.decorView
                .dispatchApplyWindowInsets(insets)
        }
        shadowOf(Looper.getMainLooper()).idle()
        val event = JSONObject(bench.events.single())
        assertEquals("insets", event.getString("type"))
        val told = event.getJSONObject("insets")
        assertEquals(listOf(30.0, 0.0, 48.0, 5.0, 300.0), listOf("top", "right", "bottom", "left", "keyboard").map(told::getDouble))
    }

    @Test
    @Config(sdk = [26, 29])
    fun onOlderAndroid() {
        val reply = bench.call("readInsets")
        assertEquals(5, reply.length())
        assertEquals(0.0, reply.getDouble("keyboard"), 0.0)
    }
}
