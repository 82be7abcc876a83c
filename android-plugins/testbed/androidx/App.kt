// SPDX-License-Identifier: Apache-2.0
package androidx.core.app

import android.app.Activity
import android.content.Context

object ActivityCompat {
    @JvmStatic fun checkSelfPermission(
        context: Context,
        permission: String,
    ): Int = context.checkSelfPermission(permission)

    @JvmStatic fun shouldShowRequestPermissionRationale(
        activity: Activity,
        permission: String,
    ): Boolean = activity.shouldShowRequestPermissionRationale(permission)
}
