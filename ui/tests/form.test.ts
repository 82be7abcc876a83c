// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Provider, ProviderPreset, RecognisedProvider } from "$lib/backend/bindings";
import { addressTrouble, begin, distinct, draftOf, host, looksLikeAddress, next, secretive, type Form, type Step } from "$lib/start/form";
import { certificates, fieldOf, pemTrouble, proxyTrouble } from "$lib/settings/models/network";

const ANTHROPIC: ProviderPreset = { name: "Anthropic", kind: "anthropic", base_url: "https://api.anthropic.com", key_url: "https://console.anthropic.com/keys" };
const OLLAMA: ProviderPreset = { name: "Ollama", kind: "openai_chat", base_url: "http://127.0.0.1:11434/v1", key_url: "" };
const KEY = "sk-ant-api03-abcdefghijklmnop";
const SEEN: RecognisedProvider = { kind: "anthropic", name: "Anthropic", base_url: "https://api.anthropic.com", has_key: true, sure: true };

const walk = (form: Form, ...steps: Step[]): Form => steps.reduce(next, form);
const paste = (text: string, seen: RecognisedProvider | null, from = begin()): Form => {
  const read = next(from, { type: "text", text });
  return next(read, { type: "recognised", asked: read.asked, seen, presets: [ANTHROPIC, OLLAMA] });
};

describe("something pasted", () => {
  it("that is sure fills everything in, and the text itself is the key", () => {
    const form = paste(`export ANTHROPIC_API_KEY=${KEY}`, SEEN);
    expect(form).toMatchObject({ step: "fields", seen: "sure", holdsKey: true, kind: "anthropic", name: "Anthropic", url: "https://api.anthropic.com", keyUrl: ANTHROPIC.key_url });
    expect(draftOf(form, undefined, [])).toEqual({ name: "Anthropic", kind: "anthropic", base_url: "https://api.anthropic.com", key: `export ANTHROPIC_API_KEY=${KEY}` });
  });

  it("that is an address without a key still wants one", () => {
    const form = paste("https://api.anthropic.com", { ...SEEN, has_key: false });
    expect(form).toMatchObject({ step: "fields", holdsKey: false });
    expect(draftOf(form, undefined, [])).not.toHaveProperty("key");
    expect(draftOf(next(form, { type: "fill", key: ` ${KEY} ` }), undefined, [])).toMatchObject({ key: KEY });
  });

  it("whose maker nobody can tell asks whose it is, and keeps the key for the answer", () => {
    const asked = paste("sk-0123456789abcdef0123456789abcdef", { kind: "openai_chat", name: "", base_url: "", has_key: true, sure: false });
    expect(asked).toMatchObject({ step: "paste", seen: "unsure", holdsKey: true });
    const form = next(asked, { type: "preset", preset: ANTHROPIC });
    expect(draftOf(form, undefined, [])).toEqual({ name: "Anthropic", kind: "anthropic", base_url: ANTHROPIC.base_url, key: "sk-0123456789abcdef0123456789abcdef" });
  });

  it("even if it was sure of itself: without an address there is nothing to call", () => {
    expect(paste(KEY, { ...SEEN, base_url: "", sure: true })).toMatchObject({ step: "paste", seen: "unsure" });
  });

  it("with an unknown address goes on, saying that it is not sure", () => {
    expect(paste("https://llm.example/v1", { kind: "openai_chat", name: "llm.example", base_url: "https://llm.example/v1", has_key: false, sure: false })).toMatchObject({ step: "fields", seen: "unsure", url: "https://llm.example/v1" });
  });

  it("that nobody knows is a key all the same, when it is one word", () => {
    const form = next(paste("my-gateway-token-1", null), { type: "preset", preset: ANTHROPIC });
    expect(form).toMatchObject({ key: "my-gateway-token-1", text: "", holdsKey: false });
    expect(next(paste("two words", null), { type: "preset", preset: ANTHROPIC })).toMatchObject({ key: "" });
    expect(next(paste("gateway.example:8443/llm", null), { type: "by_hand" })).toMatchObject({ step: "fields", url: "gateway.example:8443/llm", key: "" });
    expect(next(paste("token-of-a-gateway", null), { type: "by_hand" })).toMatchObject({ url: "", key: "token-of-a-gateway" });
  });

  it("is read anew when it changes: late answers to an earlier text count for nothing", () => {
    const first = next(begin(), { type: "text", text: "sk-ant" });
    const second = next(first, { type: "text", text: "https://x.example" });
    expect(next(second, { type: "recognised", asked: first.asked, seen: SEEN, presets: [] })).toBe(second);
    const again = next(paste(KEY, SEEN), { type: "again" });
    expect(again).toMatchObject({ step: "paste", text: "", key: "", holdsKey: false, seen: "nothing", url: "" });
    expect(next(again, { type: "recognised", asked: first.asked, seen: SEEN, presets: [] })).toBe(again);
  });

  it("that was wiped out again is nothing", () => {
    expect(walk(begin(), { type: "text", text: "sk" }, { type: "text", text: "  " })).toMatchObject({ seen: "nothing", step: "paste" });
  });

  it("never leaves a key of another text behind", () => {
    const form = next(paste(KEY, SEEN), { type: "other_key" });
    expect([form.text, form.holdsKey]).toEqual(["", false]);
    expect(JSON.stringify(form)).not.toContain("abcdefghijklmnop");
  });
});

