// SPDX-License-Identifier: Apache-2.0
// The single face to both shells: a browser speaks HTTP to the headless server, the window speaks Tauri's IPC.
import type { ApiError, Code, Commands, StreamMessage } from "./bindings";

export type * from "./bindings";

/** How the event stream is doing. `locked`: the server does not know this browser. */
export type Connection = "connecting" | "live" | "lost" | "locked";

/** What a subscriber is told. */
export interface Subscriber {
  /** One message of the stream, in order. */
  message(message: StreamMessage): void;
  /** The stream came or went. */
  connection(state: Connection): void;
}

/** A running subscription. */
export interface Subscription {
  /** Ends it. */
  close(): void;
  /** Tries to connect now instead of waiting for the next attempt. */
  hurry(): void;
  /** Starts over from a snapshot: what was folded so far can't be trusted. */
  restart(): void;
}

/** A command that failed. `offline` and `locked` are the transport's own kinds. */
export class CommandError extends Error {
  /** What kind of failure. */
  readonly code: Code | "offline" | "locked";
  constructor(code: CommandError["code"], message: string) {
    super(message);
    this.name = "CommandError";
    this.code = code;
  }

  /** Reads what a shell rejected with. */
  static from(value: unknown): CommandError {
    if (value instanceof CommandError) return value;
    const error = value as Partial<ApiError> | null;
    if (error && typeof error.code === "string" && typeof error.message === "string") return new CommandError(error.code, error.message);
    return new CommandError("internal", value instanceof Error ? value.message : String(value));
  }
}

/** What a shell has to offer. */
export interface Shell {
  call(name: string, params: unknown): Promise<unknown>;
  subscribe(subscriber: Subscriber): Subscription;
}

/** Whether this page runs in Bailey's own window. */
export const inWindow = "__TAURI_INTERNALS__" in globalThis;

const shell: Promise<Shell> = inWindow ? import("./tauri").then((tauri) => tauri.shell) : import("./web").then((web) => web.shell);

/** Runs a command. Rejects with a {@link CommandError}. */
export async function call<Name extends keyof Commands>(name: Name, params: Commands[Name]["params"]): Promise<Commands[Name]["result"]> {
  return (await (await shell).call(name, params)) as Commands[Name]["result"];
}

/** Follows what is going on: a snapshot, then events; connects again by itself. */
export function subscribe(subscriber: Subscriber): Subscription {
  let inner: Subscription | undefined;
  let closed = false;
  void shell.then((made) => {
    if (!closed) inner = made.subscribe(subscriber);
  });
  return {
    close() {
      closed = true;
      inner?.close();
    },
    hurry: () => inner?.hurry(),
    restart: () => inner?.restart(),
  };
}
