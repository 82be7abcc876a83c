// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.content.Context
import android.content.res.Resources
import android.hardware.Sensor
import android.hardware.SensorManager
import android.hardware.camera2.CameraAccessException
import android.hardware.camera2.CameraCharacteristics
import android.hardware.camera2.CameraManager
import android.media.AudioAttributes
import android.os.Build
import android.os.VibrationAttributes
import android.os.VibrationEffect
import android.os.Vibrator
import android.os.VibratorManager
import android.provider.Settings
import androidx.annotation.RequiresApi
import app.tauri.plugin.JSObject

/** The display's light, the torch and the motor. */
internal class Hardware(
    private val context: Context,
    private val grants: Grants,
    private val front: Front,
) {
    /** Sets the brightness, or leaves it to the device when there is no percentage. */
    fun setBrightness(args: SetBrightnessArgs): JSObject {
        val percent = args.percent?.within(0..100, "percent")
        grants.need(Grant.WRITE_SETTINGS)
        val resolver = context.contentResolver
        val steps = Steps(1, systemInt("config_screenBrightnessSettingMaximum") ?: USUAL_MAX)
        if (percent == null) {
            if (!hasLightSensor()) throw FaultException(Fault.UNSUPPORTED, "this device does not choose its brightness")
            write(Settings.System.SCREEN_BRIGHTNESS_MODE, Settings.System.SCREEN_BRIGHTNESS_MODE_AUTOMATIC)
        } else {
            write(Settings.System.SCREEN_BRIGHTNESS_MODE, Settings.System.SCREEN_BRIGHTNESS_MODE_MANUAL)
            write(Settings.System.SCREEN_BRIGHTNESS, steps.step(percent))
        }
        val mode = Settings.System.getInt(resolver, Settings.System.SCREEN_BRIGHTNESS_MODE, Settings.System.SCREEN_BRIGHTNESS_MODE_MANUAL)
        return JSObject()
            .put("percent", steps.percent(Settings.System.getInt(resolver, Settings.System.SCREEN_BRIGHTNESS, 0)))
            .put("automatic", mode == Settings.System.SCREEN_BRIGHTNESS_MODE_AUTOMATIC)
    }

    private fun write(
        setting: String,
        value: Int,
    ) {
        if (!Settings.System.putInt(context.contentResolver, setting, value)) {
            throw FaultException(Fault.REFUSED, "the settings did not take it")
        }
    }

    private fun hasLightSensor() = context.getSystemService(SensorManager::class.java)?.getDefaultSensor(Sensor.TYPE_LIGHT) != null

    /** A number the maker has set for the whole system: the scale of the brightness is not the same everywhere. */
    private fun systemInt(name: String): Int? {
        val resources = Resources.getSystem()
        val id = resources.getIdentifier(name, "integer", "android")
        return if (id == 0) null else resources.getInteger(id).takeIf { it > 1 }
    }

    fun setTorch(args: SetTorchArgs): JSObject {
        val on = args.on.required("on")
        val cameras = context.getSystemService(CameraManager::class.java) ?: throw noTorch()
        try {
            cameras.setTorchMode(torch(cameras) ?: throw noTorch(), on)
        } catch (e: CameraAccessException) {
            throw when (e.reason) {
                CameraAccessException.CAMERA_IN_USE, CameraAccessException.MAX_CAMERAS_IN_USE ->
                    FaultException(Fault.BUSY, "the camera is in use")
                CameraAccessException.CAMERA_DISABLED -> FaultException(Fault.REFUSED, "the camera is disabled")
                else -> FaultException(Fault.FAILED, "the camera")
            }
        }
        return DevicePlugin.done()
    }

    private fun noTorch() = FaultException(Fault.UNSUPPORTED, "no torch")

    /** The camera whose light it is: that at the back, where there are several. */
    private fun torch(cameras: CameraManager): String? {
        val lit =
            cameras.cameraIdList.filter {
                cameras.getCameraCharacteristics(it).get(CameraCharacteristics.FLASH_INFO_AVAILABLE) == true
            }
        val atBack =
            lit.find {
                cameras.getCameraCharacteristics(it).get(CameraCharacteristics.LENS_FACING) == CameraCharacteristics.LENS_FACING_BACK
            }
        return atBack ?: lit.firstOrNull()
    }

    fun vibrate(args: VibrateArgs): JSObject {
        val duration = args.durationMs.within(1..LONGEST_MS, "durationMs")
        val motor = if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.S) motor() else oldMotor()
        if (motor == null || !motor.hasVibrator()) throw FaultException(Fault.UNSUPPORTED, "no vibration")
        val effect = VibrationEffect.createOneShot(duration.toLong(), VibrationEffect.DEFAULT_AMPLITUDE)
        when {
            front.isOnTop() -> motor.vibrate(effect)
            // From the background only what announces something is let through.
            Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU -> announce(motor, effect)
            else -> announceOld(motor, effect)
        }
        return DevicePlugin.done()
    }

    @RequiresApi(Build.VERSION_CODES.S)
    private fun motor(): Vibrator? = context.getSystemService(VibratorManager::class.java)?.defaultVibrator

    @Suppress("DEPRECATION")
    private fun oldMotor(): Vibrator? = context.getSystemService(Vibrator::class.java)

    @RequiresApi(Build.VERSION_CODES.TIRAMISU)
    private fun announce(
        motor: Vibrator,
        effect: VibrationEffect,
    ) = motor.vibrate(effect, VibrationAttributes.createForUsage(VibrationAttributes.USAGE_NOTIFICATION))

    @Suppress("DEPRECATION")
    private fun announceOld(
        motor: Vibrator,
        effect: VibrationEffect,
    ) = motor.vibrate(effect, AudioAttributes.Builder().setUsage(AudioAttributes.USAGE_NOTIFICATION).build())

    private companion object {
        const val USUAL_MAX = 255
        const val LONGEST_MS = 5_000
    }
}