describe("the test's answer", () => {
  it("switches the protocol when another one answered, and says so until something is changed by hand", () => {
    const form = next(paste("https://llm.example/v1", { kind: "openai_chat", name: "llm.example", base_url: "https://llm.example/v1", has_key: false, sure: false }), { type: "answered", protocol: "anthropic" });
    expect(form).toMatchObject({ kind: "anthropic", switched: true });
    expect(next(form, { type: "fill", kind: "gemini" })).toMatchObject({ kind: "gemini", switched: false });
    expect(next(form, { type: "answered", protocol: "anthropic" })).toBe(form);
  });
});

describe("a provider that is changed", () => {
  const provider: Provider = { id: "p", name: "Mine", kind: "gemini", base_url: "https://g.example/v1beta", has_key: true, wants_key: true };
  it("begins with what it is and keeps its id; an empty key keeps the known one", () => {
    expect(draftOf(begin(provider), provider, [])).toEqual({ id: "p", name: "Mine", kind: "gemini", base_url: "https://g.example/v1beta" });
  });
});

describe("names", () => {
  it("are never given twice", () => {
    expect(distinct("Anthropic", [])).toBe("Anthropic");
    expect(distinct("Anthropic", ["anthropic "])).toBe("Anthropic 2");
    expect(distinct("Anthropic", ["Anthropic", "Anthropic 2", "Anthropic 4"])).toBe("Anthropic 3");
    expect(draftOf(next(begin(), { type: "preset", preset: OLLAMA }), undefined, ["Ollama"]).name).toBe("Ollama 2");
  });

  it("are made of the address where nobody gave one", () => {
    expect(host("https://llm.example:8443/v1")).toBe("llm.example:8443");
    expect(host("llm.example/v1")).toBe("llm.example");
    expect(draftOf(walk(begin(), { type: "by_hand" }, { type: "fill", url: "https://llm.example/v1" }), undefined, []).name).toBe("llm.example");
  });
});

describe("what is not for every eye", () => {
  it.each([KEY, `x-api-key: ${KEY}`, "AIzaSyA-0123456789abcdefghijklmn", "https://g.example/v1?key=0123456789abcdefghijklmn", `curl https://api.anthropic.com/v1/messages -H "x-api-key: ${KEY}"`])("is hidden: %s", (text) => {
    expect(secretive(text)).toBe(true);
  });

  it.each(["", "api.anthropic.com", "https://generativelanguage.googleapis.com/v1beta", "http://127.0.0.1:11434/v1", "sk-"])("is nothing to hide: %s", (text) => {
    expect(secretive(text)).toBe(false);
  });

  it("addresses are told from keys", () => {
    expect(["https://a.example/v1", "localhost:8080", "127.0.0.1:1234/v1", "api.deepseek.com", "box:8000"].map(looksLikeAddress)).toEqual(Array(5).fill(true));
    expect(["sk-abc", KEY, "two words", "", "token"].map(looksLikeAddress)).toEqual(Array(5).fill(false));
  });
});

describe("an address", () => {
  it.each(["https://api.example.com/v1", "api.example.com", "http://127.0.0.1:11434/v1", "http://localhost:8080", "http://box.local", "http://192.168.1.5", "http://10.0.0.2:8000", "http://172.31.0.9", "http://[::1]:1234", "http://[fd12::5]", "http://169.254.3.3"])("can be tried: %s", (text) => {
    expect(addressTrouble(text)).toBeUndefined();
  });

  it.each([["", "missing"], ["  ", "missing"], ["ftp://x.example", "scheme"], ["https://", "unreadable"], ["https://a b", "unreadable"], ["https://user:pw@x.example", "credentials"], ["http://api.example.com", "cleartext"], ["http://172.32.0.1", "cleartext"], ["http://10.evil.example", "cleartext"], ["http://8.8.8.8", "cleartext"], ["http://[2001:db8::1]", "cleartext"]])("%o can't: %s", (text, trouble) => {
    expect(addressTrouble(text)).toBe(trouble);
  });
});

describe("a proxy and certificates", () => {
  it.each(["", "  ", "http://proxy.example:3128", "HTTPS://proxy.example", "socks5://127.0.0.1:1080", "socks5h://user:pass@[::1]:1080/", "http://user:p%40ss@proxy.example:8080"])("%o is a proxy", (text) => {
    expect(proxyTrouble(text)).toBeUndefined();
  });

  it.each([["proxy.example:3128", "scheme"], ["ftp://proxy.example", "scheme"], ["socks4://proxy.example", "scheme"], ["http://", "host"], ["http://a b:1", "host"], ["http://proxy.example:99999", "host"], ["http://proxy.example:1/path", "path"], ["http://proxy.example?x", "path"]])("%o is none: %s", (text, trouble) => {
    expect(proxyTrouble(text)).toBe(trouble);
  });

  const PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
  it("tells a certificate from a key and from anything else", () => {
    expect([pemTrouble(""), pemTrouble(PEM), pemTrouble(PEM + PEM)]).toEqual([undefined, undefined, undefined]);
    expect(pemTrouble("-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----")).toBe("private_key");
    expect(pemTrouble(`${PEM}-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----`)).toBe("private_key");
    expect([pemTrouble("hello"), pemTrouble("-----BEGIN CERTIFICATE-----")]).toEqual(["none", "none"]);
    expect(certificates(PEM + PEM)).toBe(2);
  });

  it("finds the field a refusal is about", () => {
    expect(fieldOf("There is no certificate in this text.")).toBe("roots");
    expect(fieldOf("The proxy's address has no host.")).toBe("proxy");
  });
});
