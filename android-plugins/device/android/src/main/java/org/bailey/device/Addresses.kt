// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import java.net.IDN

/** Checks what is handed to other apps. On doubt it is refused. */
internal object Addresses {
    private const val LONGEST_URI = 8_192
    private const val LONGEST_PACKAGE = 255
    private const val LONGEST_NUMBER = 64
    private const val LONGEST_MAIL = 320
    private val webSchemes = setOf("http", "https")

    /** `geo` and `https`, and those of the map apps that have one of their own. */
    private val mapSchemes = setOf("geo", "https", "androidamap", "baidumap", "google.navigation")
    private val packageName = Regex("""[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+""")
    private val number = Regex("""\+?[0-9 ().\-/,;]*""")
    private val mail = Regex("""[^\s\p{Cntrl}@,;<>"()\[\]\\:]+@[^\s\p{Cntrl}@,;<>"()\[\]\\:]+""")
    private val scheme = Regex("""([A-Za-z][A-Za-z0-9+.\-]*):.*""")
    private val authority = Regex("""(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::[0-9]{1,5})?""")
    private val host = Regex("""[A-Za-z0-9_\-]+(\.[A-Za-z0-9_\-]+)*\.?""")
    private val odd = Regex("""[\s\p{Cntrl}\p{Cf}\\]""")

    /** A web address with a host and nothing odd in it; returns the host. */
    fun web(uri: String): String {
        if (schemeOf(uri) !in webSchemes) throw invalid("only http and https are opened")
        return host(uri)
    }

    /** The address of a place, for a map app. */
    fun map(uri: String) {
        val scheme = schemeOf(uri)
        if (scheme !in mapSchemes) throw invalid("no scheme of a map")
        if (scheme == "https") host(uri)
    }

    /** A package's name. */
    fun app(name: String): String {
        if (name.length > LONGEST_PACKAGE || !packageName.matches(name)) throw invalid("not the name of a package")
        return name
    }

    /** A telephone number. Codes with `*` or `#` are refused: some dialers carry them out at once. */
    fun number(text: String): String {
        if ('*' in text || '#' in text) throw FaultException(Fault.REFUSED, "codes with * or # are only dialled by the person")
        if (text.length > LONGEST_NUMBER || !number.matches(text) || text.none { it in '0'..'9' }) {
            throw invalid("not a telephone number")
        }
        return text
    }

    /** A mail address. */
    fun mail(text: String): String {
        if (text.length > LONGEST_MAIL || !mail.matches(text)) throw invalid("not a mail address")
        return text
    }

    private fun schemeOf(uri: String): String {
        if (uri.length > LONGEST_URI) throw FaultException(Fault.TOO_LARGE, "an address of at most $LONGEST_URI characters")
        if (odd.containsMatchIn(uri)) throw invalid("an address has no spaces or control characters")
        val match = scheme.matchEntire(uri) ?: throw invalid("not an address")
        // Android compares schemes letter by letter: only lower case finds an app.
        return match.groupValues[1].also { if (it != it.lowercase()) throw invalid("a scheme is in lower case") }
    }

    /** The host in the form that looks like no other. */
    private fun host(uri: String): String {
        val place = uri.substringAfter("://", "").takeWhile { it !in "/?#" }
        // What stands before an @ looks like the host and is not.
        if ('@' in place) throw invalid("an address names nobody before its host")
        val name = authority.matchEntire(place)?.groupValues?.get(1) ?: throw invalid("an address names its host")
        if (name.startsWith('[')) return name
        val ascii =
            try {
                IDN.toASCII(name)
            } catch (_: IllegalArgumentException) {
                throw invalid("not a host")
            }
        return ascii.also { if (!host.matches(it)) throw invalid("not a host") }
    }
}
