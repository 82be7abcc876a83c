// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

import android.graphics.Rect
import android.os.Build
import android.os.Bundle
import android.text.InputType
import android.view.accessibility.AccessibilityNodeInfo
import android.view.accessibility.AccessibilityWindowInfo
import androidx.annotation.RequiresApi

/** Text as the system has it, with halves of characters replaced: no JSON reader takes those. */
internal fun CharSequence?.clean(): String {
    val text = this?.toString() ?: return ""
    if (text.none { it.isSurrogate() }) return text
    val whole = StringBuilder(text.length)
    var at = 0
    while (at < text.length) {
        val point = text.codePointAt(at)
        whole.appendCodePoint(if (point in 0xD800..0xDFFF) 0xFFFD else point)
        at += Character.charCount(point)
    }
    return whole.toString()
}

private fun Rect.box() = Box(left, top, right, bottom)

/** A node as the system hands it out. Two are equal when they stand for the same view. */
internal class SystemNode(
    private val info: AccessibilityNodeInfo,
) : ScreenNode {
    override val identity: Any get() = info
    override val childCount get() = info.childCount

    override fun look(): Look {
        val password = info.isPassword || isForPassword(info.inputType)
        val text = if (password || info.isShowingHintText) "" else info.text.clean()
        return Look(
            app = info.packageName.clean(),
            className = info.className.clean(),
            id = info.viewIdResourceName.clean().substringAfterLast('/'),
            text = text,
            description = info.contentDescription.clean(),
            hint = if (text.isEmpty()) info.hintText.clean() else "",
            state = if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.R) state(info) else "",
            bounds = Rect().also(info::getBoundsInScreen).box(),
            hidden = !info.isVisibleToUser,
            disabled = !info.isEnabled,
            clickable = info.isClickable,
            longClickable = info.isLongClickable,
            scrollable = info.isScrollable,
            editable = info.isEditable,
            password = password,
            checkable = info.isCheckable,
            checked = isChecked(),
            selected = info.isSelected,
            focused = info.isFocused,
        )
    }

    /** A field whose password is shown no longer says that it is one, but its kind of text does. */
    private fun isForPassword(type: Int): Boolean {
        val variation = type and InputType.TYPE_MASK_VARIATION
        return when (type and InputType.TYPE_MASK_CLASS) {
            InputType.TYPE_CLASS_TEXT -> variation in PASSWORDS
            InputType.TYPE_CLASS_NUMBER -> variation == InputType.TYPE_NUMBER_VARIATION_PASSWORD
            else -> false
        }
    }

    @Suppress("DEPRECATION")
    private fun isChecked() = info.isChecked

    @RequiresApi(Build.VERSION_CODES.R)
    private fun state(info: AccessibilityNodeInfo) = info.stateDescription.clean()

    override fun child(index: Int) = info.getChild(index)?.let(::SystemNode)

    override fun parent() = info.parent?.let(::SystemNode)

    override fun refresh() = info.refresh()

    override fun act(
        action: Int,
        text: String?,
    ): Boolean {
        val with = text?.let { Bundle().apply { putCharSequence(AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE, it) } }
        return info.performAction(action, with)
    }

    private companion object {
        val PASSWORDS =
            setOf(
                InputType.TYPE_TEXT_VARIATION_PASSWORD,
                InputType.TYPE_TEXT_VARIATION_VISIBLE_PASSWORD,
                InputType.TYPE_TEXT_VARIATION_WEB_PASSWORD,
            )
    }
}

/** A window as the system hands it out. */
internal class SystemWindow(
    private val info: AccessibilityWindowInfo,
) : ScreenWindow {
    override val id get() = info.id
    override val title get() = info.title.clean()
    override val focused get() = info.isFocused
    override val bounds get() = Rect().also(info::getBoundsInScreen).box()
    override val kind
        get() =
            when (info.type) {
                AccessibilityWindowInfo.TYPE_APPLICATION -> "application"
                AccessibilityWindowInfo.TYPE_INPUT_METHOD -> "input_method"
                AccessibilityWindowInfo.TYPE_ACCESSIBILITY_OVERLAY -> "overlay"
                AccessibilityWindowInfo.TYPE_SPLIT_SCREEN_DIVIDER -> "divider"
                else -> "system"
            }

    override fun root() = info.root?.let(::SystemNode)
}

/** The window in front, where the system lists none. */
internal class SystemFrontWindow(
    private val root: AccessibilityNodeInfo,
) : ScreenWindow {
    override val id get() = root.windowId
    override val title get() = ""
    override val focused get() = true
    override val bounds get() = SystemNode(root).look().bounds
    override val kind get() = "application"

    override fun root() = SystemNode(root)
}
