// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.content.Context
import android.net.Uri
import android.provider.ContactsContract.CommonDataKinds.Email
import android.provider.ContactsContract.CommonDataKinds.Phone
import android.provider.ContactsContract.Contacts
import android.provider.ContactsContract.Data
import app.tauri.plugin.JSArray
import app.tauri.plugin.JSObject

/** Looks people up in the address book. */
internal class ContactSearch(
    private val context: Context,
    private val grants: Grants,
) {
    private class Person(
        val name: String,
    ) {
        val phones = linkedSetOf<String>()
        val emails = linkedSetOf<String>()
    }

    /** First whom the system's own search finds, in its order; then those with the query anywhere in a name, a number or an address. */
    fun find(args: FindContactsArgs): JSObject {
        val query = args.query.required("query").trim()
        val limit = args.limit.limit(MOST)
        if (query.isEmpty() || query.length > LONGEST_QUERY) throw invalid("query must have 1 to $LONGEST_QUERY characters")
        grants.need(Grant.CONTACTS)
        val ids = LinkedHashSet(searched(query))
        if (ids.size <= limit) ids += containing(query)
        val found = people(ids.take(limit))
        val rows =
            found.map {
                JSObject()
                    .put("name", it.name)
                    .put("phones", JSArray(it.phones))
                    .put("emails", JSArray(it.emails))
            }
        return JSObject().put("contacts", JSArray(rows)).put("more", ids.size > limit)
    }

    private fun searched(query: String): List<Long> =
        ids(Uri.withAppendedPath(Contacts.CONTENT_FILTER_URI, Uri.encode(query)), Contacts._ID, null, emptyArray())

    private fun containing(query: String): List<Long> {
        val text = "%${likeLiteral(query)}%"
        val digits = query.filter { it in '0'..'9' }
        // A number is matched without what people write between its digits; a digit or two would match everybody.
        val asNumber = digits.length >= FEWEST_DIGITS && query.none { it.isLetter() }
        val numbers = if (asNumber) " OR (${Data.MIMETYPE} = ? AND ${Phone.NORMALIZED_NUMBER} LIKE ?)" else ""
        val where =
            "(${Data.DISPLAY_NAME_PRIMARY} LIKE ? ESCAPE '\\' OR " +
                "(${Data.MIMETYPE} IN (?, ?) AND ${Data.DATA1} LIKE ? ESCAPE '\\')$numbers)"
        val values = listOf(text, Phone.CONTENT_ITEM_TYPE, Email.CONTENT_ITEM_TYPE, text)
        val more = if (asNumber) listOf(Phone.CONTENT_ITEM_TYPE, "%${digits.trimStart('0')}%") else emptyList()
        return ids(Data.CONTENT_URI, Data.CONTACT_ID, where, (values + more).toTypedArray())
    }

    private fun ids(
        uri: Uri,
        column: String,
        where: String?,
        values: Array<String>,
    ): List<Long> {
        val cursor = context.contentResolver.query(uri, arrayOf(column), where, values, null) ?: throw unanswered()
        return cursor.use {
            buildList { while (it.moveToNext()) add(it.getLong(0)) }
        }
    }

    private fun people(ids: List<Long>): List<Person> {
        if (ids.isEmpty()) return emptyList()
        val people = ids.associateWithTo(LinkedHashMap()) { null as Person? }
        val list = ids.joinToString(",")
        val resolver = context.contentResolver
        val names = arrayOf(Contacts._ID, Contacts.DISPLAY_NAME_PRIMARY)
        val contacts = resolver.query(Contacts.CONTENT_URI, names, "${Contacts._ID} IN ($list)", null, null) ?: throw unanswered()
        contacts.use {
            while (it.moveToNext()) people[it.getLong(0)] = Person(it.getString(1).orEmpty())
        }
        val columns = arrayOf(Data.CONTACT_ID, Data.MIMETYPE, Data.DATA1)
        val where = "${Data.CONTACT_ID} IN ($list) AND ${Data.MIMETYPE} IN (?, ?)"
        val kinds = arrayOf(Phone.CONTENT_ITEM_TYPE, Email.CONTENT_ITEM_TYPE)
        val data = resolver.query(Data.CONTENT_URI, columns, where, kinds, null) ?: throw unanswered()
        data.use {
            while (it.moveToNext()) {
                val person = people[it.getLong(0)]
                val value = it.getString(2)
                if (person == null || value.isNullOrBlank()) continue
                if (it.getString(1) == Phone.CONTENT_ITEM_TYPE) person.phones += value else person.emails += value
            }
        }
        return people.values.filterNotNull()
    }

    private fun unanswered() = FaultException(Fault.NOT_ANSWERING, "the address book")

    companion object {
        private const val MOST = 200
        private const val LONGEST_QUERY = 200
        private const val FEWEST_DIGITS = 3

        /** The text with what SQL's LIKE takes for a pattern made literal; the escape is a backslash. */
        fun likeLiteral(text: String): String = text.replace(Regex("""[\\%_]""")) { "\\" + it.value }
    }
}
