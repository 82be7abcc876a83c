// SPDX-License-Identifier: Apache-2.0
package app.tauri

object BuildConfig {
    const val DEBUG = true
}
