// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.accessibilityservice.AccessibilityServiceInfo
import android.app.ActivityManager
import android.app.ActivityManager.RunningAppProcessInfo
import android.app.KeyguardManager
import android.content.Context
import android.os.Build
import android.view.accessibility.AccessibilityManager
import app.tauri.plugin.PluginManager

/** How Bailey stands towards the person: much is allowed only to the app in front. */
internal interface Front {
    /** An activity of Bailey is on top of the screen. */
    fun isOnTop(): Boolean

    /** Its window takes the keys. */
    fun hasFocus(): Boolean

    /** An activity started now is shown. */
    fun mayStartActivity(): Boolean
}

/** As the system tells it. */
internal class SystemFront(
    private val context: Context,
) : Front {
    override fun isOnTop(): Boolean {
        val process = RunningAppProcessInfo()
        ActivityManager.getMyMemoryState(process)
        return process.importance == RunningAppProcessInfo.IMPORTANCE_FOREGROUND
    }

    override fun hasFocus(): Boolean = PluginManager.activity?.hasWindowFocus() == true

    override fun mayStartActivity(): Boolean {
        if (context.getSystemService(KeyguardManager::class.java).isKeyguardLocked) return false
        return Build.VERSION.SDK_INT < Build.VERSION_CODES.Q || isOnTop() || hasBoundAccessibility()
    }

    /** The system lets an app start activities from the background while it has an accessibility service of that app bound. */
    private fun hasBoundAccessibility(): Boolean =
        context
            .getSystemService(AccessibilityManager::class.java)
            .getEnabledAccessibilityServiceList(AccessibilityServiceInfo.FEEDBACK_ALL_MASK)
            .any { it.resolveInfo?.serviceInfo?.packageName == context.packageName }
}
