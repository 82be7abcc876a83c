// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.Manifest
import android.app.AppOpsManager
import android.app.Notification
import android.app.NotificationManager
import android.app.PendingIntent
import android.app.RemoteInput
import android.app.usage.UsageStatsManager
import android.content.ClipData
import android.content.ClipboardManager
import android.content.Intent
import android.graphics.drawable.Icon
import android.hardware.camera2.CameraCharacteristics
import android.hardware.camera2.CameraManager
import android.location.Location
import android.location.LocationManager
import android.os.BatteryManager
import android.provider.Settings
import app.tauri.annotation.Command
import org.json.JSONArray
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Assert.fail
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowCameraCharacteristics
import org.robolectric.shadows.ShadowUsageStatsManager.UsageStatsBuilder
import java.io.File

/** The plugin keeps to `contract.json`: it takes every example of a request, and its replies have the shape of the examples. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class ContractTest {
    private val contract = JSONObject(contractFile().readText())
    private val bench = Bench()
    private val phone = Phone(bench.app)

    private fun contractFile(): File {
        System.getProperty("bailey.contract")?.let { return File(it) }
        val start = File("").absoluteFile
        return generateSequence(start) { it.parentFile }
            .flatMap { sequenceOf(File(it, "contract.json"), File(it, "android-plugins/contract.json")) }
            .firstOrNull { it.isFile } ?: error("no contract.json above $start")
    }

    private fun examples(): List<JSONObject> {
        val all = contract.getJSONArray("requests")
        return List(all.length()) { all.getJSONObject(it) }.filter { it.getString("channel") == "device" }
    }

    @Test
    fun everyCommandIsThereAndNoOther() {
        val commands =
            DevicePlugin::class.java.declaredMethods
                .filter { it.isAnnotationPresent(Command::class.java) }
                .map { it.name }
                .toSet()
        assertEquals(examples().map { it.getString("command") }.toSet(), commands)
    }

    @Test
    fun everyFaultIsOfTheContract() {
        val names = contract.getJSONArray("faults").let { list -> List(list.length()) { list.getString(it) } }
        for (fault in Fault.entries) assertTrue(fault.code, fault.code in names)
    }

    @Test
    fun everyExampleIsTakenAndAnsweredInItsShape() {
        arrange()
        for (example in examples()) {
            val command = example.getString("command")
            val reply = bench.call(command, example.getJSONObject("request").toString())
            if (command in setOf("permissionStates", "requestPermission")) {
                // The names are free.
                assertEquals(command, setOf("permissions"), reply.keys().asSequence().toSet())
                val states = reply.getJSONObject("permissions")
                states.keys().forEach { assertTrue("$command $it", states.get(it) is Boolean) }
                assertEquals(command, true, states.getBoolean("contacts"))
            } else {
                same(command, example.getJSONObject("reply"), reply)
            }
        }
    }

    /** The same fields with the same kinds of values; every element of a list like the first of the example. */
    private fun same(
        path: String,
        want: Any,
        got: Any,
    ) {
        when (want) {
            is JSONObject -> {
                if (got !is JSONObject) return fail("$path: $got")
                val free = if (path in choosers) setOf("app") else emptySet()
                assertEquals(path, want.keys().asSequence().toSet() - free, got.keys().asSequence().toSet())
                for (key in got.keys()) same("$path.$key", want.get(key), got.get(key))
            }
            is JSONArray -> {
                if (got !is JSONArray) return fail("$path: $got")
                assertTrue("$path is empty", got.length() > 0)
                for (index in 0 until got.length()) same(path, want.get(0), got.get(index))
            }
            is Number -> assertTrue("$path: $got", got is Number)
            else -> assertEquals(path, want.javaClass, got.javaClass)
        }
    }

    /** The system asks the person which app it shall be, so none is named. */
    private val choosers = setOf("shareText")

    private fun arrange() {
        bench.grant(
            Manifest.permission.READ_CONTACTS,
            Manifest.permission.READ_CALENDAR,
            Manifest.permission.WRITE_CALENDAR,
            Manifest.permission.ACCESS_COARSE_LOCATION,
            Manifest.permission.ACCESS_FINE_LOCATION,
        )
        phone.setMode(AppOpsManager.OPSTR_GET_USAGE_STATS, AppOpsManager.MODE_ALLOWED)
        phone.setMode(AppOpsManager.OPSTR_WRITE_SETTINGS, AppOpsManager.MODE_ALLOWED)
        apps()
        AddressBook.open().add(1, "Ada", listOf("+49 89 1234"), listOf("ada@example.org"))
        Almanac.open().add(1, "Personal", primary = true)
        bench.app.getSystemService(ClipboardManager::class.java).setPrimaryClip(ClipData.newPlainText("a", "copied"))
        val here = Location("gps").apply { accuracy = 12.5f }
        shadowOf(bench.app.getSystemService(LocationManager::class.java)).simulateLocation("gps", here)
        @Suppress("DEPRECATION")
        bench.app.sendStickyBroadcast(
            Intent(Intent.ACTION_BATTERY_CHANGED)
                .putExtra(BatteryManager.EXTRA_LEVEL, 80)
                .putExtra(BatteryManager.EXTRA_SCALE, 100)
                .putExtra(BatteryManager.EXTRA_PLUGGED, 1),
        )
        val camera = ShadowCameraCharacteristics.newCameraCharacteristics()
        shadowOf(camera).set(CameraCharacteristics.FLASH_INFO_AVAILABLE, true)
        shadowOf(bench.app.getSystemService(CameraManager::class.java)).addCamera("0", camera)
        notification()
    }

    private fun apps() {
        phone.install("org.example.chat", "Chat", "2.1")
        phone.takes("org.example.chat", Intent.ACTION_VIEW, listOf("http", "https", "geo"))
        phone.takes("org.example.chat", Intent.ACTION_DIAL, listOf("tel"))
        phone.takes("org.example.chat", Intent.ACTION_SENDTO, listOf("mailto"))
        phone.takes("org.example.chat", Intent.ACTION_SEND, type = "text/plain")
        phone.takes("org.example.chat", Settings.ACTION_WIFI_SETTINGS)
        val time =
            UsageStatsBuilder
                .newBuilder()
                .setPackageName("org.example.chat")
                .setFirstTimeStamp(1_790_000_000_000)
                .setLastTimeStamp(1_790_086_400_000)
                .setTotalTimeInForeground(3_600_000)
                .build()
        shadowOf(bench.app.getSystemService(UsageStatsManager::class.java)).addUsageStats(UsageStatsManager.INTERVAL_BEST, time)
    }

    private fun notification() {
        val reader = Robolectric.setupService(NotificationReader::class.java)
        shadowOf(bench.app.getSystemService(NotificationManager::class.java))
            .setNotificationListenerAccessGranted(NotificationReader.component(bench.app), true)
        reader.onListenerConnected()
        val tap = PendingIntent.getActivity(bench.app, 0, Intent("x"), PendingIntent.FLAG_IMMUTABLE)
        val answer =
            Notification.Action
                .Builder(null as Icon?, "Reply", tap)
                .addRemoteInput(RemoteInput.Builder("r").build())
                .build()
        val shown =
            Notification
                .Builder(bench.app, "c")
                .setContentTitle("Ada")
                .addAction(answer)
                .build()
        shadowOf(reader).addActiveNotification("org.example.chat", 1, shown)
    }
}
