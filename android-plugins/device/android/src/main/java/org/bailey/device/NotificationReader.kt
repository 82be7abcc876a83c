// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.content.ComponentName
import android.content.Context
import android.service.notification.NotificationListenerService
import java.util.concurrent.TimeUnit
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/** Through this the system lets Bailey see notifications. It keeps none and tells of none by itself: they are read when asked for. */
class NotificationReader : NotificationListenerService() {
    override fun onListenerConnected() = connect(this)

    override fun onListenerDisconnected() = disconnect(this)

    override fun onDestroy() {
        disconnect(this)
        super.onDestroy()
    }

    internal companion object {
        private val lock = ReentrantLock()
        private val changed = lock.newCondition()
        private var connected: NotificationReader? = null

        fun component(context: Context) = ComponentName(context, NotificationReader::class.java)

        private fun connect(reader: NotificationReader) =
            lock.withLock {
                connected = reader
                changed.signalAll()
            }

        private fun disconnect(reader: NotificationReader) =
            lock.withLock {
                if (connected === reader) connected = null
            }

        /** The reader the system has connected, after waiting up to [ms] milliseconds for one; never on the main thread. */
        fun await(ms: Long): NotificationReader? =
            lock.withLock {
                var left = TimeUnit.MILLISECONDS.toNanos(ms)
                while (connected == null && left > 0) left = changed.awaitNanos(left)
                connected
            }
    }
}
