// SPDX-License-Identifier: Apache-2.0
// Money as the contract counts it: whole micro-dollars, a millionth of a dollar each.
import { getLocale } from "$lib/paraglide/runtime.js";

const MICRO = 1_000_000;
const tag = () => (getLocale() === "zh" ? "zh-CN" : "en");
const dollars = (micro: number, least: number, most: number): string => `$${(micro / MICRO).toLocaleString(tag(), { minimumFractionDigits: least, maximumFractionDigits: most })}`;

/** What something cost: to the hundredth of a cent below a dollar, to the cent above. */
export function money(micro: number): string {
  if (micro <= 0) return "$0";
  if (micro < 100) return "<$0.0001";
  return dollars(micro, 2, micro < MICRO ? 4 : 2);
}

/** A price, exactly. */
export const exactMoney = (micro: number): string => dollars(micro, micro % MICRO === 0 ? 0 : 2, 6);

/** An amount as it stands in a field. */
export function plainMoney(micro: number | null): string {
  if (micro === null) return "";
  const [whole, part = ""] = (micro / MICRO).toFixed(6).replace(/\.?0+$/, "").split(".");
  return part === "" ? whole! : `${whole}.${part.padEnd(2, "0")}`;
}

/**
 * Reads an amount in dollars, with a comma or a dot before the cents: micro-dollars, `null` for an empty field,
 * `undefined` for what is no amount from 0 to `most`. There is no mark for thousands: in one half of the world it is the
 * other half's decimal mark.
 */
export function readMoney(text: string, most = 1_000_000 * MICRO): number | null | undefined {
  const bare = text.normalize("NFKC").replace(/\s/g, "").replace(/^(?:US)?\$/i, "");
  if (bare === "") return null;
  const read = /^(\d*)(?:[.,](\d*))?$/.exec(bare);
  if (!read || !/\d/.test(bare)) return undefined;
  const [, whole = "", part = ""] = read;
  const micro = Number(whole || "0") * MICRO + Math.round(Number(`0.${part || "0"}`) * MICRO);
  return micro <= most ? micro : undefined;
}
