// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.content.ContentProvider
import android.content.ContentUris
import android.content.ContentValues
import android.database.Cursor
import android.database.sqlite.SQLiteDatabase
import android.net.Uri
import android.provider.CalendarContract
import android.provider.CalendarContract.Calendars
import android.provider.ContactsContract.CommonDataKinds.Email
import android.provider.ContactsContract.CommonDataKinds.Phone
import android.provider.ContactsContract.CommonDataKinds.StructuredName
import org.robolectric.shadows.ShadowContentResolver

/** A provider over real tables, so that the queries are tried and not only compared. */
internal abstract class Tables : ContentProvider() {
    val db: SQLiteDatabase by lazy { SQLiteDatabase.create(null).also(::make) }
    var silent = false

    abstract fun make(db: SQLiteDatabase)

    /** The table behind an address. */
    abstract fun table(uri: Uri): String

    override fun onCreate() = true

    override fun query(
        uri: Uri,
        columns: Array<String>?,
        where: String?,
        values: Array<String>?,
        order: String?,
    ): Cursor? = if (silent) null else db.query(table(uri), columns, where, values, null, null, order)

    override fun insert(
        uri: Uri,
        row: ContentValues?,
    ): Uri? = if (silent) null else ContentUris.withAppendedId(uri, db.insertOrThrow(table(uri), null, row))

    override fun update(
        uri: Uri,
        row: ContentValues?,
        where: String?,
        values: Array<String>?,
    ) = 0

    override fun delete(
        uri: Uri,
        where: String?,
        values: Array<String>?,
    ) = 0

    override fun getType(uri: Uri): String? = null
}

/** An address book. Its own search finds only beginnings of names, those of the highest rank first. */
internal class AddressBook : Tables() {
    override fun make(db: SQLiteDatabase) {
        db.execSQL("CREATE TABLE contacts (_id INTEGER PRIMARY KEY, display_name TEXT, rank INTEGER DEFAULT 0)")
        db.execSQL("CREATE TABLE rows (contact_id INTEGER, mimetype TEXT, data1 TEXT, data4 TEXT)")
        db.execSQL("CREATE VIEW data AS SELECT rows.*, display_name FROM rows JOIN contacts ON contact_id = _id")
    }

    override fun table(uri: Uri) = if (uri.pathSegments.first() == "contacts") "contacts" else "data"

    override fun query(
        uri: Uri,
        columns: Array<String>?,
        where: String?,
        values: Array<String>?,
        order: String?,
    ): Cursor? {
        val path = uri.pathSegments
        if (path.size == 3 && path[0] == "contacts" && path[1] == "filter") {
            return db.query("contacts", columns, BEGINS, arrayOf(path[2], path[2]), null, null, "rank DESC")
        }
        return super.query(uri, columns, where, values, order)
    }

    fun add(
        id: Long,
        name: String?,
        phones: List<String> = emptyList(),
        emails: List<String> = emptyList(),
        rank: Int = 0,
    ) {
        db.execSQL("INSERT INTO contacts VALUES (?, ?, ?)", arrayOf<Any?>(id, name, rank))
        db.execSQL("INSERT INTO rows VALUES (?, ?, ?, NULL)", arrayOf<Any?>(id, StructuredName.CONTENT_ITEM_TYPE, name))
        for (phone in phones) {
            val digits = phone.filter { it.isDigit() || it == '+' }
            db.execSQL("INSERT INTO rows VALUES (?, ?, ?, ?)", arrayOf<Any?>(id, Phone.CONTENT_ITEM_TYPE, phone, digits))
        }
        for (email in emails) db.execSQL("INSERT INTO rows VALUES (?, ?, ?, NULL)", arrayOf<Any?>(id, Email.CONTENT_ITEM_TYPE, email))
    }

    companion object {
        private const val BEGINS = "substr(display_name, 1, length(?)) = ? COLLATE NOCASE"

        fun open() =
            AddressBook().also {
                it.onCreate()
                ShadowContentResolver.registerProviderInternal("com.android.contacts", it)
            }
    }
}

/** Calendars with their events. */
internal class Almanac : Tables() {
    override fun make(db: SQLiteDatabase) {
        db.execSQL(
            "CREATE TABLE calendars (_id INTEGER PRIMARY KEY, calendar_displayName TEXT, isPrimary INTEGER, account_name TEXT, " +
                "ownerAccount TEXT, account_type TEXT, visible INTEGER, calendar_access_level INTEGER)",
        )
        db.execSQL(
            "CREATE TABLE events (_id INTEGER PRIMARY KEY, calendar_id INTEGER NOT NULL, title TEXT, dtstart INTEGER, dtend INTEGER, " +
                "allDay INTEGER, eventTimezone TEXT, eventLocation TEXT, description TEXT)",
        )
        db.execSQL("CREATE TABLE reminders (event_id INTEGER, minutes INTEGER, method INTEGER)")
    }

    override fun table(uri: Uri): String = uri.pathSegments.first()

    fun add(
        id: Long,
        name: String,
        primary: Boolean = false,
        owned: Boolean = true,
        local: Boolean = false,
        visible: Boolean = true,
        level: Int = Calendars.CAL_ACCESS_OWNER,
    ) = db.execSQL(
        "INSERT INTO calendars VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        arrayOf<Any?>(
            id,
            name,
            if (primary) 1 else 0,
            "ada@example.org",
            if (owned) "ada@example.org" else "club@example.org",
            if (local) CalendarContract.ACCOUNT_TYPE_LOCAL else "org.example",
            if (visible) 1 else 0,
            level,
        ),
    )

    /** All rows of a table, each as its values with a bar between. */
    fun rows(table: String): List<String> =
        db.rawQuery("SELECT * FROM $table", null).use { rows ->
            buildList { while (rows.moveToNext()) add(List(rows.columnCount) { rows.getString(it) }.joinToString("|")) }
        }

    companion object {
        fun open() =
            Almanac().also {
                it.onCreate()
                ShadowContentResolver.registerProviderInternal(CalendarContract.AUTHORITY, it)
            }
    }
}
