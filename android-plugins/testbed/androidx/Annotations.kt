// SPDX-License-Identifier: Apache-2.0
package androidx.annotation

annotation class RequiresApi(val value: Int = 1, val api: Int = 1)

annotation class StringRes
