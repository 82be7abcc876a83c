// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.Manifest
import android.app.Activity
import androidx.activity.result.ActivityResult
import app.tauri.annotation.ActivityCallback
import app.tauri.annotation.Command
import app.tauri.annotation.Permission
import app.tauri.annotation.PermissionCallback
import app.tauri.annotation.TauriPlugin
import app.tauri.plugin.Invoke
import app.tauri.plugin.JSObject
import app.tauri.plugin.Plugin

/**
 * The channel `device`: what needs no more than an ordinary permission, if any.
 *
 * Each command is a method here; the work is done in a class of its theme.
 */
@TauriPlugin(
    permissions = [
        Permission(strings = [Manifest.permission.READ_CONTACTS], alias = "contacts"),
        Permission(strings = [Manifest.permission.READ_CALENDAR, Manifest.permission.WRITE_CALENDAR], alias = "calendar"),
        Permission(strings = [Manifest.permission.ACCESS_COARSE_LOCATION, Manifest.permission.ACCESS_FINE_LOCATION], alias = "location"),
        Permission(strings = [Manifest.permission.POST_NOTIFICATIONS], alias = "notifications"),
    ],
)
class DevicePlugin internal constructor(
    activity: Activity,
    private val answering: Answering,
    front: Front,
) : Plugin(activity) {
    /** As Tauri makes it. */
    constructor(activity: Activity) : this(activity, Answering(), SystemFront(activity.applicationContext))

    // The activity may be made anew while this lives on, so nothing here holds it.
    private val context = activity.applicationContext
    private val grants = Grants(context)
    private val asking = Asking(this, grants, front)
    private val facts = Facts(context)
    private val apps = Apps(context, grants)
    private val opening = Opening(context, Opener(context, grants, front))
    private val contacts = ContactSearch(context, grants)
    private val calendar = Calendar(context, grants)
    private val clipboard = Clipboard(context, front)
    private val place = Place(context, grants, front)
    private val notifications = NotificationList(context, grants)
    private val sound = Sound(context)
    private val hardware = Hardware(context, grants, front)

    @Command
    fun permissionStates(invoke: Invoke) = answering.here(invoke) { grants.reply() }

    @Command
    fun requestPermission(invoke: Invoke) = asking.begin(invoke)

    /** Called by Tauri when the person has answered the system's question. */
    @PermissionCallback
    fun permissionAnswered(invoke: Invoke) = asking.answered(invoke)

    /** Called by Tauri when the person is back from a page of the settings, whatever [result] says. */
    @ActivityCallback
    fun pageLeft(
        invoke: Invoke,
        @Suppress("UNUSED_PARAMETER") result: ActivityResult,
    ) = asking.answered(invoke)

    internal fun askSystem(
        invoke: Invoke,
        alias: String,
    ) = requestPermissionForAlias(alias, invoke, "permissionAnswered")

    @Command
    fun info(invoke: Invoke) = answering.aside(invoke) { facts.info() }

    @Command
    fun network(invoke: Invoke) = answering.aside(invoke) { facts.network() }

    @Command
    fun installedApps(invoke: Invoke) = answering.aside(invoke) { apps.installed() }

    @Command
    fun appUsage(invoke: Invoke) = answering.aside(invoke) { apps.usage(invoke.args()) }

    @Command
    fun openApp(invoke: Invoke) = answering.here(invoke) { opening.app(invoke.args()) }

    @Command
    fun openSettings(invoke: Invoke) = answering.here(invoke) { opening.settings(invoke.args()) }

    @Command
    fun openUri(invoke: Invoke) = answering.here(invoke) { opening.web(invoke.args()) }

    @Command
    fun openMap(invoke: Invoke) = answering.here(invoke) { opening.map(invoke.args()) }

    @Command
    fun dial(invoke: Invoke) = answering.here(invoke) { opening.dialler(invoke.args()) }

    @Command
    fun shareText(invoke: Invoke) = answering.here(invoke) { opening.share(invoke.args()) }

    @Command
    fun composeMail(invoke: Invoke) = answering.here(invoke) { opening.mail(invoke.args()) }

    @Command
    fun findContacts(invoke: Invoke) = answering.aside(invoke) { contacts.find(invoke.args()) }

    @Command
    fun createEvent(invoke: Invoke) = answering.aside(invoke) { calendar.create(invoke.args()) }

    @Command
    fun readClipboard(invoke: Invoke) = answering.here(invoke) { clipboard.read() }

    @Command
    fun setClipboard(invoke: Invoke) = answering.here(invoke) { clipboard.set(invoke.args()) }

    @Command
    fun location(invoke: Invoke) = answering.aside(invoke) { place.lastFix() }

    @Command
    fun readNotifications(invoke: Invoke) = answering.aside(invoke) { notifications.read(invoke.args()) }

    @Command
    fun setVolume(invoke: Invoke) = answering.here(invoke) { sound.setVolume(invoke.args()) }

    @Command
    fun setBrightness(invoke: Invoke) = answering.aside(invoke) { hardware.setBrightness(invoke.args()) }

    @Command
    fun setTorch(invoke: Invoke) = answering.aside(invoke) { hardware.setTorch(invoke.args()) }

    @Command
    fun vibrate(invoke: Invoke) = answering.here(invoke) { hardware.vibrate(invoke.args()) }

    @Command
    fun mediaControl(invoke: Invoke) = answering.here(invoke) { sound.press(invoke.args()) }

    internal companion object {
        /** A reply that says nothing but that it is done. */
        fun done() = JSObject()
    }
}
