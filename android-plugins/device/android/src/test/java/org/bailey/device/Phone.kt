// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.app.AppOpsManager
import android.app.Application
import android.content.ComponentName
import android.content.Intent
import android.content.IntentFilter
import android.content.pm.ActivityInfo
import android.content.pm.ApplicationInfo
import android.content.pm.PackageInfo
import android.content.pm.PackageManager
import android.os.Process
import org.robolectric.Shadows.shadowOf

/** The phone around the plugin: other apps, and what is allowed. */
internal class Phone(
    private val app: Application,
) {
    private val packages = shadowOf(app.packageManager)

    /** Puts an app there, with a name and an icon to tap. */
    fun install(
        name: String,
        label: String,
        version: String? = "1.0",
        system: Boolean = false,
    ) {
        val info = PackageInfo()
        info.packageName = name
        info.versionName = version
        info.applicationInfo =
            ApplicationInfo().apply {
                packageName = name
                nonLocalizedLabel = label
                enabled = true
                flags = ApplicationInfo.FLAG_INSTALLED or if (system) ApplicationInfo.FLAG_SYSTEM else 0
            }
        packages.installPackage(info)
        val launcher = IntentFilter(Intent.ACTION_MAIN).apply { addCategory(Intent.CATEGORY_LAUNCHER) }
        activity(name, "Main", launcher)
    }

    /** Lets an app take what [filter] says. */
    fun activity(
        name: String,
        activity: String,
        filter: IntentFilter,
    ) {
        val component = ComponentName(name, "$name.$activity")
        packages.addOrUpdateActivity(
            ActivityInfo().apply {
                packageName = name
                this.name = component.className
                exported = true
                enabled = true
                applicationInfo = app.packageManager.getApplicationInfo(name, PackageManager.MATCH_ALL)
            },
        )
        packages.addIntentFilterForActivity(component, filter)
    }

    /** Lets an app take an action, with any of these schemes or with this kind of data. */
    fun takes(
        name: String,
        action: String,
        schemes: List<String> = emptyList(),
        type: String? = null,
    ) {
        val filter = IntentFilter(action)
        filter.addCategory(Intent.CATEGORY_DEFAULT)
        filter.addCategory(Intent.CATEGORY_BROWSABLE)
        for (scheme in schemes) filter.addDataScheme(scheme)
        type?.let(filter::addDataType)
        activity(name, action.substringAfterLast('.'), filter)
    }

    /** Allows or forbids what has no permission of its own. */
    fun setMode(
        op: String,
        mode: Int,
    ) = shadowOf(app.getSystemService(AppOpsManager::class.java)).setMode(op, Process.myUid(), app.packageName, mode)
}
