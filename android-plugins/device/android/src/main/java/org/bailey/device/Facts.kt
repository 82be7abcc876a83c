// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.app.ActivityManager
import android.app.usage.StorageStatsManager
import android.content.Context
import android.content.Intent
import android.content.IntentFilter
import android.net.ConnectivityManager
import android.net.NetworkCapabilities
import android.os.BatteryManager
import android.os.Build
import android.os.storage.StorageManager
import app.tauri.plugin.JSObject
import kotlin.math.roundToInt

/** What the device is and how it is. */
internal class Facts(
    private val context: Context,
) {
    fun info(): JSObject {
        val reply =
            JSObject()
                .put("maker", Build.MANUFACTURER)
                .put("model", Build.MODEL)
                .put("system", "Android ${Build.VERSION.RELEASE}")
        // A sticky broadcast: nothing is registered.
        battery(reply, context.registerReceiver(null, IntentFilter(Intent.ACTION_BATTERY_CHANGED)))
        val storage = context.getSystemService(StorageStatsManager::class.java)
        reply.put("storageTotal", storage.getTotalBytes(StorageManager.UUID_DEFAULT))
        reply.put("storageFree", storage.getFreeBytes(StorageManager.UUID_DEFAULT))
        val memory = ActivityManager.MemoryInfo()
        context.getSystemService(ActivityManager::class.java).getMemoryInfo(memory)
        return reply.put("memoryTotal", memory.totalMem).put("memoryFree", memory.availMem)
    }

    private fun battery(
        reply: JSObject,
        state: Intent?,
    ) {
        val level = state?.getIntExtra(BatteryManager.EXTRA_LEVEL, -1) ?: -1
        val scale = state?.getIntExtra(BatteryManager.EXTRA_SCALE, -1) ?: -1
        val present = state?.getBooleanExtra(BatteryManager.EXTRA_PRESENT, true) == true
        if (present && level >= 0 && scale > 0) reply.put("batteryPercent", (level * PERCENT / scale).roundToInt().coerceIn(0, 100))
        val power =
            when (state?.getIntExtra(BatteryManager.EXTRA_PLUGGED, -1) ?: -1) {
                -1 -> "unknown"
                0 -> "battery"
                else -> "plugged"
            }
        reply.put("power", power)
    }

    fun network(): JSObject {
        val connectivity = context.getSystemService(ConnectivityManager::class.java)
        val now = connectivity.activeNetwork?.let { connectivity.getNetworkCapabilities(it) }
        return JSObject()
            .put("transport", transport(now))
            .put("validated", now?.hasCapability(NetworkCapabilities.NET_CAPABILITY_VALIDATED) == true)
            .put("metered", now?.hasCapability(NetworkCapabilities.NET_CAPABILITY_NOT_METERED) == false)
            .put("vpn", now?.hasTransport(NetworkCapabilities.TRANSPORT_VPN) == true)
    }

    /** What carries the connection; a VPN names what it runs over beside itself. */
    private fun transport(now: NetworkCapabilities?): String =
        when {
            now == null -> "none"
            now.hasTransport(NetworkCapabilities.TRANSPORT_ETHERNET) -> "ethernet"
            now.hasTransport(NetworkCapabilities.TRANSPORT_WIFI) -> "wifi"
            now.hasTransport(NetworkCapabilities.TRANSPORT_CELLULAR) -> "mobile"
            else -> "other"
        }

    private companion object {
        const val PERCENT = 100f
    }
}
