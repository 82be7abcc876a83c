// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.app.AppOpsManager
import android.app.usage.UsageStatsManager
import android.content.Intent
import android.content.IntentFilter
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowUsageStatsManager.EventBuilder
import org.robolectric.shadows.ShadowUsageStatsManager.UsageStatsBuilder

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class AppsTest {
    private val bench = Bench()
    private val phone = Phone(bench.app)
    private val usage = shadowOf(bench.app.getSystemService(UsageStatsManager::class.java))

    @Before
    fun apps() {
        phone.install("org.example.chat", "Chat", "2.1")
        phone.install("org.example.clock", "时钟", version = null, system = true)
        phone.setMode(AppOpsManager.OPSTR_GET_USAGE_STATS, AppOpsManager.MODE_ALLOWED)
    }

    private fun rows(
        reply: JSONObject,
        of: String = "apps",
    ): List<String> = reply.getJSONArray(of).let { list -> List(list.length()) { list.getJSONObject(it).toString() } }

    @Test
    fun installed() {
        // A second icon makes no second app.
        phone.activity(
            "org.example.chat",
            "Second",
            IntentFilter(Intent.ACTION_MAIN).apply { addCategory(Intent.CATEGORY_LAUNCHER) },
        )
        val want =
            setOf(
                """{"package":"org.example.chat","name":"Chat","version":"2.1","system":false}""",
                """{"package":"org.example.clock","name":"时钟","version":"","system":true}""",
            )
        val rows = rows(bench.call("installedApps"))
        assertEquals(want, rows.toSet())
        assertEquals(2, rows.size)
    }

    private fun event(
        app: String,
        activity: String,
        kind: Int,
        at: Long,
    ) = usage.addEvent(
        EventBuilder
            .buildEvent()
            .setPackage(app)
            .setClass(activity)
            .setEventType(kind)
            .setTimeStamp(at)
            .build(),
    )

    @Test
    fun usageOfLateIsExact() {
        val until = System.currentTimeMillis() - 1_000
        val from = until - 3_600_000
        event("org.example.chat", "Main", 1, from + 1_000)
        event("org.example.chat", "Main", 2, from + 61_000)
        event("org.example.gone", "Main", 1, from + 61_000)
        event("org.example.gone", "Main", 23, from + 62_000)
        event("android", "", 26, from + 62_500)
        val reply = bench.call("appUsage", """{"from":$from,"until":$until}""")
        val want =
            listOf(
                """{"package":"org.example.chat","name":"Chat","foregroundMs":60000,"lastUsed":${from + 61_000}}""",
                """{"package":"org.example.gone","name":"org.example.gone","foregroundMs":1000,"lastUsed":${from + 62_000}}""",
            )
        assertEquals(want, rows(reply))
    }

    @Test
    fun usageOfLongAgoIsSummed() {
        val now = System.currentTimeMillis()
        val day = 86_400_000L
        for ((app, ms) in listOf("org.example.clock" to 5_000L, "org.example.chat" to 9_000L, "org.never" to 0L)) {
            usage.addUsageStats(
                UsageStatsManager.INTERVAL_BEST,
                UsageStatsBuilder
                    .newBuilder()
                    .setPackageName(app)
                    .setFirstTimeStamp(now - 6 * day)
                    .setLastTimeStamp(now - 5 * day)
                    .setLastTimeUsed(now - 5 * day - ms)
                    .setTotalTimeInForeground(ms)
                    .build(),
            )
        }
        val reply = bench.call("appUsage", """{"from":${now - 10 * day},"until":$now}""")
        val want =
            listOf(
                """{"package":"org.example.chat","name":"Chat","foregroundMs":9000,"lastUsed":${now - 5 * day - 9_000}}""",
                """{"package":"org.example.clock","name":"时钟","foregroundMs":5000,"lastUsed":${now - 5 * day - 5_000}}""",
            )
        assertEquals(want, rows(reply))
    }

    @Test
    fun refusals() {
        assertEquals("invalid", bench.code("appUsage"))
        assertEquals("invalid", bench.code("appUsage", """{"from":5,"until":5}"""))
        assertEquals("invalid", bench.code("appUsage", """{"from":-1,"until":5}"""))
        assertEquals("invalid", bench.code("appUsage", """{"from":"soon","until":5}"""))
        assertEquals("invalid", bench.code("appUsage", """{"from":18446744073709551615,"until":5}"""))
        val future = System.currentTimeMillis() + 60_000
        assertEquals("invalid", bench.code("appUsage", """{"from":$future,"until":${future + 1}}"""))
        phone.setMode(AppOpsManager.OPSTR_GET_USAGE_STATS, AppOpsManager.MODE_ERRORED)
        assertEquals("not_granted" to "usage", bench.fault("appUsage", """{"from":1,"until":5}"""))
    }
}
