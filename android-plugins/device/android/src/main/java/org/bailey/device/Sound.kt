// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.content.Context
import android.media.AudioManager
import android.os.Build
import android.view.KeyEvent
import androidx.annotation.RequiresApi
import app.tauri.plugin.JSObject
import kotlin.math.roundToInt

/** The steps of a volume or a brightness, from [min] to [max], told in percent of [max]. */
internal data class Steps(
    val min: Int,
    val max: Int,
) {
    /** The step for [percent]; only 0 is the lowest, so that a little is never nothing. */
    fun step(percent: Int): Int {
        val step = (percent * max / HUNDRED).roundToInt()
        return (if (percent > 0) maxOf(step, 1) else step).coerceIn(min, max)
    }

    fun percent(step: Int): Int = (step.coerceIn(0, max) * HUNDRED / max).roundToInt()

    private companion object {
        const val HUNDRED = 100f
    }
}

/** Volumes, and the keys of players. */
internal class Sound(
    context: Context,
) {
    private val audio = context.getSystemService(AudioManager::class.java)

    fun setVolume(args: SetVolumeArgs): JSObject {
        val name = args.stream.required("stream")
        val stream = streams[name] ?: throw invalid("no such stream")
        val percent = args.percent.within(0..100, "percent")
        if (audio.isVolumeFixed) throw FaultException(Fault.UNSUPPORTED, "the volume of this device is fixed")
        val min = if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) lowest(stream) else 0
        val steps = Steps(min, audio.getStreamMaxVolume(stream))
        try {
            audio.setStreamVolume(stream, steps.step(percent), 0)
        } catch (_: SecurityException) {
            throw FaultException(Fault.REFUSED, "this would switch Do Not Disturb")
        }
        return JSObject().put("stream", name).put("percent", steps.percent(audio.getStreamVolume(stream)))
    }

    @RequiresApi(Build.VERSION_CODES.P)
    private fun lowest(stream: Int) = audio.getStreamMinVolume(stream)

    /** The key goes to whatever played last, as that of a headset does. */
    fun press(args: MediaControlArgs): JSObject {
        val code = keys[args.key.required("key")] ?: throw invalid("no such key")
        audio.dispatchMediaKeyEvent(KeyEvent(KeyEvent.ACTION_DOWN, code))
        audio.dispatchMediaKeyEvent(KeyEvent(KeyEvent.ACTION_UP, code))
        return DevicePlugin.done()
    }

    private companion object {
        val streams =
            mapOf(
                "media" to AudioManager.STREAM_MUSIC,
                "ring" to AudioManager.STREAM_RING,
                "alarm" to AudioManager.STREAM_ALARM,
                "notification" to AudioManager.STREAM_NOTIFICATION,
                "call" to AudioManager.STREAM_VOICE_CALL,
            )
        val keys =
            mapOf(
                "play_pause" to KeyEvent.KEYCODE_MEDIA_PLAY_PAUSE,
                "play" to KeyEvent.KEYCODE_MEDIA_PLAY,
                "pause" to KeyEvent.KEYCODE_MEDIA_PAUSE,
                "next" to KeyEvent.KEYCODE_MEDIA_NEXT,
                "previous" to KeyEvent.KEYCODE_MEDIA_PREVIOUS,
                "stop" to KeyEvent.KEYCODE_MEDIA_STOP,
            )
    }
}
