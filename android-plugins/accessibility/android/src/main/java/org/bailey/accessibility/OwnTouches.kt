// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

/** Tells Bailey's own touches from the person's. [now] in milliseconds. */
internal class OwnTouches(
    private val now: () -> Long,
) {
    private var going = 0
    private var ended = Long.MIN_VALUE / 2
    private var touched = Long.MIN_VALUE / 2

    /** What happens during [block], and shortly after it, is Bailey's own doing. */
    fun <T> during(block: () -> T): T {
        synchronized(this) { going += 1 }
        try {
            return block()
        } finally {
            synchronized(this) {
                going -= 1
                ended = now()
            }
        }
    }

    /** Something touched the screen; whether that was the person. */
    @Synchronized
    fun isPerson(): Boolean {
        val isPerson = going == 0 && now() - ended >= AFTER_MS
        if (isPerson) touched = now()
        return isPerson
    }

    /** Whether the person touched the screen at that time or later. */
    @Synchronized
    fun touchedSince(time: Long) = touched >= time

    private companion object {
        const val AFTER_MS = 300L
    }
}
