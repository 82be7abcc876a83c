// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.Activity
import android.graphics.Rect
import android.os.Build
import android.view.View
import android.view.ViewTreeObserver
import android.view.WindowInsets
import android.view.WindowManager
import androidx.annotation.RequiresApi
import app.tauri.plugin.JSObject

/** What covers the edges of the window, in CSS pixels. */
internal data class Edges(
    val top: Double,
    val right: Double,
    val bottom: Double,
    val left: Double,
    val keyboard: Double,
) {
    fun json(): JSObject =
        JSObject().apply {
            put("top", top)
            put("right", right)
            put("bottom", bottom)
            put("left", left)
            put("keyboard", keyboard)
        }
}

/** Bailey's own window: what covers it, and whether it may be pictured. On the main thread only. */
internal class OwnWindow(
    private val changed: (Edges) -> Unit,
) {
    private var activity: Activity? = null
    private var secure = false
    private var last: Edges? = null
    private val onLayout = ViewTreeObserver.OnGlobalLayoutListener { edges()?.let(::tell) }

    /** The window is now that of [activity]; an earlier one is left. */
    fun follow(activity: Activity) {
        if (this.activity === activity) return
        this.activity?.let(::leave)
        this.activity = activity
        if (secure) apply(activity)
        val decor = activity.window.decorView
        decor.setOnApplyWindowInsetsListener { view, insets ->
            tell(edges(view, insets))
            view.onApplyWindowInsets(insets)
        }
        // Before Android 11 the keyboard is seen only in what was laid out.
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.R) decor.viewTreeObserver.addOnGlobalLayoutListener(onLayout)
    }

    /** [activity] is gone, or another took its place. */
    fun leave(activity: Activity) {
        if (this.activity !== activity) return
        this.activity = null
        val decor = activity.window.decorView
        decor.setOnApplyWindowInsetsListener(null)
        decor.viewTreeObserver.removeOnGlobalLayoutListener(onLayout)
    }

    /** Lasts when the activity is made anew. */
    fun setSecure(args: SetSecureArgs): JSObject {
        secure = args.on.required("on")
        activity?.let(::apply)
        return JSObject()
    }

    private fun apply(activity: Activity) {
        val flag = WindowManager.LayoutParams.FLAG_SECURE
        if (secure) activity.window.addFlags(flag) else activity.window.clearFlags(flag)
    }

    fun read(): JSObject {
        val edges = edges() ?: throw FaultException(Fault.NOT_FOUND, "there is no window")
        last = edges
        return edges.json()
    }

    private fun tell(edges: Edges) {
        if (edges == last) return
        last = edges
        changed(edges)
    }

    private fun edges(): Edges? {
        val decor = activity?.window?.decorView ?: return null
        return decor.rootWindowInsets?.let { edges(decor, it) }
    }

    private fun edges(
        decor: View,
        insets: WindowInsets,
    ): Edges {
        val density = decor.resources.displayMetrics.density
        return if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.R) typed(insets, density) else untyped(decor, insets, density)
    }

    @RequiresApi(Build.VERSION_CODES.R)
    private fun typed(
        insets: WindowInsets,
        density: Float,
    ): Edges {
        val bars = insets.getInsets(WindowInsets.Type.systemBars() or WindowInsets.Type.displayCutout())
        val keyboard = insets.getInsets(WindowInsets.Type.ime()).bottom
        return edges(Rect(bars.left, bars.top, bars.right, bars.bottom), keyboard, density)
    }

    /** Before Android 11 nothing tells of the keyboard but what it leaves visible. */
    @Suppress("DEPRECATION")
    private fun untyped(
        decor: View,
        insets: WindowInsets,
        density: Float,
    ): Edges {
        val bars =
            Rect(insets.stableInsetLeft, insets.systemWindowInsetTop, insets.stableInsetRight, insets.stableInsetBottom)
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) cutOut(insets, bars)
        val visible = Rect()
        decor.getWindowVisibleDisplayFrame(visible)
        val place = IntArray(2)
        decor.getLocationOnScreen(place)
        val covered = if (visible.isEmpty) 0 else place[1] + decor.height - visible.bottom
        // The navigation bar covers something, too, but never as much as a keyboard.
        val keyboard = if (covered > SMALLEST_KEYBOARD * density) covered else 0
        return edges(bars, keyboard, density)
    }

    @RequiresApi(Build.VERSION_CODES.P)
    private fun cutOut(
        insets: WindowInsets,
        bars: Rect,
    ) {
        val cutOut = insets.displayCutout ?: return
        bars.left = maxOf(bars.left, cutOut.safeInsetLeft)
        bars.top = maxOf(bars.top, cutOut.safeInsetTop)
        bars.right = maxOf(bars.right, cutOut.safeInsetRight)
        bars.bottom = maxOf(bars.bottom, cutOut.safeInsetBottom)
    }

    private fun edges(
        bars: Rect,
        keyboard: Int,
        density: Float,
    ): Edges {
        fun css(pixels: Int) = pixels.toDouble() / density
        return Edges(css(bars.top), css(bars.right), css(bars.bottom), css(bars.left), css(keyboard))
    }

    private companion object {
        /** In CSS pixels. */
        const val SMALLEST_KEYBOARD = 100
    }
}
