// SPDX-License-Identifier: Apache-2.0
import type { AskKind, NodeClass, Reason } from "$lib/backend/bindings";
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

/** What the person lets a run do in an app they let it use; all else asks each time. */
const ORDINARY: ReadonlySet<NodeClass> = new Set<NodeClass>(["scroll", "navigate", "field"]);
/** Whether touching such a thing does no more than show, scroll or fill in. */
export const isOrdinary = (name: NodeClass): boolean => ORDINARY.has(name);

/** The app whose use is asked for; `undefined` where none is. */
export const appAsked = (reasons: readonly Reason[]) => reasons.find((reason) => reason.type === "drive_app");

/** Whether a question asks for no more than the use of this app, so that letting the run use it answers it as well. */
export const goesWith = (reasons: readonly Reason[], app: string): boolean => reasons.every((reason) => reason.type === "mode" || (reason.type === "drive_app" && reason.app === app)) && appAsked(reasons) !== undefined;

/**
 * Whether more than the mode asks, or nobody can tell what would run: then nothing nudges towards yes. That holds for the first touch in
 * an app, too, however harmless: what leads there is what a screen says, and other people wrote that.
 */
export const isWeighty = ({ reasons, risk, target }: Pick<Confirm, "reasons" | "risk" | "target">): boolean =>
  reasons.some(({ type }) => type !== "mode") || risk?.parsed === false || (target !== undefined && !isOrdinary(target.class));
/** Whether outside text is why it is asked. */
export const isFromOutside = (reasons: readonly Reason[]): boolean => reasons.some(({ type }) => type === "outside_high" || type === "outside_acts");
