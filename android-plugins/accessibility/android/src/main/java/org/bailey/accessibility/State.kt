// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.accessibilityservice.AccessibilityServiceInfo
import android.content.ComponentName
import android.content.Context
import android.provider.Settings
import android.view.accessibility.AccessibilityManager
import app.tauri.plugin.JSObject
import java.util.concurrent.ExecutionException
import java.util.concurrent.ExecutorService
import java.util.concurrent.Future
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException

/** How the channel stands: switched on, connected, answering. */
internal class State(
    private val context: Context,
    private val platform: () -> Platform?,
    private val pool: ExecutorService,
    private val limitMs: Long = LIMIT_MS,
) {
    private var probe: Future<Boolean>? = null

    /** Asks the system and waits for it, so not on the main thread. */
    fun reply(): JSObject {
        val connected = platform()
        val granted = connected != null || isGranted()
        val answering = connected != null && isAnswering(connected)
        val fault =
            when {
                !granted -> Fault.NOT_GRANTED
                connected == null -> Fault.NOT_BOUND
                !answering -> Fault.NOT_ANSWERING
                else -> null
            }
        val json = JSObject().put("granted", granted).put("bound", connected != null).put("answering", answering)
        if (fault != null) json.put("fault", fault.code)
        return json
    }

    /** The connected service, or what is missing. */
    fun connected(): Platform = platform() ?: throw FaultException(if (isGranted()) Fault.NOT_BOUND else Fault.NOT_GRANTED, "accessibility")

    fun isGranted(): Boolean {
        val own = BaileyAccessibilityService.component(context)
        val listed = Settings.Secure.getString(context.contentResolver, Settings.Secure.ENABLED_ACCESSIBILITY_SERVICES).orEmpty()
        if (listed.split(':').any { ComponentName.unflattenFromString(it) == own }) return true
        return context
            .getSystemService(AccessibilityManager::class.java)
            .getEnabledAccessibilityServiceList(AccessibilityServiceInfo.FEEDBACK_ALL_MASK)
            .any { it.resolveInfo?.serviceInfo?.let { service -> ComponentName(service.packageName, service.name) } == own }
    }

    /** One small question. While one is open no other is asked, so that none pile up. */
    private fun isAnswering(platform: Platform): Boolean =
        try {
            val open =
                synchronized(this) {
                    // With the screen off there may be no window.
                    probe?.takeIf { !it.isDone }
                        ?: pool.submit<Boolean> { platform.windows().isNotEmpty() || !platform.awake() }.also { probe = it }
                }
            open.get(limitMs, TimeUnit.MILLISECONDS)
        } catch (_: TimeoutException) {
            false
        } catch (_: ExecutionException) {
            false
        } catch (_: RejectedExecutionException) {
            false
        }

    private companion object {
        const val LIMIT_MS = 2_000L
    }
}
