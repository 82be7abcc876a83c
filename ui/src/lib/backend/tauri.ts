// SPDX-License-Identifier: Apache-2.0
import { Channel, invoke } from "@tauri-apps/api/core";
import type { StreamMessage } from "./bindings";
import { CommandError, type Shell, type Subscriber, type Subscription } from "./index";
import { Position, backoff } from "./position";

async function call(name: string, params: unknown): Promise<unknown> {
  try {
    return await invoke("command", { name, params });
  } catch (error) {
    throw CommandError.from(error);
  }
}

function subscribe(subscriber: Subscriber): Subscription {
  const position = new Position();
  let attempt = 0;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: Channel<StreamMessage> | undefined;

  const connect = () => {
    clearTimeout(timer);
    if (closed) return;
    // A channel numbers its messages from its first and is freed when the core lets go of it: each subscription takes a new one.
    const channel = new Channel<StreamMessage>((message) => {
      if (closed || channel !== current) return;
      const order = position.note(message);
      if (order === "gap") restart();
      else if (order === "next") subscriber.message(message);
    });
    current = channel;
    invoke("subscribe", { epoch: position.epoch, since: position.since, channel }).then(
      () => {
        attempt = 0;
        subscriber.connection("live");
      },
      () => {
        subscriber.connection("lost");
        timer = setTimeout(connect, backoff(attempt++));
      },
    );
  };
  const restart = () => {
    position.forget();
    connect();
  };

  connect();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
    },
    // The window and the core live and die together; there is no connection that could be slow to come back.
    hurry: () => undefined,
    restart,
  };
}

/** The core in this very process, over Tauri's IPC. */
export const shell: Shell = { call, subscribe };
