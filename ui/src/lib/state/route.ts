// SPDX-License-Identifier: Apache-2.0

/** The parts of Settings. */
export const SECTIONS = ["models", "tools", "grants", "device", "web", "appearance", "about"] as const;
/** A part of Settings. */
export type Section = (typeof SECTIONS)[number];

/** Parts of a section of Settings that others lead to. */
export const PARTS = ["money", "keys"] as const;
/** A part of a section. */
export type Part = (typeof PARTS)[number];

/** A place in the app; what the address after `#` says. */
export type Route =
  | { at: "chats" }
  | { at: "new" }
  | { at: "chat"; id: string; message?: string }
  | { at: "library" }
  | { at: "settings"; section?: Section; part?: Part };

/** Reads the part of an address after `#`; anything unknown is the list of chats. */
export function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [first, second, third] = path.split("/").map(decode);
  if (first === "chat" && second === "new") return { at: "new" };
  if (first === "chat" && second) {
    const message = new URLSearchParams(query).get("m");
    return message ? { at: "chat", id: second, message } : { at: "chat", id: second };
  }
  if (first === "library") return { at: "library" };
  if (first === "settings") {
    const section = SECTIONS.find((name) => name === second);
    const part = PARTS.find((name) => name === third);
    return section ? { at: "settings", section, ...(part ? { part } : {}) } : { at: "settings" };
  }
  return { at: "chats" };
}

/** The address of a place. */
export function href(route: Route): string {
  switch (route.at) {
    case "chats":
      return "#/";
    case "new":
      return "#/chat/new";
    case "chat":
      return `#/chat/${encodeURIComponent(route.id)}${route.message ? `?m=${encodeURIComponent(route.message)}` : ""}`;
    case "library":
      return "#/library";
    case "settings":
      return ["#/settings", route.section, route.part].filter(Boolean).join("/");
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
