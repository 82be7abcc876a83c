// SPDX-License-Identifier: Apache-2.0
package androidx.activity

import androidx.lifecycle.LifecycleOwner

abstract class OnBackPressedCallback(var isEnabled: Boolean) {
    abstract fun handleOnBackPressed()

    fun remove() {}
}

class OnBackPressedDispatcher {
    private val callbacks = mutableListOf<OnBackPressedCallback>()

    fun addCallback(callback: OnBackPressedCallback) {
        callbacks.add(callback)
    }

    @Suppress("UNUSED_PARAMETER")
    fun addCallback(
        owner: LifecycleOwner,
        callback: OnBackPressedCallback,
    ) {
        callbacks.add(callback)
    }

    fun onBackPressed() {
        callbacks.lastOrNull { it.isEnabled }?.handleOnBackPressed()
    }
}
