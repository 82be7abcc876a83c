// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.Manifest
import android.content.ComponentName
import android.content.Intent
import android.content.pm.PackageManager
import android.content.pm.ServiceInfo
import android.net.Uri
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
    private val packages = app.packageManager

    @Test
    fun onlyTheDoorForOtherAppsIsOpen() {
        for (receiver in listOf(StopReceiver::class, AskReceiver::class, AlarmReceiver::class, BootReceiver::class)) {
            assertFalse(receiver.java.name, packages.getReceiverInfo(ComponentName(app, receiver.java), 0).exported)
        }
        assertFalse(packages.getServiceInfo(ComponentName(app, RunService::class.java), 0).exported)
        assertTrue(packages.getActivityInfo(ComponentName(app, ShareActivity::class.java), 0).exported)
    }

    @Test
    fun theServiceIsOfItsTypes() {
        val service = packages.getServiceInfo(ComponentName(app, RunService::class.java), 0)
        val types = ServiceInfo.FOREGROUND_SERVICE_TYPE_SPECIAL_USE or ServiceInfo.FOREGROUND_SERVICE_TYPE_MEDIA_PROJECTION
        assertEquals(types, service.foregroundServiceType)
    }

    @Test
    fun sharesAndLinksLeadToTheDoor() {
        val door = ShareActivity::class.java.name
        val link = Intent(Intent.ACTION_VIEW, Uri.parse("bailey://ask/1")).addCategory(Intent.CATEGORY_BROWSABLE)
        val text = Intent(Intent.ACTION_SEND).setType("text/plain")
        val files = Intent(Intent.ACTION_SEND_MULTIPLE).setType("image/png")
        for (intent in listOf(link, text, files)) {
            val takers = packages.queryIntentActivities(intent, PackageManager.MATCH_DEFAULT_ONLY).map { it.activityInfo.name }
            assertTrue("$intent $takers", door in takers)
        }
        val web = Intent(Intent.ACTION_VIEW, Uri.parse("https://example.org"))
        assertFalse(packages.queryIntentActivities(web, 0).any { it.activityInfo.name == door })
    }

    @Test
    fun theSystemTellsOfItsStart() {
        for (action in listOf(Intent.ACTION_BOOT_COMPLETED, Intent.ACTION_MY_PACKAGE_REPLACED, BootReceiver.EXACT_ALLOWED)) {
            val receivers = packages.queryBroadcastReceivers(Intent(action).setPackage(app.packageName), 0).map { it.activityInfo.name }
            assertTrue(action, BootReceiver::class.java.name in receivers)
        }
    }

    @Test
    fun permissions() {
        val info = packages.getPackageInfo(app.packageName, PackageManager.GET_PERMISSIONS)
        val needed =
            setOf(
                Manifest.permission.FOREGROUND_SERVICE,
                Manifest.permission.FOREGROUND_SERVICE_MEDIA_PROJECTION,
                Manifest.permission.FOREGROUND_SERVICE_SPECIAL_USE,
                Manifest.permission.POST_NOTIFICATIONS,
                Manifest.permission.RECEIVE_BOOT_COMPLETED,
                Manifest.permission.SCHEDULE_EXACT_ALARM,
            )
        val asked = info.requestedPermissions.orEmpty().toSet()
        assertTrue("${needed - asked}", asked.containsAll(needed))
        assertFalse(Manifest.permission.FOREGROUND_SERVICE_DATA_SYNC in asked)
    }
}
