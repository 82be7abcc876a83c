// SPDX-License-Identifier: Apache-2.0
// Files a person wants to attach: what they are, and whether they can be sent.
import { m } from "$lib/paraglide/messages.js";
import { MOST, type Waiting } from "./files";

/** How large a picture may be, in bytes. */
export const LARGEST = 20_000_000;
/** How large a message's new pictures may be together, in bytes: as base64 they must fit into one command. */
export const LARGEST_TOGETHER = 45_000_000;

/** What a file is by its first bytes, whatever its name says; `undefined` for what is no picture known here. */
export function mediaType(head: Uint8Array): string | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "image/jpeg";
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "image/png";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "image/webp";
  if (/^GIF8[79]a$/.test(text(0, 6))) return "image/gif";
  if (text(4, 8) === "ftyp" && /^(?:hei[cxms]|hev[cxms]|mif1|msf1)$/.test(text(8, 12))) return "image/heic";
  return undefined;
}

let count = 0;

/**
 * Sorts files into pictures that can be sent and sentences about those that can't. `room` is how many more the message
 * takes, `held` how many bytes it has already.
 */
export async function sift(files: readonly File[], room: number, held = 0): Promise<{ taken: Waiting[]; troubles: string[] }> {
  const taken: Waiting[] = [];
  const troubles: string[] = [];
  let left = 0;
  let bytes = held;
  for (const file of files) {
    const name = file.name || m.picture();
    let type: string | undefined;
    try {
      type = mediaType(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
    } catch {
      troubles.push(m.picture_unreadable({ name }));
      continue;
    }
    if (type === "image/heic") troubles.push(m.picture_heic({ name }));
    else if (type === undefined) troubles.push(m.picture_kind({ name }));
    else if (file.size > LARGEST) troubles.push(m.picture_large({ name }));
    else if (taken.length >= room) left += 1;
    else if (bytes + file.size > LARGEST_TOGETHER) troubles.push(m.pictures_large({ name }));
    else {
      bytes += file.size;
      const picture = file.slice(0, file.size, type);
      taken.push({ id: ++count, name, file: picture, url: URL.createObjectURL(picture) });
    }
  }
  if (left > 0) troubles.push(m.picture_many({ n: MOST }));
  return { taken, troubles };
}
