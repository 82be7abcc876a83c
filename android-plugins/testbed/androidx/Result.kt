// SPDX-License-Identifier: Apache-2.0
package androidx.activity.result

import android.content.Intent
import android.content.IntentSender

class ActivityResult(val resultCode: Int, val data: Intent?)

fun interface ActivityResultCallback<O> {
    fun onActivityResult(result: O)
}

abstract class ActivityResultLauncher<I> {
    abstract fun launch(input: I)

    abstract fun unregister()
}

class IntentSenderRequest(val intentSender: IntentSender)
