// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.accessibilityservice.AccessibilityService
import android.accessibilityservice.GestureDescription
import android.app.KeyguardManager
import android.content.Context
import android.graphics.Bitmap
import android.graphics.ColorSpace
import android.graphics.Path
import android.hardware.HardwareBuffer
import android.hardware.display.DisplayManager
import android.os.Build
import android.os.Handler
import android.os.Looper
import android.os.PowerManager
import android.util.DisplayMetrics
import android.view.Display
import androidx.annotation.RequiresApi

/** [Platform] as [service] gives it. */
internal class SystemPlatform(
    private val service: AccessibilityService,
) : Platform {
    override fun windows(): List<ScreenWindow> {
        val listed = service.windows.sortedByDescending { it.layer }.map(::SystemWindow)
        return listed.ifEmpty { listOfNotNull(service.rootInActiveWindow?.let(::SystemFrontWindow)) }
    }

    @Suppress("DEPRECATION")
    override fun panel(): Panel {
        val display = system<DisplayManager>().getDisplay(Display.DEFAULT_DISPLAY)
        val metrics = DisplayMetrics().also(display::getRealMetrics)
        return Panel(metrics.widthPixels, metrics.heightPixels, display.rotation)
    }

    override fun locked() = system<KeyguardManager>().isKeyguardLocked

    override fun awake() = system<PowerManager>().isInteractive

    private inline fun <reified T> system(): T = (service as Context).getSystemService(T::class.java)

    override var keyboard: Int
        get() = service.softKeyboardController.showMode
        set(mode) {
            service.softKeyboardController.setShowMode(mode)
        }

    override fun gesture(
        from: Spot,
        to: Spot,
        durationMs: Int,
        done: (Boolean) -> Unit,
    ): Boolean {
        val path = Path()
        path.moveTo(from.x.toFloat(), from.y.toFloat())
        path.lineTo(to.x.toFloat(), to.y.toFloat())
        val stroke = GestureDescription.StrokeDescription(path, 0, durationMs.toLong())
        val told =
            object : AccessibilityService.GestureResultCallback() {
                override fun onCompleted(gesture: GestureDescription?) = done(true)

                override fun onCancelled(gesture: GestureDescription?) = done(false)
            }
        return service.dispatchGesture(GestureDescription.Builder().addStroke(stroke).build(), told, Handler(Looper.getMainLooper()))
    }

    override fun press(action: Int) = service.performGlobalAction(action)

    override fun screenshot(done: (Shot) -> Unit) {
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.R) {
            SystemCamera(service).take(done)
        } else {
            done(Shot.Missed(Fault.UNSUPPORTED, "pictures of the screen need Android 11"))
        }
    }
}

/** Pictures of the screen. */
@RequiresApi(Build.VERSION_CODES.R)
internal class SystemCamera(
    private val service: AccessibilityService,
    private val copy: (HardwareBuffer, ColorSpace) -> Bitmap? = ::copied,
) {
    fun take(done: (Shot) -> Unit) {
        val told =
            object : AccessibilityService.TakeScreenshotCallback {
                override fun onSuccess(screenshot: AccessibilityService.ScreenshotResult) =
                    done(shot(screenshot.hardwareBuffer, screenshot.colorSpace))

                override fun onFailure(errorCode: Int) = done(missed(errorCode))
            }
        service.takeScreenshot(Display.DEFAULT_DISPLAY, { it.run() }, told)
    }

    /** Copies what the system gives, which is in the memory of the graphics chip, and gives it back. */
    fun shot(
        buffer: HardwareBuffer,
        colors: ColorSpace,
    ): Shot =
        try {
            buffer.use { copy(it, colors) }?.let { Shot.Taken(it) }
        } catch (_: RuntimeException) {
            null
        } ?: Shot.Missed(Fault.FAILED, "the picture can't be read")

    companion object {
        @RequiresApi(Build.VERSION_CODES.R)
        private fun copied(
            buffer: HardwareBuffer,
            colors: ColorSpace,
        ): Bitmap? {
            val hardware = Bitmap.wrapHardwareBuffer(buffer, colors) ?: return null
            return hardware.copy(Bitmap.Config.ARGB_8888, false).also { hardware.recycle() }
        }

        fun missed(error: Int) =
            when (error) {
                // Since Android 14; older systems paint such a window black.
                AccessibilityService.ERROR_TAKE_SCREENSHOT_SECURE_WINDOW -> Shot.Missed(Fault.SECURE_WINDOW, "")
                AccessibilityService.ERROR_TAKE_SCREENSHOT_INTERVAL_TIME_SHORT -> Shot.Missed(Fault.RATE_LIMITED, "")
                AccessibilityService.ERROR_TAKE_SCREENSHOT_NO_ACCESSIBILITY_ACCESS -> Shot.Missed(Fault.NOT_GRANTED, "screenshots")
                else -> Shot.Missed(Fault.FAILED, "error $error")
            }
    }
}
