// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.app.ActivityManager
import android.app.usage.StorageStatsManager
import android.content.Intent
import android.net.ConnectivityManager
import android.net.NetworkCapabilities
import android.os.BatteryManager
import android.os.storage.StorageManager
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowBuild
import org.robolectric.shadows.ShadowNetworkCapabilities

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class FactsTest {
    private val bench = Bench()

    private fun battery(
        level: Int,
        scale: Int,
        plugged: Int,
        present: Boolean = true,
    ) {
        val state =
            Intent(Intent.ACTION_BATTERY_CHANGED)
                .putExtra(BatteryManager.EXTRA_LEVEL, level)
                .putExtra(BatteryManager.EXTRA_SCALE, scale)
                .putExtra(BatteryManager.EXTRA_PLUGGED, plugged)
                .putExtra(BatteryManager.EXTRA_PRESENT, present)
        @Suppress("DEPRECATION")
        bench.app.sendStickyBroadcast(state)
    }

    @Test
    fun device() {
        ShadowBuild.setManufacturer("Example")
        ShadowBuild.setModel("One")
        battery(41, 50, BatteryManager.BATTERY_PLUGGED_USB)
        val storage = shadowOf(bench.app.getSystemService(StorageStatsManager::class.java))
        storage.setStorageDeviceFreeAndTotalBytes(StorageManager.UUID_DEFAULT, 40_000_000_000, 128_000_000_000)
        val memory =
            ActivityManager.MemoryInfo().apply {
                totalMem = 8_000_000_000
                availMem = 3_000_000_000
            }
        shadowOf(bench.app.getSystemService(ActivityManager::class.java)).setMemoryInfo(memory)
        val want =
            """
            {"maker":"Example","model":"One","system":"Android 14","batteryPercent":82,"power":"plugged","storageTotal":128000000000,
            "storageFree":40000000000,"memoryTotal":8000000000,"memoryFree":3000000000}
            """
        assertEquals(JSONObject(want).toString(), bench.call("info").toString())
    }

    @Test
    fun battery() {
        assertEquals("unknown", bench.call("info").getString("power"))
        battery(7, 100, 0)
        val reply = bench.call("info")
        assertEquals("battery", reply.getString("power"))
        assertEquals(7, reply.getInt("batteryPercent"))
        battery(0, 100, BatteryManager.BATTERY_PLUGGED_AC, present = false)
        assertEquals(false, bench.call("info").has("batteryPercent"))
        assertEquals("plugged", bench.call("info").getString("power"))
    }

    private fun network(
        transports: List<Int>,
        capabilities: List<Int>,
    ): String {
        val connectivity = bench.app.getSystemService(ConnectivityManager::class.java)
        val now = ShadowNetworkCapabilities.newInstance()
        val shadow = shadowOf(now)
        shadow.clearCapabilities()
        transports.forEach { shadow.addTransportType(it) }
        capabilities.forEach { shadow.addCapability(it) }
        shadowOf(connectivity).setNetworkCapabilities(connectivity.activeNetwork, now)
        val reply = bench.call("network")
        assertEquals(setOf("transport", "validated", "metered", "vpn"), reply.keys().asSequence().toSet())
        return "${reply["transport"]} ${reply["validated"]} ${reply["metered"]} ${reply["vpn"]}"
    }

    @Test
    fun network() {
        val validated = NetworkCapabilities.NET_CAPABILITY_VALIDATED
        val unmetered = NetworkCapabilities.NET_CAPABILITY_NOT_METERED
        assertEquals("wifi true false false", network(listOf(NetworkCapabilities.TRANSPORT_WIFI), listOf(validated, unmetered)))
        assertEquals("mobile true true false", network(listOf(NetworkCapabilities.TRANSPORT_CELLULAR), listOf(validated)))
        assertEquals("ethernet false false false", network(listOf(NetworkCapabilities.TRANSPORT_ETHERNET), listOf(unmetered)))
        val vpn = listOf(NetworkCapabilities.TRANSPORT_VPN, NetworkCapabilities.TRANSPORT_CELLULAR)
        assertEquals("mobile true true true", network(vpn, listOf(validated)))
        assertEquals("other false true false", network(listOf(NetworkCapabilities.TRANSPORT_BLUETOOTH), emptyList()))
    }

    @Test
    fun noNetwork() {
        shadowOf(bench.app.getSystemService(ConnectivityManager::class.java)).setActiveNetworkInfo(null)
        assertEquals("""{"transport":"none","validated":false,"metered":false,"vpn":false}""", bench.call("network").toString())
    }
}
