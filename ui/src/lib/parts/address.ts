// SPDX-License-Identifier: Apache-2.0
// Where an address really goes, for people who have to judge it.

/** An address taken apart for showing: the three pieces together are the address as it was written. */
export interface Address {
  before: string;
  /** Whom it reaches: the host with its port, or what follows the `@` of a mail address. */
  host: string;
  after: string;
  /** The host that is really asked, where it is another than the one written: other letters, another spelling of a number. */
  real?: string;
}

/** A backslash counts as a slash, as it does in browsers. */
const WEB = /^(\s*[a-z][a-z\d+.-]*:[\\/]{2,}(?:[^/?#\\]*@)?)([^/?#\\@]+)([^]*)$/i;
const MAIL = /^((?:mailto:)?[^\s@?]+@)([^\s@?/]+)((?:\?[^]*)?)$/i;

/** Takes an address apart; `undefined` for a text that is none. */
export function address(text: string): Address | undefined {
  const [, before, host, after] = WEB.exec(text) ?? MAIL.exec(text) ?? [];
  if (before === undefined || host === undefined || after === undefined) return undefined;
  const asked = realHost(before.includes("//") || before.includes("\\") ? text : `https://${host}`);
  const written = host.toLowerCase();
  const same = asked === undefined || written === asked || written.replace(/:\d*$/, "") === asked;
  return same ? { before, host, after } : { before, host, after, real: asked };
}

function realHost(text: string): string | undefined {
  try {
    return new URL(text.trim()).host || undefined;
  } catch {
    return undefined;
  }
}

/** Whether a word mixes Latin letters with those of alphabets that hold lookalikes. */
export function lookalike(text: string): boolean {
  return text.split(/\s+/).some((word) => /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u.test(word));
}
