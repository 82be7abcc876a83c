// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import org.junit.Assert.assertEquals
import org.junit.Assert.assertThrows
import org.junit.Test
import java.time.ZoneId

/** What needs no Android. */
class PlainTest {
    private fun refuses(
        fault: Fault,
        text: String,
        check: (String) -> Unit,
    ) = assertEquals(text, fault, assertThrows(text, FaultException::class.java) { check(text) }.fault)

    @Test
    fun webAddresses() {
        assertEquals("example.org", Addresses.web("https://example.org/a?b=c|d#e"))
        assertEquals("example.org", Addresses.web("http://example.org:8080"))
        assertEquals("example.org", Addresses.web("https://example.org?at=a@b"))
        assertEquals("[::1]", Addresses.web("http://[::1]/"))
        assertEquals("xn--bcher-kva.example", Addresses.web("https://bücher.example/é"))
        val bad =
            listOf(
                "",
                "example.org",
                "ftp://example.org/",
                "file:///sdcard/a",
                "content://contacts/1",
                "javascript:alert(1)",
                "intent://scan/#Intent;scheme=zxing;end",
                "HTTPS://example.org/",
                "https:example.org",
                "https:///a",
                "https://:80/",
                "https://good.example@bad.example/",
                "https://exa mple.org/",
                "https://example.org/\n",
                "https://example.org\\@bad.example/",
                "https://exam\u200Bple.org/",
                "https://example.org:x/%",
                "market://details?id=a",
                "tel:110",
            )
        for (uri in bad) refuses(Fault.INVALID, uri) { Addresses.web(it) }
        refuses(Fault.TOO_LARGE, "https://example.org/" + "a".repeat(9_000)) { Addresses.web(it) }
    }

    @Test
    fun mapAddresses() {
        for (uri in listOf(
            "geo:48.1374,11.5755?q=48.1374,11.5755(Marienplatz)",
            "https://maps.example.org/?q=1,2",
            "google.navigation:q=48.1,11.5",
            "androidamap://viewMap?lat=39.9&lon=116.3&dev=0",
            "baidumap://map/marker?location=39.9,116.3",
            "geo:0,0?q=%E6%95%85%E5%AE%AB",
        )) {
            Addresses.map(uri)
        }
        for (uri in listOf("http://maps.example.org/", "GEO:1,2", "intent:#Intent;end", "https://", "androidpay://pay", "geo:1,2?q=a b")) {
            refuses(Fault.INVALID, uri) { Addresses.map(it) }
        }
    }

    @Test
    fun numbers() {
        assertEquals("+49 89 1234", Addresses.number("+49 89 1234"))
        assertEquals("(030) 12-34/5", Addresses.number("(030) 12-34/5"))
        for (text in listOf("", "+", "ada", "+49 89 1234x", "12+3", "1".repeat(65), "١٢٣", "1\n2")) {
            refuses(Fault.INVALID, text) { Addresses.number(it) }
        }
        for (code in listOf("*#06#", "*100#", "#31#123", "*#*#4636#*#*")) refuses(Fault.REFUSED, code) { Addresses.number(it) }
    }

    @Test
    fun packagesAndMail() {
        assertEquals("org.example.chat", Addresses.app("org.example.chat"))
        for (name in listOf("", "chat", "org..chat", "org.example/.Main", "org.example.chat ", "1.a", "../a.b", "a." + "b".repeat(255))) {
            refuses(Fault.INVALID, name) { Addresses.app(it) }
        }
        assertEquals("ada+b@example.org", Addresses.mail("ada+b@example.org"))
        for (text in listOf("", "ada", "@example.org", "ada@", "a@b@c", "a@b,c@d", "a@b\nBcc: c@d", "<a@b>", "a b@c")) {
            refuses(Fault.INVALID, text) { Addresses.mail(it) }
        }
    }

    @Test
    fun timeInFront() {
        val time = ForegroundTime(1_000, 10_000)
        // There from the beginning.
        time.paused("a", "a.Main", 2_000)
        time.stopped("a", "a.Main", 2_100)
        // Two activities of one app, one after the other without a gap, count once.
        time.resumed("b", "b.Main", 2_000)
        time.resumed("b", "b.Detail", 3_000)
        time.paused("b", "b.Main", 3_500)
        time.paused("b", "b.Detail", 4_000)
        // Ended while in front.
        time.resumed("a", "a.Main", 5_000)
        time.stopped("a", "a.Main", 5_500)
        // Only seen to end.
        time.stopped("c", "c.Main", 5_600)
        // Still there when the device went off, and another still there at the end.
        time.resumed("d", "d.Main", 6_000)
        time.shutDown(6_250)
        time.resumed("e", "e.Main", 9_000)
        val want =
            listOf(
                ForegroundTime.Total("b", 2_000, 4_000),
                ForegroundTime.Total("a", 1_500, 5_500),
                ForegroundTime.Total("e", 1_000, 10_000),
                ForegroundTime.Total("d", 250, 6_250),
            )
        assertEquals(want, time.totals())
    }

    @Test
    fun wholeDays() {
        val berlin = ZoneId.of("Europe/Berlin")
        val day = 86_400_000L
        // 2026-06-01 00:00 to 2026-06-02 00:00 in Berlin, which is two hours before UTC's midnight.
        val begin = 20_605 * day - 2 * 3_600_000
        assertEquals(WholeDays(20_605 * day, 20_606 * day), WholeDays.touched(begin, begin + day, berlin))
        assertEquals(WholeDays(20_605 * day, 20_606 * day), WholeDays.touched(begin + 1, begin + 2, berlin))
        assertEquals(WholeDays(20_605 * day, 20_607 * day), WholeDays.touched(begin, begin + day + 1, berlin))
        assertEquals(WholeDays(20_604 * day, 20_606 * day), WholeDays.touched(begin, begin + day, ZoneId.of("UTC")))
    }

    @Test
    fun bestFix() {
        val second = 1_000_000_000L
        val gps = Fix("gps", 1_000 * second, 5f)
        val net = Fix("network", 1_060 * second, 40f)
        val old = Fix("fused", 500 * second, 1f)
        val vague = Fix("passive", 1_061 * second, null)

        fun best(vararg fixes: Fix) = Fix.best(fixes.toList()) { it }
        assertEquals(null, best())
        assertEquals(gps, best(old, gps, net, vague))
        assertEquals(vague, best(old, vague))
        assertEquals(net, best(net, net.copy(provider = "older", atNanos = 1_050 * second)))
    }

    @Test
    fun steps() {
        val media = Steps(0, 15)
        assertEquals(listOf(0, 1, 1, 6, 8, 15), listOf(0, 1, 3, 40, 50, 100).map { media.step(it) })
        assertEquals(listOf(0, 7, 40, 100, 100), listOf(0, 1, 6, 15, 99).map { media.percent(it) })
        assertEquals(1, Steps(1, 7).step(0))
        assertEquals(128, Steps(1, 255).step(50))
        assertEquals(50, Steps(1, 255).percent(128))
    }

    @Test
    fun likeLiteral() = assertEquals("""50\% \_a\\b""", ContactSearch.likeLiteral("""50% _a\b"""))
}
