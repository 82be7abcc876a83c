// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.Manifest
import android.app.AppOpsManager
import android.app.KeyguardManager
import android.app.NotificationManager
import android.content.Intent
import android.location.Location
import android.location.LocationManager
import android.media.AudioAttributes
import android.media.AudioManager
import android.os.Vibrator
import android.provider.Settings
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config

/** What goes another way on older systems: 26 is the oldest Bailey runs on. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [26])
class OldAndroidTest {
    private val bench = Bench()
    private val phone = Phone(bench.app)

    private fun has(permission: String) = bench.call("permissionStates").getJSONObject("permissions").getBoolean(permission)

    private fun page() =
        bench.activity.launched
            .last()
            .second as Intent

    @Test
    fun permissionsOfTheirTime() {
        phone.setMode(AppOpsManager.OPSTR_GET_USAGE_STATS, AppOpsManager.MODE_ALLOWED)
        assertEquals(true, has("usage"))
        assertEquals(false, has("notification_access"))
        val listeners = "org.other/.Reader:${NotificationReader.component(bench.app).flattenToString()}"
        Settings.Secure.putString(bench.app.contentResolver, "enabled_notification_listeners", listeners)
        assertEquals(true, has("notification_access"))
        Settings.Secure.putString(bench.app.contentResolver, "enabled_notification_listeners", "org.other/.Reader")
        bench.begin("requestPermission", """{"permission":"notification_access"}""")
        assertEquals(Settings.ACTION_NOTIFICATION_LISTENER_SETTINGS, page().action)
    }

    @Test
    fun postingHasNoDialog() {
        shadowOf(bench.app.getSystemService(NotificationManager::class.java)).setNotificationsEnabled(false)
        bench.begin("requestPermission", """{"permission":"notifications"}""")
        assertEquals(Settings.ACTION_APP_NOTIFICATION_SETTINGS, page().action)
    }

    @Test
    @Suppress("DEPRECATION")
    fun location() {
        bench.grant(Manifest.permission.ACCESS_COARSE_LOCATION)
        val locations = shadowOf(bench.app.getSystemService(LocationManager::class.java))
        locations.setLocationMode(Settings.Secure.LOCATION_MODE_OFF)
        assertEquals("refused", bench.code("location"))
        locations.setLocationMode(Settings.Secure.LOCATION_MODE_HIGH_ACCURACY)
        // In the background nothing is hidden yet.
        bench.front.onTop = false
        assertEquals("not_found", bench.code("location"))
        locations.simulateLocation("gps", Location("gps"))
        assertEquals(false, bench.call("location").getBoolean("mock"))
    }

    @Test
    fun clipboardNeedsNoFocus() {
        bench.front.focus = false
        bench.call("setClipboard", """{"text":"a"}""")
        assertEquals("a", bench.call("readClipboard").getString("text"))
    }

    @Test
    fun activitiesStartFromTheBackground() {
        val front = SystemFront(bench.app)
        assertEquals(true, front.mayStartActivity())
        shadowOf(bench.app.getSystemService(KeyguardManager::class.java)).setKeyguardLocked(true)
        assertEquals(false, front.mayStartActivity())
    }

    @Test
    fun vibratesByTheOldMotor() {
        val motor = shadowOf(bench.app.getSystemService(Vibrator::class.java))
        bench.call("vibrate", """{"durationMs":200}""")
        assertEquals(200L, motor.milliseconds)
        bench.front.onTop = false
        bench.call("vibrate", """{"durationMs":300}""")
        assertEquals(300L, motor.milliseconds)
        assertEquals(AudioAttributes.USAGE_NOTIFICATION, motor.audioAttributesFromLastVibration?.usage)
    }

    @Test
    fun volumeHasNoLowestStep() {
        bench.call("setVolume", """{"stream":"alarm","percent":0}""")
        assertEquals(0, bench.app.getSystemService(AudioManager::class.java).getStreamVolume(AudioManager.STREAM_ALARM))
    }

    @Test
    @Config(sdk = [30])
    fun usageOnAndroid11() {
        phone.setMode(AppOpsManager.OPSTR_GET_USAGE_STATS, AppOpsManager.MODE_ALLOWED)
        assertEquals(true, has("usage"))
        bench.begin("requestPermission", """{"permission":"notification_access"}""")
        assertEquals(Settings.ACTION_NOTIFICATION_LISTENER_DETAIL_SETTINGS, page().action)
    }
}
