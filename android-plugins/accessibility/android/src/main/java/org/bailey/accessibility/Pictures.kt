// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.graphics.Bitmap
import android.util.Base64
import app.tauri.plugin.JSObject
import java.io.ByteArrayOutputStream
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException

/** Pictures of the screen, as small as asked for. */
internal class Pictures(
    private val limitMs: Long = LIMIT_MS,
) {
    fun take(
        platform: Platform,
        args: ScreenshotArgs,
    ): JSObject {
        val maxEdge = args.maxEdge.within(1..MOST, "maxEdge")
        val end = CompletableFuture<Shot>()
        platform.screenshot { shot -> if (!end.complete(shot) && shot is Shot.Taken) shot.bitmap.recycle() }
        val shot =
            try {
                end.get(limitMs, TimeUnit.MILLISECONDS)
            } catch (_: TimeoutException) {
                // A picture that comes later is let go.
                end.cancel(false)
                throw FaultException(Fault.TIMED_OUT, "no picture came")
            }
        return when (shot) {
            is Shot.Missed -> throw FaultException(shot.fault, shot.detail)
            is Shot.Taken -> written(shot.bitmap, maxEdge)
        }
    }

    private fun written(
        bitmap: Bitmap,
        maxEdge: Int,
    ): JSObject {
        val longer = maxOf(bitmap.width, bitmap.height)
        val small =
            if (longer <=
                maxEdge
            ) {
                bitmap
            } else {
                Bitmap.createScaledBitmap(bitmap, bitmap.width.to(maxEdge, longer), bitmap.height.to(maxEdge, longer), true)
            }
        val bytes = ByteArrayOutputStream()
        val isWritten = small.compress(Bitmap.CompressFormat.JPEG, QUALITY, bytes)
        val reply = JSObject().put("width", small.width).put("height", small.height).put("format", "jpeg")
        if (small !== bitmap) small.recycle()
        bitmap.recycle()
        if (!isWritten) throw FaultException(Fault.FAILED, "the picture can't be written")
        return reply.put("data", Base64.encodeToString(bytes.toByteArray(), Base64.NO_WRAP))
    }

    private fun Int.to(
        maxEdge: Int,
        longer: Int,
    ) = (toLong() * maxEdge / longer).toInt().coerceAtLeast(1)

    private companion object {
        const val LIMIT_MS = 5_000L
        const val MOST = 100_000
        const val QUALITY = 80
    }
}
