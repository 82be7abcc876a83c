// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it } from "vitest";
import { overwriteGetLocale } from "$lib/paraglide/runtime.js";
import { base64, bytesOf, draftOf, letGo, pastedFiles } from "$lib/pictures/files";
import { Lru } from "$lib/pictures/lru";
import { LARGEST, mediaType, sift } from "$lib/pictures/sift";

beforeEach(() => overwriteGetLocale(() => "en"));

const bytes = (...parts: (string | number)[]) => new Uint8Array(parts.flatMap((part) => (typeof part === "number" ? [part] : [...part].map((c) => c.charCodeAt(0)))));
const JPEG = bytes(0xff, 0xd8, 0xff, 0xe0, "JFIF");
const PNG = bytes(0x89, "PNG\r\n", 0x1a, "\n", "IHDR");
const HEIC = bytes(0, 0, 0, 24, "ftypheic");

describe("what a file is", () => {
  it.each([
    [JPEG, "image/jpeg"], [PNG, "image/png"], [bytes("RIFF", 1, 2, 3, 4, "WEBPVP8 "), "image/webp"], [bytes("GIF89a"), "image/gif"], [bytes("GIF87a"), "image/gif"],
    [HEIC, "image/heic"], [bytes(0, 0, 0, 24, "ftypmif1"), "image/heic"], [bytes(0, 0, 0, 24, "ftypavif"), undefined], [bytes("%PDF-1.7"), undefined], [bytes("<svg xmlns="), undefined], [bytes("RIFF", 1, 2, 3, 4, "WAVE"), undefined], [bytes(), undefined],
  ])("is told by its bytes, not by its name: %#", (head, type) => {
    expect(mediaType(head)).toBe(type);
  });
});

describe("files to attach", () => {
  it("are pictures, or a sentence says why not", async () => {
    const large = new File([JPEG, new Uint8Array(LARGEST)], "huge.jpg");
    const { taken, troubles } = await sift([new File([JPEG], "a.png", { type: "image/png" }), new File([HEIC], "phone.heic"), new File(["hello"], "note.jpg"), large, new File([PNG], "")], 8);
    expect(taken.map(({ name, file }) => [name, file.type, file.size])).toEqual([["a.png", "image/jpeg", JPEG.length], ["Picture", "image/png", PNG.length]]);
    expect(troubles).toEqual(["“phone.heic” is a HEIC picture, which models can't read. Save it as JPEG first.", "“note.jpg” can't be attached: only JPEG, PNG, WebP and GIF pictures can.", "“huge.jpg” is larger than 20 MB."]);
    letGo(taken);
  });

  it("are no more than a message takes", async () => {
    const { taken, troubles } = await sift(Array.from({ length: 5 }, (_, n) => new File([PNG], `${n}.png`)), 3);
    expect(taken.map(({ name }) => name)).toEqual(["0.png", "1.png", "2.png"]);
    expect(new Set(taken.map(({ id }) => id)).size).toBe(3);
    expect(troubles).toEqual(["A message takes 8 pictures at most."]);
    letGo(taken);
  });

  it("are no more together than fits into a command", async () => {
    const files = ["a", "b", "c"].map((name) => new File([PNG, new Uint8Array(16_000_000)], name));
    const first = await sift(files, 8);
    expect(first.taken.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(first.troubles).toEqual(["“c” is too much for one message: its pictures may have 45 MB together. Send it in the next one."]);
    const later = await sift(files.slice(0, 1), 6, 32_000_016);
    expect(later.taken).toEqual([]);
    letGo(first.taken);
  });

  it("go out as they came in", async () => {
    for (const length of [0, 1, 2, 3, 24_575, 24_576, 24_577, 100_000]) {
      const file = Uint8Array.from({ length }, (_, n) => (n * 31) % 256);
      const { name, data } = await draftOf({ name: "x", file: new Blob([file]) });
      expect([name, data]).toEqual(["x", Buffer.from(file).toString("base64")]);
      expect(base64(bytesOf(data))).toBe(data);
    }
  });

  it("that come with a table's text are not meant", () => {
    const data = (types: string[], files = [new File([PNG], "x.png")]) => ({ types, files }) as unknown as DataTransfer;
    expect(pastedFiles(data(["Files"]))).toHaveLength(1);
    expect(pastedFiles(data(["text/html", "Files"]))).toHaveLength(1);
    expect(pastedFiles(data(["text/plain", "Files"]))).toHaveLength(1);
    expect(pastedFiles(data(["text/plain", "text/html", "Files"]))).toHaveLength(0);
    expect(pastedFiles(data(["text/plain", "text/rtf", "Files"]))).toHaveLength(0);
    expect(pastedFiles(data(["text/plain"], []))).toHaveLength(0);
    expect(pastedFiles(null)).toHaveLength(0);
  });
});

describe("what was used last", () => {
  it("is kept, the rest is let go of", () => {
    const gone: string[] = [];
    const kept = new Lru<string>(2, (value) => gone.push(value));
    const use = (key: string) => {
      kept.hold(key, () => key.toUpperCase());
      kept.release(key);
    };
    use("a");
    use("b");
    use("a");
    use("c");
    expect(gone).toEqual(["B"]);
    expect(kept.size).toBe(2);
  });

  it("is not made twice, and stays as long as somebody holds it", () => {
    const gone: string[] = [];
    let made = 0;
    const kept = new Lru<string>(1, (value) => gone.push(value));
    const make = () => `v${++made}`;
    expect([kept.hold("a", make), kept.hold("a", make)]).toEqual(["v1", "v1"]);
    kept.hold("b", make);
    kept.release("a");
    expect(gone).toEqual([]);
    kept.release("a");
    expect(gone).toEqual(["v1"]);
    kept.release("a");
    kept.release("never");
    kept.forget("b");
    expect(kept.hold("b", make)).toBe("v3");
  });
});
