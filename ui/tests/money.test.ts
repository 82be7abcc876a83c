// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it } from "vitest";
import { overwriteGetLocale } from "$lib/paraglide/runtime.js";
import { percent, readTokens, tokens } from "$lib/i18n/format";
import { exactMoney, money, plainMoney, readMoney } from "$lib/i18n/money";
import { priceText } from "$lib/i18n/providers";
import { fieldsOf, forgotten, isSet, readFields, type Fields } from "$lib/settings/models/facts";

let language: "en" | "zh" = "en";
beforeEach(() => {
  language = "en";
  overwriteGetLocale(() => language);
});

describe("what something cost", () => {
  it.each([
    [0, "$0"], [1, "<$0.0001"], [99, "<$0.0001"], [100, "$0.0001"], [12_300, "$0.0123"], [12_345, "$0.0123"], [10_000, "$0.01"], [480_000, "$0.48"], [481_234, "$0.4812"],
    [999_999, "$1.00"], [1_000_000, "$1.00"], [1_234_567, "$1.23"], [12_345_678_900, "$12,345.68"],
  ])("%i micro-dollars are %s", (micro, words) => {
    expect(money(micro)).toBe(words);
    language = "zh";
    expect(money(micro)).toBe(words);
  });

  it.each([[3_000_000, "$3"], [150_000, "$0.15"], [37_500, "$0.0375"], [1_250_000, "$1.25"], [1, "$0.000001"], [4_294_967_295, "$4,294.967295"]])("a price of %i is exactly %s", (micro, words) => {
    expect(exactMoney(micro)).toBe(words);
  });
});

describe("an amount in a field", () => {
  it.each([
    ["0.5", 500_000], ["0,5", 500_000], [" $0.50 ", 500_000], ["US$ 3", 3_000_000], ["3", 3_000_000], [".25", 250_000], [",25", 250_000], ["5.", 5_000_000], ["０．５", 500_000], ["０，５", 500_000],
    ["0.0375", 37_500], ["0.000001", 1], ["0.0000001", 0], ["0.9999999", 1_000_000], ["1 000", 1_000_000_000], ["0", 0],
  ])("%o is %i micro-dollars", (text, micro) => {
    expect(readMoney(text)).toBe(micro);
  });

  it("is none when it is empty", () => {
    expect(["", "  ", "$"].map((text) => readMoney(text))).toEqual([null, null, null]);
  });

  it.each(["abc", "1,000.50", "1.2.3", "-1", "1e3", ".", ",", "5€", "2000000", "NaN", "Infinity"])("%o is not taken", (text) => {
    expect(readMoney(text)).toBeUndefined();
  });

  it("comes back as it went, whatever it is", () => {
    for (let micro = 0; micro < 5_000_000; micro += 7919) {
      const text = plainMoney(micro);
      expect(readMoney(text)).toBe(micro);
      expect(readMoney(text.replace(".", ","))).toBe(micro);
    }
    expect([null, 0, 500_000, 37_500, 3_000_000, 10_000_000].map(plainMoney)).toEqual(["", "0", "0.50", "0.0375", "3", "10"]);
    expect(plainMoney(1)).toBe("0.000001");
  });

  it("keeps to a limit", () => {
    expect(readMoney("4294.967295", 4_294_967_295)).toBe(4_294_967_295);
    expect(readMoney("4294.967296", 4_294_967_295)).toBeUndefined();
  });
});

