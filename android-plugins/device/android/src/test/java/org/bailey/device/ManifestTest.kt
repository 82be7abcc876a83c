// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.Manifest
import android.content.pm.PackageManager
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config

/** What the manifest asks for and opens. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class ManifestTest {
    private val app = RuntimeEnvironment.getApplication()

    @Test
    fun onlyTheSystemBindsTheReader() {
        val service = app.packageManager.getServiceInfo(NotificationReader.component(app), 0)
        assertFalse(service.exported)
        assertEquals(Manifest.permission.BIND_NOTIFICATION_LISTENER_SERVICE, service.permission)
    }

    @Test
    fun permissions() {
        val info = app.packageManager.getPackageInfo(app.packageName, PackageManager.GET_PERMISSIONS)
        val asked = info.requestedPermissions.orEmpty().toSet()
        val needed =
            setOf(
                Manifest.permission.ACCESS_COARSE_LOCATION,
                Manifest.permission.ACCESS_FINE_LOCATION,
                Manifest.permission.ACCESS_NETWORK_STATE,
                Manifest.permission.PACKAGE_USAGE_STATS,
                Manifest.permission.POST_NOTIFICATIONS,
                Manifest.permission.READ_CALENDAR,
                Manifest.permission.READ_CONTACTS,
                Manifest.permission.VIBRATE,
                Manifest.permission.WRITE_CALENDAR,
                Manifest.permission.WRITE_SETTINGS,
            )
        assertTrue("${needed - asked}", asked.containsAll(needed))
        // Nothing is called, and not every app is seen.
        val forbidden =
            setOf(
                Manifest.permission.QUERY_ALL_PACKAGES,
                Manifest.permission.CALL_PHONE,
                Manifest.permission.CAMERA,
                Manifest.permission.ACCESS_BACKGROUND_LOCATION,
                Manifest.permission.WRITE_CONTACTS,
            )
        assertEquals(emptySet<String>(), asked intersect forbidden)
    }
}
