// SPDX-License-Identifier: Apache-2.0
@file:Suppress("unused", "UNUSED_PARAMETER", "ktlint")

// What Tauri's Kotlin and the plugins use of androidx, as far as tests need it. A real build takes the real ones.

package androidx.appcompat.app

import android.app.Activity
import androidx.activity.OnBackPressedDispatcher
import androidx.activity.result.ActivityResultCallback
import androidx.activity.result.ActivityResultLauncher
import androidx.activity.result.contract.ActivityResultContract
import androidx.lifecycle.LifecycleOwner

open class AppCompatActivity : Activity(), LifecycleOwner {
    val onBackPressedDispatcher = OnBackPressedDispatcher()

    /** What was registered, in order: a test answers through the callbacks. */
    val registered = mutableListOf<Pair<ActivityResultContract<*, *>, ActivityResultCallback<*>>>()

    /** What was launched, in order. */
    val launched = mutableListOf<Pair<ActivityResultContract<*, *>, Any?>>()

    fun <I, O> registerForActivityResult(
        contract: ActivityResultContract<I, O>,
        callback: ActivityResultCallback<O>,
    ): ActivityResultLauncher<I> {
        registered.add(contract to callback)
        return object : ActivityResultLauncher<I>() {
            override fun launch(input: I) {
                launched.add(contract to input)
            }

            override fun unregister() {}
        }
    }
}
