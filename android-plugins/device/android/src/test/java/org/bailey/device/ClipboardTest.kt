// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.content.ClipData
import android.content.ClipboardManager
import android.content.Intent
import android.net.Uri
import android.os.PersistableBundle
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class ClipboardTest {
    private val bench = Bench()
    private val clipboard = bench.app.getSystemService(ClipboardManager::class.java)

    private fun read() = bench.call("readClipboard").toString()

    @Test
    fun whatIsSetIsRead() {
        assertEquals("{}", read())
        val text = "two\nlines, \"quoted\" 你好"
        assertEquals("{}", bench.call("setClipboard", JSONObject().put("text", text).toString()).toString())
        assertEquals(text, bench.call("readClipboard").getString("text"))
        bench.call("setClipboard", """{"text":""}""")
        assertEquals("{}", read())
    }

    @Test
    fun onlyTextIsRead() {
        clipboard.setPrimaryClip(ClipData.newRawUri("a", Uri.parse("content://org.example/secret")))
        assertEquals("{}", read())
        clipboard.setPrimaryClip(ClipData.newIntent("a", Intent("x")))
        assertEquals("{}", read())
        val several = ClipData.newPlainText("a", "one")
        several.addItem(ClipData.Item("two"))
        clipboard.setPrimaryClip(several)
        assertEquals("""{"text":"one\ntwo"}""", read())
    }

    @Test
    fun secretsAreNotRead() {
        val secret = ClipData.newPlainText("a", "hunter2")
        secret.description.extras = PersistableBundle().apply { putBoolean("android.content.extra.IS_SENSITIVE", true) }
        clipboard.setPrimaryClip(secret)
        assertEquals("refused", bench.code("readClipboard"))
    }

    @Test
    fun withoutTheFocusItIsNotToldToBeEmpty() {
        bench.call("setClipboard", """{"text":"a"}""")
        bench.front.focus = false
        assertEquals("refused", bench.code("readClipboard"))
        // Writing needs none.
        bench.call("setClipboard", """{"text":"b"}""")
        bench.front.focus = true
        assertEquals("""{"text":"b"}""", read())
    }

    @Test
    fun refusals() {
        assertEquals("invalid", bench.code("setClipboard"))
        assertEquals("invalid", bench.code("setClipboard", """{"text":null}"""))
        assertEquals("too_large", bench.code("setClipboard", """{"text":"${"a".repeat(LONGEST_TEXT + 1)}"}"""))
    }
}
