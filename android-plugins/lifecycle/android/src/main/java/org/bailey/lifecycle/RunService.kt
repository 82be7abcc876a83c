// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.Notification
import android.app.PendingIntent
import android.app.Service
import android.content.BroadcastReceiver
import android.content.Context
import android.content.Intent
import android.content.pm.ServiceInfo
import android.os.Build
import android.os.IBinder
import androidx.annotation.RequiresApi
import app.tauri.plugin.JSObject

/**
 * Keeps the process alive while runs are going on, and says so in a notification. It does nothing else: the work is the process's.
 *
 * It is not started anew when the process was killed: the runs are gone then, and are taken up when the app is opened.
 */
class RunService : Service() {
    override fun onBind(intent: Intent?): IBinder? = null

    override fun onDestroy() {
        if (running === this) running = null
        super.onDestroy()
    }

    override fun onStartCommand(
        intent: Intent?,
        flags: Int,
        startId: Int,
    ): Int {
        running = this
        val ordered = order
        order = null
        val run = ordered?.run ?: Run("", "", "", false)
        for (answer in ordered?.answers.orEmpty()) {
            answer.guard {
                show(run)
                answer.resolve(JSObject())
            }
        }
        if (ordered == null) runCatching { show(run) }
        if (ordered == null || ordered.ended || !shown) end()
        return START_NOT_STICKY
    }

    private var shown = false

    /** Puts the notification up, or changes it. Throws a [FaultException] when the system refuses. */
    internal fun show(run: Run) {
        val notification = notification(run)
        try {
            begin(notification, run.capturing)
            shown = true
        } catch (e: Exception) {
            if (run.capturing) {
                // Whoever was started must show itself, or the system ends the whole app.
                runCatching { begin(notification, capturing = false) }
            }
            throw Runs.refusal(e)
        }
    }

    internal fun end() {
        stopForeground(STOP_FOREGROUND_REMOVE)
        stopSelf()
        running = null
    }

    private fun begin(
        notification: Notification,
        capturing: Boolean,
    ) {
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q) {
            beginTyped(notification, capturing)
        } else {
            startForeground(Kind.RUN.number, notification)
        }
    }

    @RequiresApi(Build.VERSION_CODES.Q)
    private fun beginTyped(
        notification: Notification,
        capturing: Boolean,
    ) {
        val special = Build.VERSION.SDK_INT >= Build.VERSION_CODES.UPSIDE_DOWN_CAKE
        val own = if (special) ServiceInfo.FOREGROUND_SERVICE_TYPE_SPECIAL_USE else 0
        val projection = if (capturing) ServiceInfo.FOREGROUND_SERVICE_TYPE_MEDIA_PROJECTION else 0
        startForeground(Kind.RUN.number, notification, own or projection)
    }

    private fun notification(run: Run): Notification {
        val pressed = Intent(this, StopReceiver::class.java)
        val stop = PendingIntent.getBroadcast(this, 0, pressed, PendingIntent.FLAG_UPDATE_CURRENT or PendingIntent.FLAG_IMMUTABLE)
        val builder =
            Posting(this)
                .builder(Kind.RUN, run.title, run.publicTitle)
                .setContentIntent(Door.pending(this, null))
                .setOngoing(true)
                .setOnlyAlertOnce(true)
                .setCategory(Notification.CATEGORY_SERVICE)
                .addAction(Notification.Action.Builder(null, run.stop, stop).build())
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.S) atOnce(builder)
        return builder.build()
    }

    /** Without the ten seconds that the system otherwise waits. */
    @RequiresApi(Build.VERSION_CODES.S)
    private fun atOnce(builder: Notification.Builder) {
        builder.setForegroundServiceBehavior(Notification.FOREGROUND_SERVICE_IMMEDIATE)
    }

    internal companion object {
        /** The one that is there. */
        var running: RunService? = null

        /** What the next one that starts is for. */
        var order: Order? = null
    }
}

/** Stop was pressed in the notification: that is told, and whoever listens ends the runs. */
class StopReceiver : BroadcastReceiver() {
    override fun onReceive(
        context: Context,
        intent: Intent,
    ) {
        if (!Events.stopPressed()) RunService.running?.end()
    }
}
