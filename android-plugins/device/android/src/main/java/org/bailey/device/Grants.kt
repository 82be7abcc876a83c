// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.Manifest
import android.app.AppOpsManager
import android.app.NotificationManager
import android.content.ComponentName
import android.content.Context
import android.content.Intent
import android.content.pm.PackageManager
import android.net.Uri
import android.os.Build
import android.os.Process
import android.provider.Settings
import androidx.annotation.RequiresApi
import app.tauri.plugin.JSObject

/** The permissions of the channel by their names in the contract; [dialog] is true of those the system asks for itself. */
internal enum class Grant(
    val title: String,
    val dialog: Boolean,
) {
    CONTACTS("contacts", true),
    CALENDAR("calendar", true),
    LOCATION("location", true),
    NOTIFICATIONS("notifications", true),
    NOTIFICATION_ACCESS("notification_access", false),
    USAGE("usage", false),
    WRITE_SETTINGS("write_settings", false),
    ACCESSIBILITY("accessibility", false),
    ;

    companion object {
        fun named(title: String): Grant = entries.find { it.title == title } ?: throw invalid("no such permission")
    }
}

/** What the person has granted, and where more is granted. */
internal class Grants(
    private val context: Context,
) {
    /** Every permission and whether it is granted, as the contract has it. */
    fun reply(): JSObject {
        val permissions = JSObject()
        for (grant in Grant.entries) permissions.put(grant.title, has(grant))
        return JSObject().put("permissions", permissions)
    }

    /** Rejects the command unless [grant] is there. */
    fun need(grant: Grant) {
        if (!has(grant)) throw FaultException(Fault.NOT_GRANTED, grant.title)
    }

    fun has(grant: Grant): Boolean =
        when (grant) {
            Grant.CONTACTS -> holds(Manifest.permission.READ_CONTACTS)
            Grant.CALENDAR -> holds(Manifest.permission.READ_CALENDAR) && holds(Manifest.permission.WRITE_CALENDAR)
            // The person may grant the rough place alone.
            Grant.LOCATION -> holds(Manifest.permission.ACCESS_COARSE_LOCATION)
            Grant.NOTIFICATIONS -> context.getSystemService(NotificationManager::class.java).areNotificationsEnabled()
            Grant.NOTIFICATION_ACCESS -> readsNotifications()
            Grant.USAGE -> seesUsage()
            Grant.WRITE_SETTINGS -> Settings.System.canWrite(context)
            Grant.ACCESSIBILITY -> hasOwnComponent(Settings.Secure.ENABLED_ACCESSIBILITY_SERVICES)
        }

    /** The pages where [grant] is given, best first: makers leave some of them out. */
    fun pages(grant: Grant): List<Intent> {
        val details = Intent(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, own())
        return when (grant) {
            Grant.CONTACTS, Grant.CALENDAR, Grant.LOCATION -> listOf(details)
            Grant.NOTIFICATIONS ->
                listOf(
                    Intent(Settings.ACTION_APP_NOTIFICATION_SETTINGS).putExtra(Settings.EXTRA_APP_PACKAGE, context.packageName),
                    details,
                )
            Grant.NOTIFICATION_ACCESS -> notificationAccessPages()
            Grant.USAGE -> listOf(Intent(Settings.ACTION_USAGE_ACCESS_SETTINGS, own()), Intent(Settings.ACTION_USAGE_ACCESS_SETTINGS))
            Grant.WRITE_SETTINGS ->
                listOf(
                    Intent(Settings.ACTION_MANAGE_WRITE_SETTINGS, own()),
                    Intent(Settings.ACTION_MANAGE_WRITE_SETTINGS),
                )
            Grant.ACCESSIBILITY -> listOf(Intent(Settings.ACTION_ACCESSIBILITY_SETTINGS))
        }
    }

    private fun notificationAccessPages(): List<Intent> {
        val all = Intent(Settings.ACTION_NOTIFICATION_LISTENER_SETTINGS)
        return if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.R) listOf(ownNotificationAccessPage(), all) else listOf(all)
    }

    @RequiresApi(Build.VERSION_CODES.R)
    private fun ownNotificationAccessPage() =
        Intent(Settings.ACTION_NOTIFICATION_LISTENER_DETAIL_SETTINGS).putExtra(
            Settings.EXTRA_NOTIFICATION_LISTENER_COMPONENT_NAME,
            NotificationReader.component(context).flattenToString(),
        )

    private fun own(): Uri = Uri.fromParts("package", context.packageName, null)

    private fun holds(permission: String) = context.checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED

    private fun readsNotifications(): Boolean =
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.O_MR1) {
            isListener()
        } else {
            hasOwnComponent(ENABLED_NOTIFICATION_LISTENERS)
        }

    @RequiresApi(Build.VERSION_CODES.O_MR1)
    private fun isListener() =
        context
            .getSystemService(NotificationManager::class.java)
            .isNotificationListenerAccessGranted(NotificationReader.component(context))

    /** Whether a component of this app stands in such a list of the secure settings. */
    private fun hasOwnComponent(setting: String): Boolean =
        Settings.Secure
            .getString(context.contentResolver, setting)
            .orEmpty()
            .split(':')
            .any { ComponentName.unflattenFromString(it)?.packageName == context.packageName }

    private fun seesUsage(): Boolean {
        val ops = context.getSystemService(AppOpsManager::class.java)
        val mode =
            if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q) {
                usageMode(ops)
            } else {
                @Suppress("DEPRECATION")
                ops.checkOpNoThrow(AppOpsManager.OPSTR_GET_USAGE_STATS, Process.myUid(), context.packageName)
            }
        return when (mode) {
            AppOpsManager.MODE_ALLOWED -> true
            AppOpsManager.MODE_DEFAULT -> holds(Manifest.permission.PACKAGE_USAGE_STATS)
            else -> false
        }
    }

    @RequiresApi(Build.VERSION_CODES.Q)
    private fun usageMode(ops: AppOpsManager) =
        ops.unsafeCheckOpNoThrow(AppOpsManager.OPSTR_GET_USAGE_STATS, Process.myUid(), context.packageName)

    private companion object {
        /** The name of the setting is no constant of the system's, but it is the one androidx reads, too. */
        const val ENABLED_NOTIFICATION_LISTENERS = "enabled_notification_listeners"
    }
}
