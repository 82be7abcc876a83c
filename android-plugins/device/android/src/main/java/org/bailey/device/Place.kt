// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.content.Context
import android.location.Location
import android.location.LocationManager
import android.os.Build
import android.os.SystemClock
import android.provider.Settings
import androidx.annotation.RequiresApi
import app.tauri.plugin.JSObject

/** One provider's last place: [atNanos] is on the clock that runs since the device started. */
internal data class Fix(
    val provider: String,
    val atNanos: Long,
    val accuracyM: Float?,
) {
    companion object {
        private const val SAME_NANOS = 120_000_000_000L

        /** The most accurate of those that are about as new as the newest. */
        fun <T> best(
            all: List<T>,
            fix: (T) -> Fix,
        ): T? {
            val newest = all.maxOfOrNull { fix(it).atNanos } ?: return null
            return all
                .filter { newest - fix(it).atNanos <= SAME_NANOS }
                .sortedByDescending { fix(it).atNanos }
                .minByOrNull { fix(it).accuracyM ?: Float.MAX_VALUE }
        }
    }
}

/** Where the device was last. Nothing is switched on for it. */
internal class Place(
    private val context: Context,
    private val grants: Grants,
    private val front: Front,
) {
    private val locations = context.getSystemService(LocationManager::class.java)

    fun lastFix(): JSObject {
        grants.need(Grant.LOCATION)
        if (!isOn()) throw FaultException(Fault.REFUSED, "location is switched off in the settings")
        val best = Fix.best(locations.allProviders.mapNotNull(::lastOf), ::fix) ?: throw nothing()
        val reply =
            JSObject()
                .put("latitude", best.latitude)
                .put("longitude", best.longitude)
        if (best.hasAccuracy()) reply.put("accuracyM", best.accuracy.toDouble())
        val age = (SystemClock.elapsedRealtimeNanos() - best.elapsedRealtimeNanos) / NANOS_PER_MS
        return reply
            .put("ageMs", age.coerceAtLeast(0))
            .put("provider", best.provider.orEmpty())
            .put("mock", isMock(best))
    }

    private fun nothing(): FaultException {
        // From the background the system answers as if it knew nothing.
        val hidden = Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q && !front.isOnTop()
        return if (hidden) {
            FaultException(Fault.REFUSED, "the place is told only while Bailey is in front")
        } else {
            FaultException(Fault.NOT_FOUND, "no place is known yet")
        }
    }

    private fun lastOf(provider: String): Location? =
        try {
            locations.getLastKnownLocation(provider)?.takeIf { it.latitude in -90.0..90.0 && it.longitude in -180.0..180.0 }
        } catch (_: SecurityException) {
            // Some need the exact place, where the person granted the rough one.
            null
        }

    private fun fix(location: Location) =
        Fix(location.provider.orEmpty(), location.elapsedRealtimeNanos, if (location.hasAccuracy()) location.accuracy else null)

    private fun isOn(): Boolean =
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) {
            isEnabled()
        } else {
            @Suppress("DEPRECATION")
            val mode = Settings.Secure.getInt(context.contentResolver, Settings.Secure.LOCATION_MODE, Settings.Secure.LOCATION_MODE_OFF)
            @Suppress("DEPRECATION")
            mode != Settings.Secure.LOCATION_MODE_OFF
        }

    @RequiresApi(Build.VERSION_CODES.P)
    private fun isEnabled() = locations.isLocationEnabled

    private fun isMock(location: Location): Boolean =
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.S) {
            saysMock(location)
        } else {
            @Suppress("DEPRECATION")
            location.isFromMockProvider
        }

    @RequiresApi(Build.VERSION_CODES.S)
    private fun saysMock(location: Location) = location.isMock

    private companion object {
        const val NANOS_PER_MS = 1_000_000L
    }
}
