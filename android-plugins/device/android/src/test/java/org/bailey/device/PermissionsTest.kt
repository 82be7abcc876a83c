// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.Manifest
import android.app.AppOpsManager
import android.app.NotificationManager
import android.content.Intent
import android.os.Looper
import android.os.Process
import android.provider.Settings
import androidx.activity.result.ActivityResult
import androidx.activity.result.ActivityResultCallback
import androidx.activity.result.contract.ActivityResultContracts
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import java.time.Duration

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class PermissionsTest {
    private val bench = Bench()
    private val notifications = shadowOf(bench.app.getSystemService(NotificationManager::class.java))

    private fun states(reply: JSONObject = bench.call("permissionStates")): Map<String, Boolean> {
        assertEquals(setOf("permissions"), reply.keys().asSequence().toSet())
        val permissions = reply.getJSONObject("permissions")
        return permissions.keys().asSequence().associateWith { permissions.getBoolean(it) }
    }

    private fun granted(reply: JSONObject = bench.call("permissionStates")) = states(reply).filterValues { it }.keys

    private fun ask(permission: String) = bench.begin("requestPermission", """{"permission":"$permission"}""")

    /** The person answers the system's dialog. */
    private fun answerDialog(answer: Map<String, Boolean>) {
        for ((permission, yes) in answer) if (yes) bench.grant(permission) else bench.shadow.denyPermissions(permission)
        val (_, callback) = bench.activity.registered.first { it.first is ActivityResultContracts.RequestMultiplePermissions }
        @Suppress("UNCHECKED_CAST")
        (callback as ActivityResultCallback<Map<String, Boolean>>).onActivityResult(answer)
    }

    /** The person comes back from the page of the settings. */
    private fun comeBack() {
        val (_, callback) = bench.activity.registered.first { it.first is ActivityResultContracts.StartActivityForResult }
        @Suppress("UNCHECKED_CAST")
        (callback as ActivityResultCallback<ActivityResult>).onActivityResult(ActivityResult(0, null))
    }

    private fun page(): Intent =
        bench.activity.launched
            .last()
            .second as Intent

    private fun asked(): Set<String> {
        @Suppress("UNCHECKED_CAST")
        return (
            bench.activity.launched
                .last()
                .second as Array<String>
        ).toSet()
    }

    @Test
    fun eachPermissionHasItsState() {
        notifications.setNotificationsEnabled(false)
        val names =
            setOf(
                "contacts",
                "calendar",
                "location",
                "notifications",
                "notification_access",
                "usage",
                "write_settings",
                "accessibility",
            )
        assertEquals(names, states().keys)
        assertEquals(emptySet<String>(), granted())
        bench.grant(Manifest.permission.READ_CONTACTS)
        assertEquals(setOf("contacts"), granted())
        bench.grant(Manifest.permission.READ_CALENDAR)
        assertEquals(setOf("contacts"), granted())
        bench.grant(Manifest.permission.WRITE_CALENDAR)
        assertEquals(setOf("contacts", "calendar"), granted())
        // The rough place alone is enough.
        bench.grant(Manifest.permission.ACCESS_COARSE_LOCATION)
        assertEquals(setOf("contacts", "calendar", "location"), granted())
        notifications.setNotificationsEnabled(true)
        notifications.setNotificationListenerAccessGranted(NotificationReader.component(bench.app), true)
        assertEquals(setOf("contacts", "calendar", "location", "notifications", "notification_access"), granted())
        grantUsage(AppOpsManager.MODE_ALLOWED)
        assertEquals(true, states()["usage"])
        val services = "org.other/.Service:${bench.app.packageName}/org.bailey.accessibility.Hands"
        Settings.Secure.putString(bench.app.contentResolver, Settings.Secure.ENABLED_ACCESSIBILITY_SERVICES, services)
        assertEquals(names - "write_settings", granted())
        setMode(AppOpsManager.OPSTR_WRITE_SETTINGS, AppOpsManager.MODE_ALLOWED)
        assertEquals(names, granted())
    }

    private fun setMode(
        op: String,
        mode: Int,
    ) = shadowOf(bench.app.getSystemService(AppOpsManager::class.java)).setMode(op, Process.myUid(), bench.app.packageName, mode)

    private fun grantUsage(mode: Int) = setMode(AppOpsManager.OPSTR_GET_USAGE_STATS, mode)

    @Before
    fun nothingIsGranted() {
        grantUsage(AppOpsManager.MODE_IGNORED)
        setMode(AppOpsManager.OPSTR_WRITE_SETTINGS, AppOpsManager.MODE_IGNORED)
    }

    @Test
    fun usageByDefaultIsThePermission() {
        grantUsage(AppOpsManager.MODE_DEFAULT)
        assertEquals(false, states()["usage"])
        bench.grant(Manifest.permission.PACKAGE_USAGE_STATS)
        assertEquals(true, states()["usage"])
        grantUsage(AppOpsManager.MODE_IGNORED)
        assertEquals(false, states()["usage"])
    }

    @Test
    fun grantedIsAnsweredAtOnce() {
        bench.grant(Manifest.permission.READ_CONTACTS)
        bench.front.onTop = false
        assertTrue("contacts" in granted(ask("contacts").reply()))
        assertEquals(0, bench.activity.launched.size)
    }

    @Test
    fun dialogAnsweredYes() {
        val pending = ask("contacts")
        assertEquals(0, pending.answers.size)
        assertEquals(setOf(Manifest.permission.READ_CONTACTS), asked())
        answerDialog(mapOf(Manifest.permission.READ_CONTACTS to true))
        assertEquals(true, states(pending.reply())["contacts"])
    }

    @Test
    fun dialogAnsweredNo() {
        val pending = ask("calendar")
        assertEquals(setOf(Manifest.permission.READ_CALENDAR, Manifest.permission.WRITE_CALENDAR), asked())
        answerDialog(mapOf(Manifest.permission.READ_CALENDAR to true, Manifest.permission.WRITE_CALENDAR to false))
        assertEquals(false, states(pending.reply())["calendar"])
    }

    @Test
    fun afterALastingNoTheSettingsOpen() {
        val no = mapOf(Manifest.permission.READ_CONTACTS to false)
        val first = ask("contacts")
        answerDialog(no)
        assertEquals(false, states(first.reply())["contacts"])
        val second = ask("contacts")
        assertEquals(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, page().action)
        assertEquals("package:${bench.app.packageName}", page().dataString)
        bench.grant(Manifest.permission.READ_CONTACTS)
        comeBack()
        assertEquals(true, states(second.reply())["contacts"])
    }

    @Test
    fun pagesOfWhatHasNoDialog() {
        val own = "package:${bench.app.packageName}"
        val pages =
            mapOf(
                "notification_access" to (Settings.ACTION_NOTIFICATION_LISTENER_DETAIL_SETTINGS to null),
                "usage" to (Settings.ACTION_USAGE_ACCESS_SETTINGS to own),
                "write_settings" to (Settings.ACTION_MANAGE_WRITE_SETTINGS to own),
                "accessibility" to (Settings.ACTION_ACCESSIBILITY_SETTINGS to null),
            )
        for ((permission, want) in pages) {
            val pending = ask(permission)
            assertEquals(permission, want, page().action to page().dataString)
            comeBack()
            assertEquals(false, states(pending.reply())[permission])
        }
        ask("notification_access")
        val component = "${bench.app.packageName}/org.bailey.device.NotificationReader"
        assertEquals(component, page().getStringExtra(Settings.EXTRA_NOTIFICATION_LISTENER_COMPONENT_NAME))
    }

    @Test
    fun notificationsSwitchedOffInTheSettings() {
        notifications.setNotificationsEnabled(false)
        val dialog = ask("notifications")
        assertEquals(setOf(Manifest.permission.POST_NOTIFICATIONS), asked())
        answerDialog(mapOf(Manifest.permission.POST_NOTIFICATIONS to true))
        assertEquals(false, states(dialog.reply())["notifications"])
        ask("notifications")
        assertEquals(Settings.ACTION_APP_NOTIFICATION_SETTINGS, page().action)
        assertEquals(bench.app.packageName, page().getStringExtra(Settings.EXTRA_APP_PACKAGE))
    }

    @Test
    fun oneQuestionAtATime() {
        val first = ask("contacts")
        assertEquals("busy", ask("calendar").fault().first)
        answerDialog(mapOf(Manifest.permission.READ_CONTACTS to true))
        assertEquals(true, states(first.reply())["contacts"])
        ask("calendar")
        assertEquals(setOf(Manifest.permission.READ_CALENDAR, Manifest.permission.WRITE_CALENDAR), asked())
    }

    @Test
    fun unansweredTimesOut() {
        val pending = ask("contacts")
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(Asking.LIMIT_MS + 1))
        assertEquals("timed_out" to "contacts", pending.fault())
        // A late answer ends nothing twice, and the next question may be asked.
        answerDialog(mapOf(Manifest.permission.READ_CONTACTS to false))
        assertEquals(1, pending.answers.size)
        val page = ask("usage")
        grantUsage(AppOpsManager.MODE_ALLOWED)
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(Asking.LIMIT_MS + 1))
        assertEquals(true, states(page.reply())["usage"])
    }

    @Test
    fun comingBackLateEndsNoOtherQuestion() {
        val page = ask("usage")
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(Asking.LIMIT_MS + 1))
        assertEquals("timed_out", page.fault().first)
        val dialog = ask("contacts")
        comeBack()
        assertEquals(0, dialog.answers.size)
        answerDialog(mapOf(Manifest.permission.READ_CONTACTS to true))
        assertEquals(true, states(dialog.reply())["contacts"])
    }

    @Test
    fun refusals() {
        assertEquals("invalid", ask("camera").fault().first)
        assertEquals("invalid", bench.code("requestPermission"))
        assertEquals("invalid", bench.code("requestPermission", "[]"))
        assertEquals("invalid", bench.code("requestPermission", "null"))
        bench.front.onTop = false
        assertEquals("refused", ask("contacts").fault().first)
        assertEquals("refused", ask("usage").fault().first)
        assertEquals(0, bench.activity.launched.size)
    }
}
