// SPDX-License-Identifier: Apache-2.0
import type { StreamMessage } from "./bindings";
import { CommandError, type Shell, type Subscriber, type Subscription } from "./index";
import { Position, backoff } from "./position";

async function call(name: string, params: unknown): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch("/api/command", {
      method: "POST",
      headers: { "content-type": "application/json", "x-bailey": "1" },
      body: JSON.stringify({ name, params }),
      cache: "no-store",
    });
  } catch {
    throw new CommandError("offline", "Bailey does not answer.");
  }
  if (response.status === 401) throw new CommandError("locked", "This browser is not known to Bailey.");
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw body ? CommandError.from(body) : new CommandError("offline", `Bailey answered ${response.status}.`);
  return body;
}

function subscribe(subscriber: Subscriber): Subscription {
  const position = new Position();
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let closed = false;

  const drop = () => {
    source?.close();
    source = undefined;
    clearTimeout(timer);
    timer = undefined;
  };

  const connect = () => {
    drop();
    if (closed) return;
    const made = new EventSource(`/api/events?epoch=${encodeURIComponent(position.epoch)}&since=${position.since}`);
    source = made;
    made.onopen = () => {
      if (source === made) subscriber.connection("live");
    };
    made.onmessage = (event: MessageEvent<string>) => {
      if (source !== made) return;
      const message = JSON.parse(event.data) as StreamMessage;
      const order = position.note(message);
      if (order === "gap") {
        position.forget();
        retry();
        return;
      }
      attempt = 0;
      if (order === "next") subscriber.message(message);
    };
    // An EventSource connects again by itself, but to the address it was made with: from an old position.
    made.onerror = () => {
      if (source === made) retry();
    };
  };

  const retry = () => {
    drop();
    subscriber.connection("lost");
    timer = setTimeout(() => {
      // An EventSource never tells why it failed; a command does.
      call("settings_get", {}).then(connect, (error: unknown) => {
        if (closed) return;
        if (CommandError.from(error).code === "locked") subscriber.connection("locked");
        else if (CommandError.from(error).code !== "offline") connect();
        else retry();
      });
    }, backoff(attempt++));
  };

  connect();
  return {
    close() {
      closed = true;
      drop();
    },
    hurry() {
      if (source?.readyState === EventSource.OPEN) return;
      attempt = 0;
      connect();
    },
    restart() {
      position.forget();
      attempt = 0;
      connect();
    },
  };
}

/** The headless server, over HTTP on loopback. */
export const shell: Shell = { call, subscribe };
