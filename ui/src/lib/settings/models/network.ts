// SPDX-License-Identifier: Apache-2.0
// What can be said about a proxy and about certificates before anybody else is asked.

/** What is wrong with the address of a proxy. */
export type ProxyTrouble = "scheme" | "host" | "path";
/** What is wrong with certificates. */
export type PemTrouble = "private_key" | "none";

const SCHEMES = new Set(["http:", "https:", "socks5:", "socks5h:"]);

/** Looks at the address of a proxy; an empty one is no proxy. */
export function proxyTrouble(text: string): ProxyTrouble | undefined {
  const address = text.trim();
  if (address === "") return undefined;
  const read = /^([a-z][a-z\d+.-]*:)\/\/(?:[^/?#]*@)?(\[[^\]]+\]|[^/?#:]*)(?::(\d*))?(.*)$/i.exec(address);
  if (!read || !SCHEMES.has(read[1]!.toLowerCase())) return "scheme";
  if (!read[2] || /\s/.test(read[2]) || Number(read[3] ?? 0) > 65_535) return "host";
  return read[4] === "" || read[4] === "/" ? undefined : "path";
}

/** Looks at certificates in PEM; an empty text is none. */
export function pemTrouble(text: string): PemTrouble | undefined {
  if (text.trim() === "") return undefined;
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return "private_key";
  return /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/.test(text) ? undefined : "none";
}

/** How many certificates a text holds. */
export const certificates = (text: string): number => text.match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/g)?.length ?? 0;

/** Which field a refusal of the backend is about. */
export const fieldOf = (message: string): "proxy" | "roots" => (/certificate|pem\b|private key|authority/i.test(message) ? "roots" : "proxy");
