// SPDX-License-Identifier: Apache-2.0
// Sub-agents: runs with a conversation of their own that no list shows.
import type { RunView } from "$lib/backend/bindings";
import type { Opened, World } from "./world";

/** The runs that a run started, in the order they began. */
export function childrenOf(world: World, run: string): RunView[] {
  const found = new Map<string, RunView>();
  for (const each of [...Object.values(world.opened).flatMap(({ runs }) => Object.values(runs)), ...Object.values(world.runs)]) if (each.parent === run) found.set(each.id, each);
  return [...found.values()].sort((a, b) => a.started - b.started || (a.id < b.id ? -1 : 1));
}

/** The conversation of the sub-agent that a call started, as far as it is known here. */
export function agentOf(world: World, run: string, call: string): string | undefined {
  return childrenOf(world, run).find((child) => child.call === call)?.conversation;
}

/** The run whose sub-agent a conversation belongs to; `undefined` for a conversation of the person's. */
export function parentOf(opened: Opened | undefined, conversation: string): string | undefined {
  return opened && Object.values(opened.runs).find((run) => run.conversation === conversation && run.parent !== undefined)?.parent;
}

/** The conversation of a run, as far as it is known here. */
export function conversationOf(world: World, run: string): string | undefined {
  return world.runs[run]?.conversation ?? Object.values(world.opened).find(({ runs }) => run in runs)?.runs[run]?.conversation;
}
