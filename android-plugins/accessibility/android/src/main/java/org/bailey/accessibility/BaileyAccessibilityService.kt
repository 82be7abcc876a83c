// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.accessibilityservice.AccessibilityService
import android.content.ComponentName
import android.content.Context
import android.content.Intent
import android.view.accessibility.AccessibilityEvent

/** The service that the person switches on in the system's settings. It does nothing by itself. */
class BaileyAccessibilityService : AccessibilityService() {
    public override fun onServiceConnected() = Connection.connected(this)

    /** Only that something changed is noted, nothing of what. */
    override fun onAccessibilityEvent(event: AccessibilityEvent?) = Connection.screenChanged()

    override fun onInterrupt() = Unit

    override fun onUnbind(intent: Intent?): Boolean {
        Connection.gone(this)
        return super.onUnbind(intent)
    }

    override fun onDestroy() {
        Connection.gone(this)
        super.onDestroy()
    }

    internal companion object {
        fun component(context: Context) = ComponentName(context, BaileyAccessibilityService::class.java)
    }
}
