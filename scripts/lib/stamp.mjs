// SPDX-License-Identifier: Apache-2.0
// Remembers which inputs a thing was made from, so that it is made again only when they change.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Every file under these paths, sorted, with `/` between the parts. Names for which `skip` is true are left out. */
export function filesUnder(root, paths, skip = () => false) {
  const found = [];
  const walk = (path) => {
    if (skip(path)) return;
    const full = join(root, path);
    const stat = statSync(full, { throwIfNoEntry: false });
    if (stat?.isDirectory()) for (const name of readdirSync(full)) walk(`${path}/${name}`);
    else if (stat?.isFile()) found.push(path);
  };
  for (const path of paths) walk(path);
  return found.sort();
}

/** One hash over the names and contents of files. */
export function hashFiles(root, files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update("\0").update(createHash("sha256").update(readFileSync(join(root, file))).digest());
  return hash.digest("hex");
}

/** What a stamp file says, or an empty text. */
export function readStamp(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Writes a stamp file. */
export function writeStamp(path, hash) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, hash);
}
