// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.graphics.Bitmap
import android.graphics.BitmapFactory
import android.graphics.ColorSpace
import android.hardware.HardwareBuffer
import android.util.Base64
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config

/** Pictures of the screen. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class ScreenshotTest {
    private val platform = FakePlatform()

    @After
    fun end() {
        Connection.service?.onDestroy()
    }

    private fun sized(
        width: Int,
        height: Int,
        maxEdge: Int,
    ): String {
        val bitmap = Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888)
        platform.onScreenshot = { it(Shot.Taken(bitmap)) }
        val reply = Bench(platform).call("screenshot", """{"maxEdge":$maxEdge}""")
        assertEquals(setOf("width", "height", "format", "data"), reply.keys().asSequence().toSet())
        assertEquals(true, bitmap.isRecycled)
        val file = Base64.decode(reply.getString("data"), Base64.NO_WRAP)
        val read = BitmapFactory.decodeByteArray(file, 0, file.size)
        assertEquals(reply.getInt("width") to reply.getInt("height"), read.width to read.height)
        return "${reply.getInt("width")}x${reply.getInt("height")} ${reply.getString("format")}"
    }

    @Test
    fun asSmallAsAskedFor() {
        assertEquals("576x1280 jpeg", sized(1080, 2400, 1280))
        assertEquals("1280x576 jpeg", sized(2400, 1080, 1280))
        assertEquals("100x50 jpeg", sized(100, 50, 1280))
        assertEquals("10x1 jpeg", sized(1000, 2, 10))
    }

    @Test
    fun withoutSense() {
        for (args in listOf("{}", """{"maxEdge":0}""")) assertEquals("invalid", Bench(platform).code("screenshot", args))
    }

    @Test
    fun tooLate() {
        var late: ((Shot) -> Unit)? = null
        platform.onScreenshot = { late = it }
        assertEquals("timed_out", Bench(platform, 50).code("screenshot", """{"maxEdge":100}"""))
        // Nothing is kept of what comes later.
        val bitmap = Bitmap.createBitmap(1, 1, Bitmap.Config.ARGB_8888)
        late!!(Shot.Taken(bitmap))
        assertEquals(true, bitmap.isRecycled)
    }

    private fun connected(): BaileyAccessibilityService {
        val service = Robolectric.setupService(BaileyAccessibilityService::class.java)
        service.onServiceConnected()
        return service
    }

    @Test
    fun theSystemsErrors() {
        val bench = Bench()
        val service = shadowOf(connected())
        val faults = mapOf(1 to "failed", 2 to "not_granted", 3 to "rate_limited", 4 to "failed", 5 to "failed", 6 to "secure_window")
        for ((error, fault) in faults) {
            service.setTakeScreenshotErrorCode(error)
            assertEquals("$error", fault, bench.code("screenshot", """{"maxEdge":100}"""))
        }
    }

    @Test
    @Config(sdk = [26])
    fun needsAndroid11() {
        val bench = Bench()
        connected()
        assertEquals("unsupported", bench.code("screenshot", """{"maxEdge":100}"""))
    }

    @Test
    @Config(sdk = [30, 34])
    fun whatCantBeRead() {
        val bench = Bench()
        connected()
        // The buffer that Robolectric has here is not one for pictures.
        assertEquals("failed" to "the picture can't be read", bench.fault("screenshot", """{"maxEdge":100}"""))
    }

    @Test
    @Config(sdk = [30, 34])
    fun fromTheSystem() {
        val buffer = HardwareBuffer.create(9, 4, HardwareBuffer.RGBA_8888, 1, HardwareBuffer.USAGE_GPU_SAMPLED_IMAGE)
        val colors = ColorSpace.get(ColorSpace.Named.SRGB)
        val copy = Bitmap.createBitmap(9, 4, Bitmap.Config.ARGB_8888)
        val given = mutableListOf<Pair<HardwareBuffer, ColorSpace>>()
        val camera =
            SystemCamera(connected()) { from, of ->
                assertEquals(false, from.isClosed)
                given += from to of
                copy
            }
        assertEquals(copy, (camera.shot(buffer, colors) as Shot.Taken).bitmap)
        assertEquals(listOf(buffer to colors), given)
        assertEquals(true, buffer.isClosed)
    }
}
