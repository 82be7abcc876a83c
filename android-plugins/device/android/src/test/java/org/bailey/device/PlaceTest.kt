// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.Manifest
import android.location.Location
import android.location.LocationManager
import android.os.SystemClock
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowSystemClock
import java.time.Duration

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class PlaceTest {
    private val bench = Bench()
    private val locations = shadowOf(bench.app.getSystemService(LocationManager::class.java))

    @Before
    fun allowed() {
        ShadowSystemClock.advanceBy(Duration.ofHours(1))
        bench.grant(Manifest.permission.ACCESS_COARSE_LOCATION, Manifest.permission.ACCESS_FINE_LOCATION)
        locations.setLocationEnabled(true)
    }

    private fun fix(
        provider: String,
        ageMs: Long,
        accuracy: Float?,
        latitude: Double = 48.1374,
        mock: Boolean = false,
    ) {
        val location = Location(provider)
        location.latitude = latitude
        location.longitude = 11.5755
        location.elapsedRealtimeNanos = SystemClock.elapsedRealtimeNanos() - ageMs * 1_000_000
        accuracy?.let { location.accuracy = it }
        location.isMock = mock
        locations.simulateLocation(provider, location)
    }

    @Test
    fun theMostAccurateOfTheNewest() {
        fix(LocationManager.NETWORK_PROVIDER, 30_000, 400f, latitude = 48.2)
        fix(LocationManager.GPS_PROVIDER, 60_000, 12.5f)
        fix(LocationManager.PASSIVE_PROVIDER, 3_000_000, 1f, latitude = 10.0)
        val want = """{"latitude":48.1374,"longitude":11.5755,"accuracyM":12.5,"ageMs":60000,"provider":"gps","mock":false}"""
        assertEquals(JSONObject(want).toString(), bench.call("location").toString())
    }

    @Test
    fun madeUpAndWithoutAccuracy() {
        fix(LocationManager.GPS_PROVIDER, 0, null, mock = true)
        val want = """{"latitude":48.1374,"longitude":11.5755,"ageMs":0,"provider":"gps","mock":true}"""
        assertEquals(JSONObject(want).toString(), bench.call("location").toString())
    }

    @Test
    fun impossiblePlacesAreLeftOut() {
        fix(LocationManager.GPS_PROVIDER, 0, 1f, latitude = Double.NaN)
        assertEquals("not_found", bench.code("location"))
    }

    @Test
    fun refusals() {
        assertEquals("not_found", bench.code("location"))
        bench.front.onTop = false
        assertEquals("refused", bench.code("location"))
        fix(LocationManager.GPS_PROVIDER, 0, 1f)
        assertEquals("gps", bench.call("location").getString("provider"))
        locations.setLocationEnabled(false)
        assertEquals("refused" to "location is switched off in the settings", bench.fault("location"))
        bench.shadow.denyPermissions(Manifest.permission.ACCESS_COARSE_LOCATION)
        assertEquals("not_granted" to "location", bench.fault("location"))
    }
}
