// SPDX-License-Identifier: Apache-2.0
// Attached pictures, asked for when they come into view. Small copies are kept; the whole picture only while it is looked at.
import { call } from "$lib/backend";
import { bytesOf } from "./files";
import { Lru } from "./lru";

/** How many small copies are kept. */
const KEPT = 50;
/** The longer side of a small copy, in pixels: enough for the largest thumbnail on a dense screen. */
const SIDE = 720;

const copies = new Lru<Promise<string>>(KEPT, (url) => void url.then(URL.revokeObjectURL, () => undefined));

/** The whole picture. Rejects with a `CommandError`. */
export async function whole(id: string): Promise<Blob> {
  const { media_type, data } = await call("picture_get", { picture: id });
  return new Blob([bytesOf(data)], { type: media_type });
}

/** Holds the address of a small copy of a picture; `release` it. Rejects with a `CommandError`. */
export function hold(id: string): Promise<string> {
  const url = copies.hold(id, async () => URL.createObjectURL(await small(await whole(id))));
  // What failed is asked for again the next time.
  url.catch(() => copies.forget(id));
  return url;
}

/** Lets go of what `hold` gave. */
export const release = (id: string): void => copies.release(id);

/** A copy that is quick to draw; the picture itself where it is small already or no copy can be made. */
async function small(picture: Blob): Promise<Blob> {
  try {
    const drawn = await createImageBitmap(picture);
    const scale = SIDE / Math.max(drawn.width, drawn.height);
    if (scale >= 1) return picture;
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(drawn.width * scale));
    canvas.height = Math.max(1, Math.round(drawn.height * scale));
    canvas.getContext("2d")?.drawImage(drawn, 0, 0, canvas.width, canvas.height);
    drawn.close();
    return await new Promise<Blob>((resolve) => canvas.toBlob((copy) => resolve(copy ?? picture), picture.type === "image/jpeg" ? "image/jpeg" : "image/png"));
  } catch {
    return picture;
  }
}
