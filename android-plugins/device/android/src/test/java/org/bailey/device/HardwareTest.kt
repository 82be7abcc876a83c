// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.app.AppOpsManager
import android.hardware.Sensor
import android.hardware.SensorManager
import android.hardware.camera2.CameraAccessException
import android.hardware.camera2.CameraCharacteristics
import android.hardware.camera2.CameraManager
import android.os.VibrationAttributes
import android.os.VibratorManager
import android.provider.Settings
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.annotation.Implementation
import org.robolectric.annotation.Implements
import org.robolectric.shadows.ShadowCameraCharacteristics
import org.robolectric.shadows.ShadowCameraManager
import org.robolectric.shadows.ShadowSensor

/** Cameras that fail as told. */
@Implements(CameraManager::class)
class FailingCameras : ShadowCameraManager() {
    @Implementation
    override fun setTorchMode(
        camera: String,
        on: Boolean,
    ) {
        reason?.let { throw CameraAccessException(it) }
        super.setTorchMode(camera, on)
    }

    companion object {
        var reason: Int? = null
    }
}

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class HardwareTest {
    private val bench = Bench()
    private val phone = Phone(bench.app)
    private val cameras = shadowOf(bench.app.getSystemService(CameraManager::class.java))
    private val motor = shadowOf(bench.app.getSystemService(VibratorManager::class.java).defaultVibrator)

    private fun system(name: String) = Settings.System.getInt(bench.app.contentResolver, name)

    @Test
    fun brightness() {
        phone.setMode(AppOpsManager.OPSTR_WRITE_SETTINGS, AppOpsManager.MODE_ALLOWED)
        assertEquals("""{"percent":50,"automatic":false}""", bench.call("setBrightness", """{"percent":50}""").toString())
        assertEquals(128, system(Settings.System.SCREEN_BRIGHTNESS))
        assertEquals(Settings.System.SCREEN_BRIGHTNESS_MODE_MANUAL, system(Settings.System.SCREEN_BRIGHTNESS_MODE))
        assertEquals("unsupported", bench.code("setBrightness"))
        shadowOf(bench.app.getSystemService(SensorManager::class.java)).addSensor(ShadowSensor.newInstance(Sensor.TYPE_LIGHT))
        assertEquals("""{"percent":50,"automatic":true}""", bench.call("setBrightness").toString())
        assertEquals(Settings.System.SCREEN_BRIGHTNESS_MODE_AUTOMATIC, system(Settings.System.SCREEN_BRIGHTNESS_MODE))
        assertEquals("""{"percent":0,"automatic":false}""", bench.call("setBrightness", """{"percent":0}""").toString())
        assertEquals(1, system(Settings.System.SCREEN_BRIGHTNESS))
        bench.call("setBrightness", """{"percent":100}""")
        assertEquals(255, system(Settings.System.SCREEN_BRIGHTNESS))
        assertEquals("invalid", bench.code("setBrightness", """{"percent":101}"""))
        phone.setMode(AppOpsManager.OPSTR_WRITE_SETTINGS, AppOpsManager.MODE_IGNORED)
        assertEquals("not_granted" to "write_settings", bench.fault("setBrightness", """{"percent":5}"""))
        assertEquals(255, system(Settings.System.SCREEN_BRIGHTNESS))
    }

    private fun camera(
        id: String,
        flash: Boolean?,
        facing: Int,
    ) {
        val camera = ShadowCameraCharacteristics.newCameraCharacteristics()
        flash?.let { shadowOf(camera).set(CameraCharacteristics.FLASH_INFO_AVAILABLE, it) }
        shadowOf(camera).set(CameraCharacteristics.LENS_FACING, facing)
        cameras.addCamera(id, camera)
    }

    private fun torch(on: Boolean) = bench.begin("setTorch", """{"on":$on}""")

    @Test
    fun torchAtTheBack() {
        camera("0", null, CameraCharacteristics.LENS_FACING_BACK)
        assertEquals("unsupported", torch(true).fault().first)
        camera("1", true, CameraCharacteristics.LENS_FACING_FRONT)
        camera("2", true, CameraCharacteristics.LENS_FACING_BACK)
        assertEquals("{}", torch(true).reply().toString())
        assertEquals(true, cameras.getTorchMode("2"))
        torch(false).reply()
        assertEquals(false, cameras.getTorchMode("2"))
        cameras.removeCamera("2")
        torch(true).reply()
        assertEquals(true, cameras.getTorchMode("1"))
        assertEquals("invalid", bench.code("setTorch"))
    }

    @Test
    @Config(shadows = [FailingCameras::class])
    fun torchInUse() {
        camera("0", true, CameraCharacteristics.LENS_FACING_BACK)
        val faults =
            mapOf(
                CameraAccessException.CAMERA_IN_USE to "busy",
                CameraAccessException.MAX_CAMERAS_IN_USE to "busy",
                CameraAccessException.CAMERA_DISABLED to "refused",
                CameraAccessException.CAMERA_ERROR to "failed",
            )
        for ((reason, fault) in faults) {
            FailingCameras.reason = reason
            assertEquals(fault, torch(true).fault().first)
        }
        FailingCameras.reason = null
        assertEquals("{}", torch(true).reply().toString())
    }

    @Test
    fun vibrates() {
        assertEquals("{}", bench.call("vibrate", """{"durationMs":200}""").toString())
        assertEquals(200L to true, motor.milliseconds to motor.isVibrating)
        bench.front.onTop = false
        bench.call("vibrate", """{"durationMs":5000}""")
        assertEquals(5_000L, motor.milliseconds)
        val attributes = motor.vibrationAttributesFromLastVibration as VibrationAttributes
        assertEquals(VibrationAttributes.USAGE_NOTIFICATION, attributes.usage)
        for (bad in listOf("{}", """{"durationMs":0}""", """{"durationMs":5001}""", """{"durationMs":-5}""")) {
            assertEquals("invalid", bench.code("vibrate", bad))
        }
        motor.setHasVibrator(false)
        assertEquals("unsupported", bench.code("vibrate", """{"durationMs":200}"""))
    }
}
