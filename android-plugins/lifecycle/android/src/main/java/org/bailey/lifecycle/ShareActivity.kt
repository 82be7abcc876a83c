// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.Activity
import android.content.Intent
import android.net.Uri
import android.os.Build
import android.os.Bundle
import android.os.Parcelable
import android.widget.Toast
import androidx.annotation.RequiresApi
import java.io.IOException
import java.util.concurrent.Executors

/**
 * Where other apps share to and links to Bailey lead: it keeps what they bring, opens Bailey's window and is gone. It shows nothing.
 *
 * It stays while files are copied, because the right to read them ends with it.
 */
class ShareActivity : Activity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        try {
            enter(savedInstanceState)
        } catch (_: RuntimeException) {
            // What another app packed can't be unpacked.
            finish()
        }
    }

    private fun enter(savedInstanceState: Bundle?) {
        val isNew = savedInstanceState == null && intent.flags and Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY == 0
        when {
            !isNew -> finish()
            intent.action == Intent.ACTION_VIEW -> if (Arrivals(this).opened(intent)) forward() else finish()
            intent.action == Intent.ACTION_SEND || intent.action == Intent.ACTION_SEND_MULTIPLE -> take()
            else -> finish()
        }
    }

    private fun take() {
        val files = files()
        val text = intent.getCharSequenceExtra(Intent.EXTRA_TEXT)?.toString().orEmpty()
        val subject = intent.getCharSequenceExtra(Intent.EXTRA_SUBJECT)?.toString().orEmpty()
        if (text.isNotEmpty() || (files.isEmpty() && subject.isNotEmpty())) Arrivals(this).shared(text, subject, sharer())
        when {
            files.isNotEmpty() -> copy(files.take(MOST_FILES))
            text.isNotEmpty() || subject.isNotEmpty() -> forward()
            else -> finish()
        }
    }

    private fun copy(files: List<Uri>) {
        val mime = intent.type
        val copying = SharedFiles(applicationContext)
        val arrivals = Arrivals(applicationContext)
        val thread = Executors.newSingleThreadExecutor()
        // An app that offers a file and never gives it must not keep the screen.
        window.decorView.postDelayed({ forward() }, LIMIT_MS)
        thread.execute {
            var trouble: Int? = null
            for (uri in files) {
                try {
                    arrivals.file(copying.copy(uri, mime))
                } catch (_: TooLargeException) {
                    trouble = R.string.lifecycle_share_too_large
                } catch (_: IOException) {
                    trouble = R.string.lifecycle_share_failed
                } catch (_: RuntimeException) {
                    // Thrown by the other app's code, or there is no right to read it.
                    trouble = R.string.lifecycle_share_failed
                }
            }
            runOnUiThread {
                trouble?.let { Toast.makeText(applicationContext, it, Toast.LENGTH_LONG).show() }
                forward()
            }
        }
        thread.shutdown()
    }

    private fun forward() {
        if (isFinishing) return
        Events.arrived()
        startActivity(Door.intent(this, null))
        finish()
    }

    /** The app that shared it, as the system knows it: what the intent itself says could be anything. */
    private fun sharer(): String {
        intent.removeExtra(Intent.EXTRA_REFERRER)
        intent.removeExtra(Intent.EXTRA_REFERRER_NAME)
        return referrer?.takeIf { it.scheme == "android-app" }?.host.orEmpty()
    }

    private fun files(): List<Uri> =
        when {
            intent.action == Intent.ACTION_SEND -> listOfNotNull(stream())
            else -> streams()
        }

    private fun stream(): Uri? =
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) {
            streamTyped()
        } else {
            @Suppress("DEPRECATION")
            intent.getParcelableExtra<Parcelable>(Intent.EXTRA_STREAM) as? Uri
        }

    private fun streams(): List<Uri> =
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) {
            streamsTyped()
        } else {
            @Suppress("DEPRECATION")
            intent.getParcelableArrayListExtra<Parcelable>(Intent.EXTRA_STREAM).orEmpty().filterIsInstance<Uri>()
        }

    @RequiresApi(Build.VERSION_CODES.TIRAMISU)
    private fun streamTyped(): Uri? = intent.getParcelableExtra(Intent.EXTRA_STREAM, Uri::class.java)

    @RequiresApi(Build.VERSION_CODES.TIRAMISU)
    private fun streamsTyped(): List<Uri> = intent.getParcelableArrayListExtra(Intent.EXTRA_STREAM, Uri::class.java).orEmpty()

    private companion object {
        /** So many files are taken of one sharing. */
        const val MOST_FILES = 10

        /** How long the copying may take, in milliseconds. */
        const val LIMIT_MS = 60_000L
    }
}
