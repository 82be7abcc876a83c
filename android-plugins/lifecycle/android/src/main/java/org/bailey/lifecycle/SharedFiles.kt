// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.content.ContentResolver
import android.content.Context
import android.net.Uri
import android.provider.OpenableColumns
import java.io.File
import java.io.FileNotFoundException
import java.io.IOException
import java.io.InputStream
import java.util.UUID

/** A file that another app shared, as it was copied. */
internal class SharedFile(
    val copy: File,
    val name: String,
    val mime: String,
)

/** The file is larger than Bailey takes. */
internal class TooLargeException : IOException("too large")

/** Copies shared files into the app's own folder. */
internal class SharedFiles(
    private val context: Context,
    private val limit: Long = LIMIT,
) {
    private val resolver = context.contentResolver
    private val folder = File(context.filesDir, "shared")

    /**
     * Copies what [uri] names; [mime] is its type where its owner says none.
     * Throws an [IOException] when it can't be read, and [TooLargeException] when there is too much of it.
     */
    fun copy(
        uri: Uri,
        mime: String?,
    ): SharedFile {
        if (!isOutside(uri)) throw FileNotFoundException("not another app's")
        val type = resolver.getType(uri) ?: mime.orEmpty()
        val name = FileNames.safe(said(uri))
        if (!folder.isDirectory && !folder.mkdirs()) throw IOException("no folder")
        val ending = FileNames.ending(name)
        val copy = File(folder, UUID.randomUUID().toString() + ending)
        try {
            val from = resolver.openInputStream(uri) ?: throw FileNotFoundException("nothing to read")
            from.use { stream(it, copy) }
        } catch (e: Exception) {
            copy.delete()
            throw if (e is IOException) e else IOException(e.javaClass.simpleName)
        }
        return SharedFile(copy, name, type)
    }

    private fun stream(
        from: InputStream,
        to: File,
    ) {
        to.outputStream().use { out ->
            val part = ByteArray(PART)
            var sum = 0L
            while (true) {
                val read = from.read(part)
                if (read < 0) return
                sum += read
                if (sum > limit) throw TooLargeException()
                out.write(part, 0, read)
            }
        }
    }

    /** Whether another app offers it: one that names Bailey's own data would have it read what it can't read itself. */
    private fun isOutside(uri: Uri): Boolean {
        if (uri.scheme != ContentResolver.SCHEME_CONTENT) return false
        // A user's number may stand before the name.
        val authority = uri.authority?.substringAfterLast('@') ?: return false
        return context.packageManager.resolveContentProvider(authority, 0)?.packageName != context.packageName
    }

    private fun said(uri: Uri): String? =
        try {
            resolver.query(uri, arrayOf(OpenableColumns.DISPLAY_NAME), null, null, null)?.use {
                if (it.moveToFirst() && it.columnCount > 0) it.getString(0) else null
            }
        } catch (_: RuntimeException) {
            // Whatever the other app's code threw: the name matters little.
            null
        }

    internal companion object {
        /** The largest file that is taken, in bytes: 50 MiB. */
        const val LIMIT = 50L * 1024 * 1024
        private const val PART = 64 * 1024
    }
}

/** Names of files that another app gave. */
internal object FileNames {
    private const val LENGTH = 100
    private const val ENDING = 10
    private val hidden = setOf(CharCategory.CONTROL, CharCategory.FORMAT, CharCategory.LINE_SEPARATOR, CharCategory.PARAGRAPH_SEPARATOR)

    /** [name] as the name of one file: without a path, and without signs that hide or turn text. */
    fun safe(name: String?): String {
        val last = name.orEmpty().substringAfterLast('/').substringAfterLast('\\')
        val plain =
            last
                .filter { it.category !in hidden && it !in "<>:\"|?*" }
                .trim()
                .trimStart('.')
                .ifEmpty { "file" }
        val ending = ending(plain)
        return plain.removeSuffix(ending).take(LENGTH - ending.length) + ending
    }

    /** The ending of a name with its dot, if it is short and plain; otherwise nothing. */
    fun ending(name: String): String {
        val ending = name.substringAfterLast('.', "")
        val isPlain = ending.length in 1..ENDING && ending.all { it in 'a'..'z' || it in 'A'..'Z' || it in '0'..'9' }
        return if (isPlain) ".$ending" else ""
    }
}
