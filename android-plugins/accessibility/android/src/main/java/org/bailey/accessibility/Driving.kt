// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.accessibilityservice.AccessibilityService
import android.annotation.SuppressLint
import android.content.Context
import android.graphics.Color
import android.graphics.PixelFormat
import android.text.TextUtils
import android.view.ContextThemeWrapper
import android.view.Gravity
import android.view.MotionEvent
import android.view.WindowManager
import android.widget.Button
import android.widget.LinearLayout
import android.widget.TextView

/** Shows over everything that Bailey has its hands on the screen. Belongs to the main thread. */
internal class Driving(
    private val own: OwnTouches,
    private val tell: (String) -> Unit,
) {
    private var shown: Bar? = null
    private var on: WindowManager? = null

    fun start(
        service: AccessibilityService,
        args: StartDrivingArgs,
    ) {
        val text = args.text.required("text")
        val stop = args.stop.required("stop")
        if (text.isBlank() || stop.isBlank()) throw invalid("there is nothing to show")
        end()
        val windows = (service as Context).getSystemService(WindowManager::class.java)
        val bar = Bar(ContextThemeWrapper(service, android.R.style.Theme_DeviceDefault), text, stop)
        windows.addView(bar, place())
        on = windows
        shown = bar
    }

    fun end() {
        val bar = shown ?: return
        try {
            on?.removeViewImmediate(bar)
        } catch (_: IllegalArgumentException) {
            // The system took it away together with the service.
        }
        shown = null
        on = null
    }

    private fun place(): WindowManager.LayoutParams {
        // It takes no keys and lets touches beside it through, but hears of them.
        val flags =
            WindowManager.LayoutParams.FLAG_WATCH_OUTSIDE_TOUCH or
                WindowManager.LayoutParams.FLAG_NOT_FOCUSABLE or
                WindowManager.LayoutParams.FLAG_NOT_TOUCH_MODAL
        val wrap = WindowManager.LayoutParams.WRAP_CONTENT
        val type = WindowManager.LayoutParams.TYPE_ACCESSIBILITY_OVERLAY
        return WindowManager.LayoutParams(wrap, wrap, type, flags, PixelFormat.TRANSLUCENT).apply {
            gravity =
                Gravity.TOP or Gravity.CENTER_HORIZONTAL
        }
    }

    private inner class Bar(
        context: Context,
        text: String,
        stop: String,
    ) : LinearLayout(context) {
        init {
            val pad = (PAD * resources.displayMetrics.density).toInt()
            orientation = HORIZONTAL
            gravity = Gravity.CENTER_VERTICAL
            setPadding(pad, 0, pad, 0)
            setBackgroundColor(GROUND)
            val label = TextView(context)
            label.text = text
            label.setTextColor(Color.WHITE)
            label.maxLines = 1
            label.ellipsize = TextUtils.TruncateAt.END
            addView(label, LayoutParams(0, LayoutParams.WRAP_CONTENT, 1f))
            val button = Button(context)
            button.text = stop
            button.setOnClickListener { tell("stop_pressed") }
            addView(button)
        }

        @SuppressLint("ClickableViewAccessibility")
        override fun onTouchEvent(event: MotionEvent): Boolean {
            val isTouch = event.actionMasked == MotionEvent.ACTION_OUTSIDE || event.actionMasked == MotionEvent.ACTION_DOWN
            if (isTouch && own.isPerson()) tell("touched")
            return true
        }
    }

    private companion object {
        const val PAD = 12f
        const val GROUND = 0xE6202020.toInt()
    }
}
