// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

import android.app.Notification
import android.app.NotificationManager
import android.app.Service
import android.content.pm.ServiceInfo
import android.os.Looper
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import java.time.Duration

/** The foreground service and its notification. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class RunTest {
    private val bench = Bench()

    private fun run(
        title: String = "Looking for trains",
        capturing: Boolean = false,
    ) = """{"title":"$title","publicTitle":"Bailey is working","stop":"Stop","capturing":$capturing}"""

    private fun shown(service: Service): Notification = shadowOf(service).lastForegroundNotification

    @Test
    fun saysWhatGoesOnAndNothingPrivateOnTheLockScreen() {
        val pending = bench.begin("showRun", run())
        assertEquals("not before it is up", 0, pending.answers.size)
        val service = bench.serve().get()
        assertEquals(0, pending.reply().length())
        val shown = shown(service)
        assertEquals("Looking for trains", shown.title)
        assertEquals(Notification.VISIBILITY_PRIVATE, shown.visibility)
        assertEquals("Bailey is working", shown.publicVersion.title)
        assertNull(shown.publicVersion.text)
        assertNull(shown.publicVersion.actions)
        assertEquals(NotificationManager.IMPORTANCE_LOW, bench.channel(Kind.RUN).importance)
        assertTrue(shown.flags and Notification.FLAG_ONGOING_EVENT != 0)
        assertEquals(ServiceInfo.FOREGROUND_SERVICE_TYPE_SPECIAL_USE, service.foregroundServiceType)
        val tap = shown.contentIntent
        assertTrue(tap.isActivity && tap.isImmutable)
        assertEquals(Bench.MAIN, shadowOf(tap).savedIntent.component?.className)
    }

    @Test
    fun isNotStartedAnew() {
        bench.begin("showRun", run())
        val service = Robolectric.buildService(RunService::class.java, bench.shadow.nextStartedService).create().get()
        assertEquals(Service.START_NOT_STICKY, service.onStartCommand(null, 0, 1))
        assertNull(service.onBind(null))
    }

    @Test
    fun askedAgainChangesWhatIsSaid() {
        bench.begin("showRun", run())
        val service = bench.serve().get()
        bench.call("showRun", run("Writing a mail"))
        assertEquals("Writing a mail", shown(service).title)
        assertNull("no second service", bench.shadow.nextStartedService)
    }

    @Test
    fun askedTwiceBeforeItIsUp() {
        val first = bench.begin("showRun", run())
        val second = bench.begin("showRun", run("Writing a mail"))
        val service = bench.serve().get()
        first.reply()
        second.reply()
        assertEquals("Writing a mail", shown(service).title)
        assertNull(bench.shadow.nextStartedService)
    }

    @Test
    fun saysSoWhenTheScreenIsCaptured() {
        bench.begin("showRun", run(capturing = true))
        val service = bench.serve().get()
        val both = ServiceInfo.FOREGROUND_SERVICE_TYPE_SPECIAL_USE or ServiceInfo.FOREGROUND_SERVICE_TYPE_MEDIA_PROJECTION
        assertEquals(both, service.foregroundServiceType)
        bench.call("showRun", run(capturing = false))
        assertEquals(ServiceInfo.FOREGROUND_SERVICE_TYPE_SPECIAL_USE, service.foregroundServiceType)
    }

    @Test
    fun ends() {
        bench.begin("showRun", run())
        val service = bench.serve().get()
        bench.call("endRun")
        assertTrue(shadowOf(service).isStoppedBySelf)
        assertTrue(shadowOf(service).isForegroundStopped)
        assertNull(RunService.running)
        bench.call("endRun")
        bench.begin("showRun", run("Again"))
        assertEquals("Again", shown(bench.serve().get()).title)
    }

    @Test
    fun endedBeforeItIsUp() {
        val pending = bench.begin("showRun", run())
        bench.call("endRun")
        val service = bench.serve().get()
        pending.reply()
        assertEquals("it has to show itself first", true, shadowOf(service).isForegroundStopped)
        assertTrue(shadowOf(service).isStoppedBySelf)
        assertNull(RunService.running)
    }

    @Test
    fun stopIsTold() {
        bench.begin("showRun", run())
        val service = bench.serve().get()
        val shown = shown(service)
        assertEquals("Stop", shown.actions.single().title)
        assertTrue(shown.actions[0].actionIntent.isImmutable)
        bench.press(StopReceiver(), shown.pressed(0))
        assertEquals(listOf("""{"type":"stop_pressed"}"""), bench.events)
        assertEquals("whoever listens ends it", false, shadowOf(service).isStoppedBySelf)
    }

    @Test
    fun stopWithNobodyThereEndsIt() {
        val bench = Bench(listens = false)
        bench.begin("showRun", run())
        val service = bench.serve().get()
        bench.press(StopReceiver(), shown(service).pressed(0))
        assertTrue(shadowOf(service).isStoppedBySelf)
    }

    @Test
    fun wantsNotifications() {
        bench.allowNotifications(false)
        assertEquals("not_granted", bench.code("showRun", run()))
        assertNull(bench.shadow.nextStartedService)
        bench.allowNotifications(true)
        bench.begin("showRun", run())
        bench.serve()
        bench.turnOff(Kind.RUN)
        assertEquals("not_granted", bench.code("showRun", run()))
    }

    @Test
    fun isRefusedInTheBackground() {
        val bench = Bench { throw IllegalStateException("not allowed") }
        assertEquals("refused", bench.code("showRun", run()))
        assertNull(RunService.order)
        val forbidden = Bench { throw SecurityException("no") }
        assertEquals("refused", forbidden.code("showRun", run()))
    }

    @Test
    fun theServiceItselfIsRefused() {
        val pending = bench.begin("showRun", run(capturing = true))
        val controller = Robolectric.buildService(RunService::class.java, bench.shadow.nextStartedService).create()
        shadowOf(controller.get()).setThrowInStartForeground(IllegalStateException("not allowed"))
        controller.startCommand(0, 1)
        assertEquals("refused", pending.fault().first)
        assertTrue(shadowOf(controller.get()).isStoppedBySelf)
        assertNull(RunService.running)
    }

    @Test
    fun aRunGoesOnWhenCapturingIsRefused() {
        bench.begin("showRun", run())
        val service = bench.serve().get()
        shadowOf(service).setThrowInStartForeground(SecurityException("no projection"))
        assertEquals("refused", bench.code("showRun", run(capturing = true)))
        assertEquals(false, shadowOf(service).isStoppedBySelf)
        assertEquals(service, RunService.running)
    }

    @Test
    fun startedByNobodyItEnds() {
        val service =
            Robolectric
                .buildService(RunService::class.java)
                .create()
                .startCommand(0, 1)
                .get()
        assertTrue(shadowOf(service).isStoppedBySelf)
    }

    @Test
    fun timesOut() {
        val pending = bench.begin("showRun", run())
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(11))
        assertEquals("timed_out", pending.fault().first)
    }

    @Test
    fun wantsItsArguments() {
        for (args in listOf("{}", """{"title":"a"}""", """{"title":"a","publicTitle":"b"}""", """{"title":[]}""")) {
            assertEquals(args, "invalid", bench.code("showRun", args))
        }
    }

    @Test
    @Config(sdk = [26, 30])
    fun onOlderAndroid() {
        bench.begin("showRun", run(capturing = true))
        val service = bench.serve().get()
        assertEquals("Looking for trains", shown(service).title)
        bench.press(StopReceiver(), shown(service).pressed(0))
        assertEquals(1, bench.events.size)
        if (RuntimeEnvironment.getApiLevel() >= 30) {
            assertEquals(ServiceInfo.FOREGROUND_SERVICE_TYPE_MEDIA_PROJECTION, service.foregroundServiceType)
        }
    }
}
