// SPDX-License-Identifier: Apache-2.0
// The words of the face, so that a test looks for what a person would read.
import { readFileSync } from "node:fs";

const read = (language) => JSON.parse(readFileSync(new URL(`../messages/${language}.json`, import.meta.url), "utf8"));
const TEXTS = { en: read("en"), zh: read("zh") };

/** `say(key, inputs)`: a message in a language. Of one that counts, the form for many. */
export const speaker = (language) => (key, inputs = {}) => {
  let text = TEXTS[language][key];
  if (Array.isArray(text)) text = Object.entries(text[0].match).find(([form]) => form.endsWith("=other"))[1];
  if (typeof text !== "string") throw new Error(`There is no message "${key}" in ${language}.`);
  return text.replace(/\{(\w+)\}/g, (_, name) => String(inputs[name]));
};
