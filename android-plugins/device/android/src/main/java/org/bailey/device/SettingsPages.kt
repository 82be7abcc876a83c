// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.content.Intent
import android.net.Uri
import android.provider.Settings

/** The pages of the system's settings. Makers leave some out, so each has others to fall back on. */
internal object SettingsPages {
    private val actions =
        mapOf(
            "main" to emptyList(),
            "wifi" to listOf(Settings.ACTION_WIFI_SETTINGS, Settings.ACTION_WIRELESS_SETTINGS),
            "bluetooth" to listOf(Settings.ACTION_BLUETOOTH_SETTINGS, Settings.ACTION_WIRELESS_SETTINGS),
            "mobile" to
                listOf(
                    Settings.ACTION_NETWORK_OPERATOR_SETTINGS,
                    Settings.ACTION_DATA_ROAMING_SETTINGS,
                    Settings.ACTION_WIRELESS_SETTINGS,
                ),
            "display" to listOf(Settings.ACTION_DISPLAY_SETTINGS),
            "sound" to listOf(Settings.ACTION_SOUND_SETTINGS),
            "storage" to listOf(Settings.ACTION_INTERNAL_STORAGE_SETTINGS),
            "battery" to listOf(Intent.ACTION_POWER_USAGE_SUMMARY, Settings.ACTION_BATTERY_SAVER_SETTINGS),
            "location" to listOf(Settings.ACTION_LOCATION_SOURCE_SETTINGS),
            "date_time" to listOf(Settings.ACTION_DATE_SETTINGS),
            "language" to listOf(Settings.ACTION_LOCALE_SETTINGS),
            "accessibility" to listOf(Settings.ACTION_ACCESSIBILITY_SETTINGS),
            "notification_access" to listOf(Settings.ACTION_NOTIFICATION_LISTENER_SETTINGS),
            "usage_access" to listOf(Settings.ACTION_USAGE_ACCESS_SETTINGS),
            "write_settings" to listOf(Settings.ACTION_MANAGE_WRITE_SETTINGS),
            "developer" to listOf(Settings.ACTION_APPLICATION_DEVELOPMENT_SETTINGS),
        )

    /** The names of the pages that are about one app. */
    val aboutAnApp = setOf("app", "app_notifications")

    /** The page [screen] and what may stand in for it, best first; [app] is the package it is about. */
    fun intents(
        screen: String,
        app: String?,
    ): List<Intent> {
        if (screen in aboutAnApp) {
            val details = Intent(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, Uri.fromParts("package", app.required("package"), null))
            val notifications = Intent(Settings.ACTION_APP_NOTIFICATION_SETTINGS).putExtra(Settings.EXTRA_APP_PACKAGE, app)
            return if (screen == "app") listOf(details) else listOf(notifications, details)
        }
        val names = actions[screen] ?: throw invalid("no such screen")
        return (names + Settings.ACTION_SETTINGS).map { Intent(it) }
    }
}
