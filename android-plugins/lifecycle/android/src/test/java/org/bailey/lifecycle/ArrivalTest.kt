// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.content.ContentProvider
import android.content.ContentValues
import android.content.Intent
import android.content.pm.ProviderInfo
import android.database.Cursor
import android.database.MatrixCursor
import android.net.Uri
import android.os.Looper
import android.provider.OpenableColumns
import app.tauri.plugin.PluginManager
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowToast
import java.io.ByteArrayInputStream
import java.io.File
import java.io.IOException
import java.time.Duration
import java.util.concurrent.CountDownLatch

/** What other apps, links and the launcher bring. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class ArrivalTest {
    private val bench = Bench()

    /** Another app that has files. */
    class Files : ContentProvider() {
        override fun onCreate() = true

        override fun getType(uri: Uri) = if (uri.path == "/untyped") null else "application/pdf"

        override fun query(
            uri: Uri,
            projection: Array<String>?,
            selection: String?,
            selectionArgs: Array<String>?,
            sortOrder: String?,
        ): Cursor {
            if (uri.path == "/broken") throw IllegalStateException("broken")
            return MatrixCursor(arrayOf(OpenableColumns.DISPLAY_NAME)).apply { addRow(arrayOf("../../Invoice.pdf")) }
        }

        override fun insert(
            uri: Uri,
            values: ContentValues?,
        ) = null

        override fun delete(
            uri: Uri,
            selection: String?,
            selectionArgs: Array<String>?,
        ) = 0

        override fun update(
            uri: Uri,
            values: ContentValues?,
            selection: String?,
            selectionArgs: Array<String>?,
        ) = 0
    }

    private fun taken(bench: Bench = this.bench): List<JSONObject> {
        val list = bench.call("takeArrivals").getJSONArray("arrivals")
        return List(list.length()) { list.getJSONObject(it) }
    }

    private fun link(uri: String) = Intent(Intent.ACTION_VIEW, Uri.parse(uri))

    /** Opens [ShareActivity] and waits until it is gone. */
    private fun open(intent: Intent): ShareActivity {
        val activity = Robolectric.buildActivity(ShareActivity::class.java, intent).create().get()
        val end = System.nanoTime() + 20_000_000_000
        while (!activity.isFinishing && System.nanoTime() < end) {
            shadowOf(Looper.getMainLooper()).idle()
            Thread.sleep(2)
        }
        assertTrue("it stays", activity.isFinishing)
        return activity
    }

    private fun file(
        path: String,
        content: ByteArray = "%PDF".toByteArray(),
    ): Uri {
        Robolectric.setupContentProvider(Files::class.java, "org.example.files")
        val uri = Uri.parse("content://org.example.files$path")
        shadowOf(bench.app.contentResolver).registerInputStreamSupplier(uri) { ByteArrayInputStream(content) }
        return uri
    }

    private fun isMain(intent: Intent?) = assertEquals(Bench.MAIN, intent?.component?.className)

    @Test
    fun aLinkWhileTheAppRuns() {
        PluginManager.onNewIntent(link("bailey://conversation/c1"))
        assertEquals("""{"type":"arrived"}""", bench.events.single())
        val arrival = taken().single()
        assertEquals("link", arrival.getString("type"))
        assertEquals("bailey://conversation/c1", arrival.getString("uri"))
        assertEquals("taken once", 0, taken().size)
    }

    @Test
    fun aLinkThatStartedTheApp() {
        val started = Bench(opened = link("bailey://ask/r1-q1"))
        assertEquals("bailey://ask/r1-q1", taken(started).single().getString("uri"))
        val again = link("bailey://ask/r1-q1").addFlags(Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY)
        assertEquals("not again from the recent apps", 0, taken(Bench(opened = again)).size)
    }

    @Test
    fun whatIsNoLinkOfOurs() {
        for (uri in listOf("https://example.org", "file:///etc/passwd", "bailey://" + "x".repeat(5_000))) {
            PluginManager.onNewIntent(link(uri))
        }
        PluginManager.onNewIntent(Intent(Intent.ACTION_MAIN, Uri.parse("bailey://a")))
        PluginManager.onNewIntent(Intent())
        assertEquals(0, taken().size)
        assertEquals(emptyList<String>(), bench.events)
    }

    @Test
    fun aLinkFromAnotherApp() {
        open(link("bailey://conversation/c1"))
        isMain(bench.shadow.nextStartedActivity)
        assertEquals("""{"type":"arrived"}""", bench.events.single())
        assertEquals("bailey://conversation/c1", taken().single().getString("uri"))
        open(link("https://example.org"))
        assertEquals(null, bench.shadow.nextStartedActivity)
    }

    @Test
    fun aSharedText() {
        val intent =
            Intent(Intent.ACTION_SEND)
                .setType("text/plain")
                .putExtra(Intent.EXTRA_TEXT, "Look at this")
                .putExtra(Intent.EXTRA_SUBJECT, "A find")
                .putExtra(Intent.EXTRA_REFERRER, Uri.parse("android-app://org.bank"))
        open(intent)
        isMain(bench.shadow.nextStartedActivity)
        val arrival = taken().single()
        assertEquals("shared", arrival.getString("type"))
        assertEquals("Look at this", arrival.getString("text"))
        assertEquals("A find", arrival.getString("subject"))
        assertEquals("what the system says, not what the intent says of itself", "referrer", arrival.getString("app"))
        assertEquals(1, bench.events.size)
    }

    @Test
    fun aSharedTextIsKeptUntilTheAppRuns() {
        Events.listener = null
        open(Intent(Intent.ACTION_SEND).putExtra(Intent.EXTRA_TEXT, "x".repeat(Arrivals.TEXT_LENGTH + 5)))
        val arrival = taken(Bench()).single()
        assertEquals(Arrivals.TEXT_LENGTH, arrival.getString("text").length)
        assertEquals("", arrival.getString("subject"))
    }

    @Test
    fun aSharedFile() {
        val intent =
            Intent(Intent.ACTION_SEND).setType("*/*").putExtra(Intent.EXTRA_STREAM, file("/1"))
        open(intent)
        isMain(bench.shadow.nextStartedActivity)
        val arrival = taken().single()
        assertEquals("shared_file", arrival.getString("type"))
        assertEquals("Invoice.pdf", arrival.getString("name"))
        assertEquals("application/pdf", arrival.getString("mime"))
        assertEquals(4L, arrival.getLong("bytes"))
        val copy = File(arrival.getString("path"))
        assertEquals(File(bench.app.filesDir, "shared"), copy.parentFile)
        assertEquals("pdf", copy.extension)
        assertEquals("%PDF", copy.readText())
        assertEquals(1, bench.events.size)
    }

    @Test
    fun severalFilesWithAText() {
        val uris = arrayListOf(file("/untyped"), file("/broken"))
        val intent =
            Intent(Intent.ACTION_SEND_MULTIPLE)
                .setType("image/png")
                .putParcelableArrayListExtra(Intent.EXTRA_STREAM, uris)
                .putExtra(Intent.EXTRA_TEXT, "Two")
        open(intent)
        val arrivals = taken()
        assertEquals(listOf("shared", "shared_file", "shared_file"), arrivals.map { it.getString("type") })
        assertEquals("as the intent says", "image/png", arrivals[1].getString("mime"))
        assertEquals("without a name", "file", arrivals[2].getString("name"))
        assertEquals(
            2,
            arrivals
                .drop(1)
                .map { it.getString("path") }
                .toSet()
                .size,
        )
    }

    @Test
    fun aFileThatNeverComes() {
        val gate = CountDownLatch(1)
        val uri = file("/1")
        shadowOf(bench.app.contentResolver).registerInputStreamSupplier(uri) {
            gate.await()
            ByteArrayInputStream(ByteArray(0))
        }
        val intent = Intent(Intent.ACTION_SEND).putExtra(Intent.EXTRA_STREAM, uri)
        val activity = Robolectric.buildActivity(ShareActivity::class.java, intent).setup().get()
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(59))
        assertFalse(activity.isFinishing)
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(2))
        assertTrue(activity.isFinishing)
        isMain(bench.shadow.nextStartedActivity)
        gate.countDown()
    }

    @Test
    fun filesThatAreNotTaken() {
        val private = File(bench.app.filesDir, "key").apply { writeText("secret") }
        for (uri in listOf(Uri.fromFile(private), Uri.parse("content://org.none/1"), Uri.parse("https://example.org/1"))) {
            open(Intent(Intent.ACTION_SEND).putExtra(Intent.EXTRA_STREAM, uri))
            assertEquals("Bailey could not read what was shared", ShadowToast.getTextOfLatestToast())
        }
        assertEquals(0, taken().size)
        assertEquals(0, File(bench.app.filesDir, "shared").list().orEmpty().size)
    }

    @Test
    fun aFileThatIsTooLarge() {
        val uri = file("/1", ByteArray(100_001))
        assertEquals(50L * 1024 * 1024, SharedFiles.LIMIT)
        assertThrows(TooLargeException::class.java) { SharedFiles(bench.app, limit = 100_000).copy(uri, null) }
        assertEquals(0, File(bench.app.filesDir, "shared").list().orEmpty().size)
        file("/1", ByteArray(100_000))
        assertEquals(100_000L, SharedFiles(bench.app, limit = 100_000).copy(uri, null).copy.length())
    }

    @Test
    fun baileysOwnDataIsNotShared() {
        val info = ProviderInfo()
        info.authority = "org.bailey.own"
        info.packageName = bench.app.packageName
        info.name = Files::class.java.name
        shadowOf(bench.app.packageManager).addOrUpdateProvider(info)
        for (uri in listOf("content://org.bailey.own/1", "content://0@org.bailey.own/1")) {
            shadowOf(bench.app.contentResolver).registerInputStreamSupplier(Uri.parse(uri)) { ByteArrayInputStream(ByteArray(1)) }
            assertThrows(IOException::class.java) { SharedFiles(bench.app).copy(Uri.parse(uri), null) }
        }
    }

    @Test
    fun nothingShared() {
        for (intent in listOf(Intent(Intent.ACTION_SEND), Intent("x"), Intent(Intent.ACTION_SEND).putExtra(Intent.EXTRA_STREAM, "text"))) {
            open(intent)
        }
        assertEquals(null, bench.shadow.nextStartedActivity)
        assertEquals(0, taken().size)
    }

    @Test
    fun aSubjectAlone() {
        open(Intent(Intent.ACTION_SEND).putExtra(Intent.EXTRA_SUBJECT, "A find"))
        assertEquals("A find", taken().single().getString("subject"))
    }

    @Test
    fun soManyAreKept() {
        val arrivals = Arrivals(bench.app)
        val oldest = SharedFiles(bench.app).copy(file("/1"), null)
        arrivals.file(oldest)
        repeat(Arrivals.MOST) { arrivals.alarm("a$it") }
        assertFalse(oldest.copy.exists())
        val all = taken()
        assertEquals(Arrivals.MOST, all.size)
        assertEquals("a0", all[0].getString("id"))
        assertEquals("a99", all.last().getString("id"))
    }

    @Test
    @Config(sdk = [26, 30])
    fun onOlderAndroid() {
        open(Intent(Intent.ACTION_SEND).putExtra(Intent.EXTRA_STREAM, file("/1")))
        open(Intent(Intent.ACTION_SEND_MULTIPLE).putParcelableArrayListExtra(Intent.EXTRA_STREAM, arrayListOf(file("/2"))))
        assertEquals(2, taken().size)
    }
}
