// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.content.Context
import android.media.AudioManager
import android.view.KeyEvent
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.annotation.Implementation
import org.robolectric.annotation.Implements
import org.robolectric.shadows.ShadowAudioManager

/** A system that does not let the volume be changed while Do Not Disturb is on, or at all. */
@Implements(AudioManager::class)
class StubbornAudio : ShadowAudioManager() {
    @Implementation
    override fun setStreamVolume(
        stream: Int,
        index: Int,
        flags: Int,
    ) {
        if (stream == AudioManager.STREAM_RING) throw SecurityException("Not allowed to change Do Not Disturb state")
        super.setStreamVolume(stream, index, flags)
    }

    @Implementation
    @Suppress("unused")
    fun isVolumeFixed() = fixed

    companion object {
        var fixed = false
    }
}

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class SoundTest {
    private val bench = Bench()
    private val audio = bench.app.getSystemService(Context.AUDIO_SERVICE) as AudioManager

    private fun set(
        stream: String,
        percent: Int,
    ) = bench.call("setVolume", """{"stream":"$stream","percent":$percent}""").toString()

    @Test
    fun eachStream() {
        // Music has 15 steps here, the others 7.
        val want =
            mapOf(
                "media" to (AudioManager.STREAM_MUSIC to 6),
                "ring" to (AudioManager.STREAM_RING to 3),
                "alarm" to (AudioManager.STREAM_ALARM to 3),
                "notification" to (AudioManager.STREAM_NOTIFICATION to 3),
                "call" to (AudioManager.STREAM_VOICE_CALL to 3),
            )
        for ((name, to) in want) {
            val percent = if (name == "media") 40 else 43
            assertEquals("""{"stream":"$name","percent":$percent}""", set(name, 40))
            assertEquals(name, to.second, audio.getStreamVolume(to.first))
        }
        assertEquals("""{"stream":"media","percent":7}""", set("media", 1))
        assertEquals("""{"stream":"media","percent":100}""", set("media", 100))
        assertEquals("""{"stream":"media","percent":0}""", set("media", 0))
        assertEquals(0, audio.getStreamVolume(AudioManager.STREAM_MUSIC))
    }

    @Test
    fun badVolumes() {
        for (args in listOf(
            "{}",
            """{"stream":"media"}""",
            """{"percent":5}""",
            """{"stream":"tv","percent":5}""",
            """{"stream":"media","percent":101}""",
            """{"stream":"media","percent":-1}""",
            """{"stream":"media","percent":"loud"}""",
        )) {
            assertEquals(args, "invalid", bench.code("setVolume", args))
        }
    }

    @Test
    @Config(shadows = [StubbornAudio::class])
    fun refusals() {
        StubbornAudio.fixed = false
        assertEquals("refused", bench.code("setVolume", """{"stream":"ring","percent":0}"""))
        assertEquals("""{"stream":"media","percent":40}""", set("media", 40))
        StubbornAudio.fixed = true
        assertEquals("unsupported", bench.code("setVolume", """{"stream":"media","percent":5}"""))
    }

    @Test
    fun keys() {
        val codes =
            mapOf(
                "play_pause" to KeyEvent.KEYCODE_MEDIA_PLAY_PAUSE,
                "play" to KeyEvent.KEYCODE_MEDIA_PLAY,
                "pause" to KeyEvent.KEYCODE_MEDIA_PAUSE,
                "next" to KeyEvent.KEYCODE_MEDIA_NEXT,
                "previous" to KeyEvent.KEYCODE_MEDIA_PREVIOUS,
                "stop" to KeyEvent.KEYCODE_MEDIA_STOP,
            )
        for ((key, code) in codes) {
            shadowOf(audio).clearDispatchedMediaKeyEvents()
            assertEquals("{}", bench.call("mediaControl", """{"key":"$key"}""").toString())
            val pressed = shadowOf(audio).dispatchedMediaKeyEvents.map { it.action to it.keyCode }
            assertEquals(listOf(KeyEvent.ACTION_DOWN to code, KeyEvent.ACTION_UP to code), pressed)
        }
        assertEquals("invalid", bench.code("mediaControl", """{"key":"eject"}"""))
        assertEquals("invalid", bench.code("mediaControl"))
    }
}