describe("numbers of tokens", () => {
  it.each([[1, "1"], [999, "999"], [1000, "1\u00a0k"], [8192, "8.19\u00a0k"], [131_072, "131\u00a0k"], [200_000, "200\u00a0k"], [999_499, "999\u00a0k"], [999_500, "1\u00a0M"], [1_048_576, "1.05\u00a0M"], [2_000_000, "2\u00a0M"]])("%i is short as %s", (n, words) => {
    expect(tokens(n)).toBe(words);
  });

  it.each([
    ["200000", 200_000], ["200 000", 200_000], ["200,000", 200_000], ["200.000", 200_000], ["1,048,576", 1_048_576], ["200k", 200_000], ["200 K", 200_000], ["1M", 1_000_000], ["1.05 m", 1_050_000], ["1,05M", 1_050_000],
    ["20万", 200_000], ["２００ｋ", 200_000], ["1", 1],
  ])("%o is %i", (text, n) => {
    expect(readTokens(text)).toBe(n);
  });

  it.each(["0", "-5", "1.5", "k", "12 34", "1,00", "lots", "1000M", "1e6"])("%o is not taken", (text) => {
    expect(readTokens(text)).toBeUndefined();
  });

  it("are none in an empty field", () => expect(readTokens(" ")).toBeNull());

  it("are parts of a whole", () => {
    expect([percent(36_632, 200_000), percent(0, 10), percent(30, 10), percent(1, 0)]).toEqual(["18%", "0%", "100%", "0%"]);
  });
});

describe("a model's settings", () => {
  const NOTHING = { window: null, max_output: null, pictures: null, tools: null, thinks: null, price: null };
  const MODEL = { provider: "p", model: "m" };
  const EMPTY: Fields = { window: "", max_output: "", input: "", output: "", cached: "", cache_write: "", pictures: "auto", effort: "provider" };

  it("come back as they went", () => {
    const set = { window: 200_000, max_output: 8192, pictures: false, tools: null, thinks: null, price: { input: 3_000_000, output: 15_000_000, cached: 300_000, cache_write: null } };
    const fields = fieldsOf({ set, effort: "low" });
    expect(fields).toEqual({ window: "200000", max_output: "8192", input: "3", output: "15", cached: "0.30", cache_write: "", pictures: "no", effort: "low" });
    expect(readFields(fields, MODEL, set)).toEqual({ settings: { model: MODEL, facts: set, effort: "low" } });
  });

  it("that are empty forget the model", () => {
    expect(fieldsOf({ set: NOTHING, effort: null })).toEqual(EMPTY);
    expect(readFields(EMPTY, MODEL)).toEqual({ settings: forgotten(MODEL) });
    expect([isSet({ set: NOTHING, effort: null }), isSet({ set: NOTHING, effort: "off" }), isSet({ set: { ...NOTHING, pictures: false }, effort: null })]).toEqual([false, true, true]);
  });

  it("name the field that can't be read", () => {
    expect(readFields({ ...EMPTY, window: "big" }, MODEL)).toEqual({ wrong: "window", missing: false });
    expect(readFields({ ...EMPTY, input: "cheap", output: "1" }, MODEL)).toEqual({ wrong: "input", missing: false });
    expect(readFields({ ...EMPTY, input: "5000", output: "1" }, MODEL)).toEqual({ wrong: "input", missing: false });
  });

  it("never take half a price", () => {
    expect(readFields({ ...EMPTY, input: "3" }, MODEL)).toEqual({ wrong: "output", missing: true });
    expect(readFields({ ...EMPTY, cached: "0,3" }, MODEL)).toEqual({ wrong: "input", missing: true });
    expect(readFields({ ...EMPTY, input: "0", output: "0" }, MODEL)).toMatchObject({ settings: { facts: { price: { input: 0, output: 0, cached: null, cache_write: null } } } });
  });

  it("keep what the sheet does not show", () => {
    expect(readFields(EMPTY, MODEL, { ...NOTHING, tools: false })).toMatchObject({ settings: { facts: { tools: false } } });
  });

  it("show prices in a few characters", () => {
    expect(priceText({ input: 3_000_000, output: 15_000_000, cached: null, cache_write: null })).toBe("$3 / $15 per M");
    expect(priceText({ input: 0, output: 0, cached: null, cache_write: null })).toBe("free");
    expect(priceText(null)).toBe("price not known");
    language = "zh";
    expect(priceText({ input: 250_000, output: 1_250_000, cached: null, cache_write: null })).toBe("每百万 $0.25 / $1.25");
  });
});
