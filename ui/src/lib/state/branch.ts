// SPDX-License-Identifier: Apache-2.0
// What a row of the chat needs to know of its neighbours. Each looks only as far as its own run reaches.
import type { Call, Labels, Message, PictureRef, Source } from "$lib/backend/bindings";

/** A step of a plan. */
export interface PlanStep {
  title: string;
  status: "pending" | "active" | "done";
}

/** Whether the message at `index` is the last one its run has in this branch. */
export function endsRun(messages: readonly Message[], index: number): boolean {
  const next = messages[index + 1];
  return !next || next.role === "user" || next.run !== messages[index]!.run;
}

/** The first assistant message of the run that the one at `index` belongs to: the one retries stand beside. */
export function firstAnswer(messages: readonly Message[], index: number): Message {
  const run = messages[index]!.run;
  let first = messages[index]!;
  for (let i = index - 1; i >= 0; i--) {
    const message = messages[i]!;
    if (message.role !== "assistant" || message.run !== run) break;
    first = message;
  }
  return first;
}

/** The user message that the message at `index` answers. */
export function asked(messages: readonly Message[], index: number): Message | undefined {
  for (let i = index; i >= 0; i--) if (messages[i]!.role === "user") return messages[i];
  return undefined;
}

/** All text the run wrote up to its end, for copying. */
export function answerText(messages: readonly Message[], index: number): string {
  const run = messages[index]!.run;
  const texts: string[] = [];
  for (let i = index; i >= 0; i--) {
    const message = messages[i]!;
    if (message.role !== "assistant" || message.run !== run) break;
    // A summary stands for what was said before; it answers nothing.
    const text = message.summary ? "" : messageText(message);
    if (text) texts.unshift(text);
  }
  return texts.join("\n\n");
}

/** The text blocks of a message. */
export function messageText(message: Message): string {
  return message.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
}

/** The pictures of a message. */
export function messagePictures(message: Message): PictureRef[] {
  return message.blocks.flatMap((block) => (block.type === "picture" ? [block.picture] : []));
}

/** The marks of a message and of all in it, each source once. */
export function messageLabels(message: Message): Labels {
  const all = [message.labels];
  for (const block of message.blocks) {
    if (block.type === "picture") all.push(block.picture.labels);
    else if (block.type === "call") all.push(...block.call.parts.map(({ labels }) => labels));
    else if (block.type === "item") all.push({ outside: [{ tool: "provider", detail: block.kind }], private: [] });
  }
  return { outside: once(all.flatMap(({ outside }) => outside)), private: once(all.flatMap((labels) => labels.private)) };
}

const once = (sources: readonly Source[]): Source[] => sources.filter((source, at) => sources.findIndex(({ tool, detail }) => tool === source.tool && detail === source.detail) === at);

/** Reads the steps of a `plan_update` call; `undefined` when they can't be read. */
export function planSteps(call: Call): PlanStep[] | undefined {
  if (call.tool !== "plan_update" || typeof call.arguments !== "object" || call.arguments === null) return undefined;
  const steps = (call.arguments as { steps?: unknown }).steps;
  if (!Array.isArray(steps)) return undefined;
  return steps.flatMap((step: unknown): PlanStep[] => {
    if (typeof step === "string") return [{ title: step, status: "pending" }];
    const { title, status } = (step ?? {}) as { title?: unknown; status?: unknown };
    if (typeof title !== "string") return [];
    return [{ title, status: status === "done" || status === "active" ? status : "pending" }];
  });
}

/** Whether `call` in the message at `index` is the last plan of its run: that one is drawn as the plan. */
export function isLastPlan(messages: readonly Message[], index: number, call: Call): boolean {
  const run = messages[index]!.run;
  let after = false;
  for (const block of messages[index]!.blocks) {
    if (block.type !== "call") continue;
    if (block.call.id === call.id) after = true;
    else if (after && isPlan(block.call)) return false;
  }
  for (let i = index + 1; i < messages.length; i++) {
    const message = messages[i]!;
    if (message.role === "user" || message.run !== run) break;
    if (message.blocks.some((block) => block.type === "call" && isPlan(block.call))) return false;
  }
  return true;
}

const isPlan = (call: Call): boolean => call.state !== "denied" && planSteps(call) !== undefined;
