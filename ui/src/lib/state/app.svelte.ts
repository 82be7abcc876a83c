// SPDX-License-Identifier: Apache-2.0
import { call, CommandError, subscribe, type Connection, type Settings, type SettingsPatch, type StreamMessage } from "$lib/backend";
import { errorText } from "$lib/i18n/errors";
import { locale } from "$lib/i18n/locale.svelte";
import { m } from "$lib/paraglide/messages.js";
import { applyLook, rememberLook } from "./look";
import { beginOpening, fold, forget, giveUpOpening, takeOpened } from "./fold";
import { toasts } from "./toasts.svelte";
import { EMPTY, type OpenedView, type World } from "./world";

/** How many opened conversations are kept for a quick way back. */
const KEPT = 4;

let world = $state.raw<World>(EMPTY);
let connection = $state.raw<Connection>("connecting");
let failures = $state.raw<Readonly<Record<string, CommandError>>>({});

let queue: StreamMessage[] = [];
let frame: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let recent: string[] = [];

/** Folds what has come. At most once a frame; a hidden page has no frames, so a timer stands beside. */
function flush(): void {
  if (frame !== undefined) cancelAnimationFrame(frame);
  clearTimeout(timer);
  frame = timer = undefined;
  const messages = queue;
  queue = [];
  if (messages.length > 0) become(fold(world, messages, performance.now()));
}

function become(next: World): void {
  const before = world;
  world = next;
  if (next.settings && next.settings !== before.settings) takeLook(next.settings);
  for (const [id, opened] of Object.entries(next.opened)) {
    if (opened.stale && !(id in next.opening)) {
      if (id === recent[0]) void app.open(id);
      else world = forget(world, Object.keys(world.opened).filter((other) => other !== id));
    }
  }
}

function takeLook(settings: Settings): void {
  locale.follow(settings.language);
  applyLook(settings);
  rememberLook(settings);
}

const subscription = subscribe({
  message(message) {
    queue.push(message);
    frame ??= requestAnimationFrame(flush);
    timer ??= setTimeout(flush, 100);
  },
  connection(state) {
    connection = state;
  },
});
addEventListener("online", () => subscription.hurry());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") subscription.hurry();
});

/** What is shown, and the commands that change it. */
export const app = {
  get world(): World {
    return world;
  },
  get connection(): Connection {
    return connection;
  },
  /** Why a conversation could not be opened, by id. */
  get failures(): Readonly<Record<string, CommandError>> {
    return failures;
  },
  /** The settings; only asked for once a snapshot has come. */
  get settings(): Settings {
    return world.settings!;
  },

  /** Tries to connect now. */
  hurry(): void {
    subscription.hurry();
  },

  /** Opens a conversation, or refreshes one that is open. */
  async open(id: string): Promise<void> {
    recent = [id, ...recent.filter((other) => other !== id)].slice(0, KEPT);
    if (id in world.opening) return;
    const { [id]: _failure, ...rest } = failures;
    failures = rest;
    world = beginOpening(world, id);
    try {
      app.show(await call("conversation_open", { conversation: id }));
    } catch (error) {
      world = giveUpOpening(world, id);
      failures = { ...failures, [id]: CommandError.from(error) };
    }
  },

  /** Shows the branch that holds a message. */
  async selectBranch(conversation: string, message: string): Promise<void> {
    world = beginOpening(world, conversation);
    try {
      app.show(await call("branch_select", { conversation, message }));
    } catch (error) {
      world = giveUpOpening(world, conversation);
      app.complain(error);
    }
  },

  /** Takes an opened conversation into what is shown. */
  show(view: OpenedView): void {
    flush();
    become(forget(takeOpened(world, view), recent));
  },

  /** Takes settings that a command answered with. */
  take(settings: Settings): void {
    world = { ...world, settings };
    takeLook(settings);
  },

  /** Changes settings; says so when it fails. */
  async settle(patch: SettingsPatch): Promise<boolean> {
    try {
      app.take(await call("settings_update", patch));
      return true;
    } catch (error) {
      toasts.show(m.setting_failed({ message: errorText(error) }), { kind: "error" });
      return false;
    }
  },

  /** Deletes a conversation and offers to bring it back. */
  async remove(id: string): Promise<void> {
    const title = world.conversations.find((c) => c.id === id)?.title ?? "";
    try {
      await call("conversation_delete", { conversation: id });
    } catch (error) {
      return app.complain(error);
    }
    world = fold(world, [{ type: "event", seq: 0, event: { type: "conversation_removed", id } }], performance.now());
    toasts.show(m.chat_deleted({ title: title || m.untitled() }), {
      action: { label: m.undo(), run: () => void call("conversation_restore", { conversation: id }).catch(app.complain) },
    });
  },

  /** Takes a question off the page: it is answered, here or elsewhere, and the event that says so is on its way. */
  drop(ask: string): void {
    world = fold(world, [{ type: "event", seq: 0, event: { type: "ask_closed", id: ask, answer: null } }], performance.now());
  },

  /** Says that something failed. */
  complain(error: unknown): void {
    toasts.show(errorText(error), { kind: "error" });
  },
};
