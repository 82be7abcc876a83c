// SPDX-License-Identifier: Apache-2.0
package org.bailey.device

import android.Manifest
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class PeopleTest {
    private val bench = Bench()
    private val book = AddressBook.open()

    @Before
    fun people() {
        bench.grant(Manifest.permission.READ_CONTACTS)
        book.add(1, "Ada Lovelace", listOf("+49 89 1234", "+49 89 1234"), listOf("ada@example.org"))
        book.add(2, "Adam", rank = 5)
        book.add(3, "Grace", listOf("030/555 66"), listOf("canada@example.com", ""))
        book.add(4, "100%_sure")
        book.add(5, null, listOf("0160 7777"))
    }

    private fun find(
        query: String,
        limit: Int = 20,
    ): JSONObject = bench.call("findContacts", JSONObject().put("query", query).put("limit", limit).toString())

    private fun names(reply: JSONObject): List<String> =
        reply.getJSONArray("contacts").let { list -> List(list.length()) { list.getJSONObject(it).getString("name") } }

    @Test
    fun theSystemsOrderFirstThenTheRest() {
        val reply = find("ada")
        assertEquals(listOf("Adam", "Ada Lovelace", "Grace"), names(reply))
        assertEquals(false, reply.getBoolean("more"))
        val ada = """{"name":"Ada Lovelace","phones":["+49 89 1234"],"emails":["ada@example.org"]}"""
        assertEquals(JSONObject(ada).toString(), reply.getJSONArray("contacts")[1].toString())
        val grace = """{"name":"Grace","phones":["030/555 66"],"emails":["canada@example.com"]}"""
        assertEquals(JSONObject(grace).toString(), reply.getJSONArray("contacts")[2].toString())
    }

    @Test
    fun limits() {
        val one = find("ada", 1)
        assertEquals(listOf("Adam"), names(one))
        assertEquals(true, one.getBoolean("more"))
        val two = find("ada", 2)
        assertEquals(2 to true, names(two).size to two.getBoolean("more"))
        assertEquals(3, names(find("ada", Int.MAX_VALUE)).size)
        val three = find("ada", 3)
        assertEquals(3 to false, names(three).size to three.getBoolean("more"))
    }

    @Test
    fun numbersAndParts() {
        assertEquals(listOf("Ada Lovelace"), names(find("4989 12")))
        assertEquals(listOf("Ada Lovelace"), names(find("089-1234")))
        assertEquals(listOf("Grace"), names(find("(030) 555")))
        assertEquals(listOf(""), names(find("0160")))
        assertEquals(listOf("Ada Lovelace"), names(find("example.org")))
        assertEquals(listOf("Grace"), names(find("rac")))
        assertEquals(emptyList<String>(), names(find("nobody")))
        assertEquals(emptyList<String>(), names(find("room 1234")))
        // Signs of a pattern are letters like others.
        assertEquals(emptyList<String>(), names(find("%@example")))
        assertEquals(emptyList<String>(), names(find("_da")))
        assertEquals(listOf("100%_sure"), names(find("%_s")))
    }

    @Test
    fun refusals() {
        for (args in listOf(
            "{}",
            """{"query":"ada"}""",
            """{"query":"ada","limit":0}""",
            """{"query":" ","limit":1}""",
            """{"query":"ada","limit":4294967295}""",
            """{"query":"${"a".repeat(201)}","limit":1}""",
        )) {
            assertEquals(args, "invalid", bench.code("findContacts", args))
        }
        book.silent = true
        assertEquals("not_answering", bench.code("findContacts", """{"query":"rac","limit":1}"""))
        bench.shadow.denyPermissions(Manifest.permission.READ_CONTACTS)
        assertEquals("not_granted" to "contacts", bench.fault("findContacts", """{"query":"ada","limit":1}"""))
    }
}
