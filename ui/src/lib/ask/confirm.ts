// SPDX-License-Identifier: Apache-2.0
import type { AskKind, Reason } from "$lib/backend/bindings";
import type { OpenAsk } from "$lib/state/world";

/** May this call run? */
export type Confirm = Extract<AskKind, { type: "confirm" }>;
/** A question whether a call may run. */
export type ConfirmAsk = OpenAsk & { readonly kind: Confirm };

/** Whether an open question is whether a call may run. */
export const isConfirm = (ask: OpenAsk): ask is ConfirmAsk => ask.kind.type === "confirm";

/** What stands on one sheet: the questions of the first one's run, when that asks whether a call may run. */
export function onSheet(asks: readonly OpenAsk[]): ConfirmAsk[] {
  const first = asks[0];
  return first && isConfirm(first) ? asks.filter(isConfirm).filter(({ run }) => run === first.run) : [];
}

/** Whether more than the mode asks, or nobody can tell what would run: then nothing nudges towards yes. */
export const isWeighty = ({ reasons, risk }: Pick<Confirm, "reasons" | "risk">): boolean => reasons.some(({ type }) => type !== "mode") || risk?.parsed === false;
/** Whether outside text is why it is asked. */
export const isFromOutside = (reasons: readonly Reason[]): boolean => reasons.some(({ type }) => type === "outside_high" || type === "outside_acts");
