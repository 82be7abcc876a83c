// SPDX-License-Identifier: Apache-2.0
// Pictures a person wants to attach.
import type { PictureDraft } from "$lib/backend/bindings";

/** How many pictures a message takes. */
export const MOST = 8;
/** What a file chooser offers. Without HEIC a phone gives its photos as JPEG. */
export const ACCEPT = "image/jpeg,image/png,image/webp,image/gif";

/** A picture that waits to be sent. */
export interface Waiting {
  /** Of this page only. */
  id: number;
  name: string;
  file: Blob;
  /** An address of the file for showing it; lives until `letGo`. */
  url: string;
}

/** Frees the addresses of pictures that wait no more. */
export function letGo(pictures: readonly Waiting[]): void {
  for (const { url } of pictures) URL.revokeObjectURL(url);
}

/** A picture as a command takes it. */
export async function draftOf({ name, file }: Pick<Waiting, "name" | "file">): Promise<PictureDraft> {
  return { name, data: base64(new Uint8Array(await file.arrayBuffer())) };
}

/** Bytes in base64. */
export function base64(bytes: Uint8Array): string {
  const chunks: string[] = [];
  // In pieces divisible by three, short enough to be spread as arguments.
  for (let at = 0; at < bytes.length; at += 24_576) chunks.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576))));
  return chunks.join("");
}

/** The bytes of a base64 text. */
export function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** The pictures of something pasted; none where the text beside them is what is meant, as from a table. */
export function pastedFiles(data: DataTransfer | null): File[] {
  if (!data || data.files.length === 0) return [];
  const isText = data.types.includes("text/plain") && (data.types.includes("text/html") || data.types.includes("text/rtf"));
  return isText ? [] : [...data.files];
}
