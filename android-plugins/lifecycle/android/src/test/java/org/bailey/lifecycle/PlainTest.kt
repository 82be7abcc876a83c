// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** What needs no Android. */
class PlainTest {
    @Test
    fun namesOfFiles() {
        val names =
            mapOf(
                "Invoice.pdf" to "Invoice.pdf",
                "../../etc/passwd" to "passwd",
                "C:\\a\\b.txt" to "b.txt",
                ".hidden" to "hidden",
                ".." to "file",
                "" to "file",
                null to "file",
                "a\u0000b\n.txt" to "ab.txt",
                "evil\u202Efdp.exe" to "evilfdp.exe",
                "发票 2026.pdf" to "发票 2026.pdf",
                "what?.png" to "what.png",
            )
        for ((said, safe) in names) assertEquals(said, safe, FileNames.safe(said))
        val long = FileNames.safe("x".repeat(500) + ".pdf")
        assertTrue(long, long.length == 100 && long.endsWith(".pdf"))
    }

    @Test
    fun endings() {
        val endings =
            mapOf("a.pdf" to ".pdf", "a" to "", "a." to "", "a.tar.gz" to ".gz", "a.p/f" to "", "a.abcdefghijk" to "", "a.数" to "")
        for ((name, ending) in endings) assertEquals(name, ending, FileNames.ending(name))
    }
}
