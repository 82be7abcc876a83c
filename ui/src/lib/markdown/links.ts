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
  if (url.protocol !== "mailto:") return { href: url.href, host: url.host };
  const to = decodeSafely(url.pathname, decodeURIComponent);
  return { href: url.href, host: to };
}

const bare = (text: string): string => text.trim().toLowerCase().replace(/^(https?:\/\/|mailto:)/, "").replace(/\/$/, "");

/**
 * Where a link goes, as far as its text does not say it already: nothing when the text is the address itself or its host, all of the
 * address when the text is another one at the same host, else the host.
 */
export function unsaid(text: string, { href, host }: Target): string | undefined {
  const said = bare(text);
  // What stands before an @ looks like a host and is none.
  const disguised = /^https?:\/\/[^/?#]*@/i.test(href);
  if (!disguised && (said === host.toLowerCase() || said === bare(href) || said === bare(decodeSafely(href)))) return undefined;
  return said.startsWith(`${host.toLowerCase()}/`) ? href : host;
}

function decodeSafely(text: string, decode: (text: string) => string = decodeURI): string {
  try {
    return decode(text);
  } catch {
    return text;
  }
}
