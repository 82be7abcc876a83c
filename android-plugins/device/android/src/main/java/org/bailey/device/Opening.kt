// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.content.ComponentName
import android.content.Context
import android.content.Intent
import android.content.pm.PackageManager
import android.net.Uri
import app.tauri.plugin.JSObject

/** Hands something to another app, where the person goes on. Nothing is sent, called or paid here. */
internal class Opening(
    private val context: Context,
    private val opener: Opener,
) {
    private val packages: PackageManager = context.packageManager

    fun app(args: OpenAppArgs): JSObject {
        val app = Addresses.app(args.`package`.required("package"))
        val intent = packages.getLaunchIntentForPackage(app) ?: throw FaultException(Fault.NOT_FOUND, "no such app to open")
        return opener.open(Errand.APP, listOf(intent), packages.labelOf(app))
    }

    fun settings(args: OpenSettingsArgs): JSObject {
        val screen = args.screen.required("screen")
        val app = args.`package`?.let(Addresses::app)
        val intents = SettingsPages.intents(screen, app)
        // The settings show an empty page, or none, for an app that is not there.
        if (screen in SettingsPages.aboutAnApp && app != null && !isInstalled(app)) throw notInstalled()
        return opener.open(Errand.SETTINGS, intents)
    }

    fun web(args: OpenUriArgs): JSObject {
        val uri = args.uri.required("uri")
        val host = Addresses.web(uri)
        val intent = view(uri).addCategory(Intent.CATEGORY_BROWSABLE)
        // Straight to the browser: an address may belong to an app that acts on it without asking.
        val inBrowser = browser()?.let { Intent(intent).setPackage(it) }
        return opener.open(Errand.WEB, listOfNotNull(inBrowser, intent), host)
    }

    /** The person's browser; nothing when none is set as such. */
    private fun browser(): String? {
        val anyPage = Intent(Intent.ACTION_VIEW, Uri.fromParts("http", "", null)).addCategory(Intent.CATEGORY_BROWSABLE)
        return packages
            .resolveActivity(anyPage, PackageManager.MATCH_DEFAULT_ONLY)
            ?.activityInfo
            ?.packageName
            ?.takeUnless { it == "android" }
    }

    fun map(args: OpenMapArgs): JSObject {
        val uri = args.uri.required("uri")
        Addresses.map(uri)
        val app = args.`package`?.let(Addresses::app)
        if (app != null && !isInstalled(app)) throw notInstalled()
        return opener.open(Errand.MAP, listOf(view(uri).setPackage(app)), app?.let(packages::labelOf).orEmpty())
    }

    fun dialler(args: DialArgs): JSObject {
        val number = Addresses.number(args.number.required("number"))
        return opener.open(Errand.DIAL, listOf(Intent(Intent.ACTION_DIAL, Uri.fromParts("tel", number, null))), number)
    }

    fun share(args: ShareTextArgs): JSObject {
        val text = args.text.required("text").fitting()
        val title = args.title.orEmpty().fitting()
        if (text.isEmpty()) throw invalid("text is empty")
        val send = Intent(Intent.ACTION_SEND).setType("text/plain").putExtra(Intent.EXTRA_TEXT, text)
        if (title.isNotEmpty()) send.putExtra(Intent.EXTRA_SUBJECT, title).putExtra(Intent.EXTRA_TITLE, title)
        val targets = packages.queryIntentActivities(send, PackageManager.MATCH_DEFAULT_ONLY).map { it.activityInfo }
        val (own, others) = targets.partition { it.packageName == context.packageName }
        if (others.isEmpty()) throw FaultException(Fault.NOT_FOUND, "no app takes a text")
        val chooser = Intent.createChooser(send, title.ifEmpty { null })
        // What is shared from here is not meant to come back.
        chooser.putExtra(Intent.EXTRA_EXCLUDE_COMPONENTS, own.map { ComponentName(it.packageName, it.name) }.toTypedArray())
        return opener.open(Errand.SHARE, listOf(chooser), title)
    }

    fun mail(args: ComposeMailArgs): JSObject {
        val to = addresses(args.to.required("to"))
        val cc = addresses(args.cc.orEmpty())
        val subject = args.subject.required("subject").fitting()
        if (subject.any { it.isISOControl() }) throw invalid("a subject is one line")
        val draft =
            Intent(Intent.ACTION_SENDTO, Uri.fromParts("mailto", "", null))
                .putExtra(Intent.EXTRA_EMAIL, to)
                .putExtra(Intent.EXTRA_CC, cc)
                .putExtra(Intent.EXTRA_SUBJECT, subject)
                .putExtra(Intent.EXTRA_TEXT, args.body.required("body").fitting())
        return opener.open(Errand.MAIL, listOf(draft), to.firstOrNull().orEmpty())
    }

    private fun addresses(list: List<String?>): Array<String> {
        if (list.size > MOST_ADDRESSES) throw FaultException(Fault.TOO_LARGE, "at most $MOST_ADDRESSES addresses")
        return list.map { Addresses.mail(it.required("an address")) }.toTypedArray()
    }

    private fun view(uri: String) = Intent(Intent.ACTION_VIEW, Uri.parse(uri))

    private fun isInstalled(app: String): Boolean =
        try {
            packages.getApplicationInfo(app, 0).enabled
        } catch (_: PackageManager.NameNotFoundException) {
            false
        }

    private fun notInstalled() = FaultException(Fault.NOT_FOUND, "no such app")

    private companion object {
        const val MOST_ADDRESSES = 50
    }
}

/** The most characters of a text that are handed to the system: what crosses to another process is limited to about a megabyte in all. */
internal const val LONGEST_TEXT = 100_000

/** The text when it is short enough to be handed on. */
internal fun String.fitting(): String =
    also { if (it.length > LONGEST_TEXT) throw FaultException(Fault.TOO_LARGE, "at most $LONGEST_TEXT characters") }
