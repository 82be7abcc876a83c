// SPDX-License-Identifier: Apache-2.0
package org.bailey.accessibility

/** What kept a command from being carried out; [code] is its name in the contract. */
internal enum class Fault(
    val code: String,
) {
    NOT_GRANTED("not_granted"),
    NOT_BOUND("not_bound"),
    NOT_ANSWERING("not_answering"),
    SECURE_WINDOW("secure_window"),
    TIMED_OUT("timed_out"),
    RATE_LIMITED("rate_limited"),
    UNSUPPORTED("unsupported"),
    REFUSED("refused"),
    NOT_FOUND("not_found"),
    CHANGED("changed"),
    PASSWORD("password"),
    DECLINED("declined"),
    LOCKED("locked"),
    BUSY("busy"),
    INVALID("invalid"),
    FAILED("failed"),
}

/** Ends a command with [fault]; [detail] is a few words for the model, never private data. */
internal class FaultException(
    val fault: Fault,
    val detail: String,
) : Exception(detail)

/** [FaultException] of a request that does not make sense. */
internal fun invalid(detail: String) = FaultException(Fault.INVALID, detail)
