// SPDX-License-Identifier: Apache-2.0

const SCHEMES = new Set(["https:", "http:", "mailto:"]);

/** A link that may be followed, and where it really goes. */
export interface Target {
  href: string;
  /** The host, or the address of a mail link. */
  host: string;
}

/** Reads a link of a message; `undefined` for schemes nobody should follow and for addresses that can't be read. */
export function target(href: string): Target | undefined {
  let url: URL;
  try {
    url = new URL(href.trim());
  } catch {
    return undefined;
  }
  if (!SCHEMES.has(url.protocol)) return undefined;
  return { href: url.href, host: url.protocol === "mailto:" ? decodeURIComponent(url.pathname) : url.host };
}

const bare = (text: string): string => text.trim().toLowerCase().replace(/^(https?:\/\/|mailto:)/, "").replace(/\/$/, "");

/** Whether the text of a link already says where it goes: it is the address itself, or its host. */
export function saysWhere(text: string, { href, host }: Target): boolean {
  const said = bare(text);
  return said === host.toLowerCase() || said === bare(href) || said === bare(decodeSafely(href));
}

function decodeSafely(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}

/** The host of a picture that is not loaded; empty when there is none. */
export function pictureHost(src: string): string {
  try {
    return new URL(src).host;
  } catch {
    return "";
  }
}
