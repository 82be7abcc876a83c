// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.os.SystemClock

/** Joins the service, which the system makes, with the plugin, which Tauri makes. */
internal object Connection {
    /** The service while the system has it connected. */
    @Volatile
    var service: BaileyAccessibilityService? = null
        private set

    /** When the screen last changed, on [SystemClock.uptimeMillis]. */
    @Volatile
    var lastEvent = 0L
        private set

    /** Is called on the main thread when the service comes or goes. */
    @Volatile
    var changed: (() -> Unit)? = null

    fun connected(service: BaileyAccessibilityService) {
        this.service = service
        screenChanged()
        changed?.invoke()
    }

    fun gone(service: BaileyAccessibilityService) {
        if (this.service !== service) return
        this.service = null
        changed?.invoke()
    }

    fun screenChanged() {
        lastEvent = SystemClock.uptimeMillis()
    }
}
