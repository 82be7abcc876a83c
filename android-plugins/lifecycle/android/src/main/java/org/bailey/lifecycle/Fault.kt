// SPDX-License-Identifier: Apache-2.0
package org.bailey.lifecycle

/** What kept a command from being carried out; [code] is its name in the contract. */
internal enum class Fault(
    val code: String,
) {
    NOT_GRANTED("not_granted"),
    NOT_BOUND("not_bound"),
    NOT_ANSWERING("not_answering"),
    TIMED_OUT("timed_out"),
    UNSUPPORTED("unsupported"),
    REFUSED("refused"),
    NOT_FOUND("not_found"),
    BUSY("busy"),
    TOO_LARGE("too_large"),
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
