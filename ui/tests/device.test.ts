// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Channel, ChannelState, DeviceView, Fault, NodeClass } from "$lib/backend/bindings";
import { classText, reasonText, roleText, toolQuestion } from "$lib/i18n/asked";
import { argumentLabel } from "$lib/i18n/calls";
import { DEVICE_TOOLS } from "$lib/i18n/device";
import { denialText, sourceText, toolTitle } from "$lib/i18n/words";
import { overwriteGetLocale } from "$lib/paraglide/runtime.js";
import { toolAbout } from "$lib/settings/about-tools";
import { canAsk, channelLine, channelName, mayBeRestricted, ordinary, permissionLine, permissionName, standing, trouble } from "$lib/settings/device";

let language: "en" | "zh" = "en";
beforeEach(() => {
  language = "en";
  overwriteGetLocale(() => language);
});
const both = <T>(read: () => T): T[] => (["en", "zh"] as const).map((each) => ((language = each), read()));

describe("the tools on a device", () => {
  it("have a title, a question, a line about them and a picture of their own, in both languages", async () => {
    await vi.waitFor(() => expect(toolTitle("ui_control")).toBe("Use another app"));
    expect(DEVICE_TOOLS).toHaveLength(25);
    for (const tool of DEVICE_TOOLS)
      for (const words of both(() => [toolTitle(tool), toolQuestion(tool), toolAbout(tool, "")])) {
        expect(words.map((text) => text.length > 1 && !text.includes("_")), `${tool}: ${words.join(" | ")}`).toEqual([true, true, true]);
        expect(words[1], tool).toMatch(/[?？]$/);
      }
    for (const read of [toolTitle, toolQuestion, (tool: string) => toolAbout(tool, "")]) expect(new Set(DEVICE_TOOLS.map(read)).size).toBe(25);
    const icons = [...readFileSync("src/lib/chat/device-icons.ts", "utf8").matchAll(/([a-z_]+): ([A-Z]\w+),/g)].map(([, tool, icon]) => [tool!, icon!] as const);
    expect(icons.map(([tool]) => tool).toSorted()).toEqual(DEVICE_TOOLS.toSorted());
    expect(new Set(icons.map(([, icon]) => icon)).size).toBe(25);
  });

  it("ask plainly what would be done to an app", () => {
    const actions = ["stop", "clear", "disable", "enable", "uninstall"];
    expect(actions.map((action) => toolQuestion("manage_app", { package: "org.chat", action }))).toEqual(["Stop this app?", "Delete all data of this app?", "Switch this app off?", "Switch this app on again?", "Remove this app?"]);
    for (const given of [undefined, null, "{broken", {}, { action: "toString" }, { action: 3 }]) expect(toolQuestion("manage_app", given)).toBe("Do this to the app?");
    expect(toolQuestion("open_app", { action: "stop" })).toBe("Open this app?");
  });

  it("say where what they read came from, and what their arguments are", async () => {
    await vi.waitFor(() => expect(argumentLabel("remind_minutes")).toBe("Reminder (minutes before)"));
    expect(sourceText({ tool: "read_notifications", detail: "org.chat" })).toBe("a notification: org.chat");
    expect(both(() => ["ui_control", "get_screen_state", "get_clipboard", "search_contacts"].map((tool) => sourceText({ tool })))).toEqual([["the screen", "the screen", "the clipboard", "your contacts"], ["屏幕内容", "屏幕内容", "剪贴板", "你的通讯录"]]);
    for (const name of ["app", "package", "action", "begin", "end", "notes", "cc", "screen", "number", "percent", "stream", "on", "duration_ms", "key"]) expect(both(() => argumentLabel(name))[1], name).not.toMatch(/[a-z]/i);
  });
});

describe("a touch", () => {
  const CLASSES: NodeClass[] = ["scroll", "navigate", "field", "send", "pay", "delete", "install", "permission", "leave", "account", "unknown"];
  it("has words for each class, and for one nobody here knows", () => {
    for (const read of [classText, (name: NodeClass) => reasonText({ type: "touches", class: name })]) for (const words of both(() => CLASSES.map(read))) expect(new Set(words).size).toBe(11);
    language = "en";
    expect(classText("teleport" as NodeClass)).toBe("Nobody can tell what it does");
    expect(reasonText({ type: "touches", class: "toString" as NodeClass })).toBe("Nobody can tell what touching it does, so you are asked.");
  });

  it("names the app with what hides in its name made visible", () => {
    expect(reasonText({ type: "drive_app", app: "org.chat", name: "Ch\u202eat" })).toContain("“Ch⟨U+202E⟩at”");
    expect([roleText("button"), roleText("password field"), roleText("dial\u200b knob"), roleText("constructor")]).toEqual(["Button", "Password field", "Dial⟨U+200B⟩ knob", "Constructor"]);
    expect(denialText("no_target")).toBe("What it would touch is not on the screen, or can't be looked at.");
  });
});

describe("a channel", () => {
  const state = (granted: boolean, bound: boolean, answering: boolean, fault?: Fault): ChannelState => ({ granted, bound, answering, ...(fault ? { fault } : {}) });
  const FAULTS: Fault[] = ["not_granted", "not_bound", "not_answering", "not_running", "secure_window", "timed_out", "rate_limited", "unsupported", "refused", "not_found", "changed", "password", "declined", "locked", "busy", "too_large", "invalid", "failed"];
  const CHANNELS: Channel[] = ["accessibility", "projection", "shizuku", "device", "lifecycle"];

  it("works only when all three hold and nothing stands in the way", () => {
    expect(standing(state(true, true, true))).toBe("works");
    expect([state(false, false, false, "not_granted"), state(false, false, false), state(false, false, false, "not_running")].map(standing)).toEqual(["off", "off", "off"]);
    expect([state(true, false, false, "not_bound"), state(true, true, false), state(true, true, true, "failed"), state(true, false, false, "not_running")].map(standing)).toEqual(["trouble", "trouble", "trouble", "trouble"]);
    expect(trouble("accessibility", state(true, true, true))).toBeUndefined();
  });

  it("says what is the matter and how to mend it, whatever the fault, in both languages", () => {
    for (const channel of CHANNELS)
      for (const fault of FAULTS)
        for (const said of both(() => trouble(channel, state(fault !== "not_granted", false, false, fault)))) {
          expect(said?.fault, `${channel} ${fault}`).toMatch(/[.。]$/);
          expect(said?.mend, `${channel} ${fault}`).toMatch(/[.。]$/);
        }
    language = "en";
    expect(trouble("shizuku", state(false, false, false, "not_running"))!.mend).toMatch(/^Install Shizuku, open it and start it/);
    expect(trouble("accessibility", state(true, false, false, "not_bound"))!.mend).toMatch(/off and on again/);
    expect(trouble("accessibility", state(true, false, false))!.fault).toBe("It is granted, but the system has not connected it.");
    expect(trouble("projection", state(false, false, false, "not_granted"))!.mend).toMatch(/^Nothing is wrong/);
    expect(trouble("device", state(true, true, false, "hologram" as Fault))!.fault).toBe("It failed.");
  });

  it("is asked for only where asking can help", () => {
    expect(canAsk("accessibility", state(false, false, false, "not_granted"))).toBe(true);
    expect(canAsk("shizuku", state(false, false, false, "not_running"))).toBe(false);
    expect(canAsk("accessibility", state(true, false, false, "not_bound"))).toBe(false);
    expect(canAsk("projection", state(true, false, false, "not_bound"))).toBe(true);
    expect(canAsk("accessibility", state(true, true, true))).toBe(false);
    expect(canAsk("projection", state(false, false, false, "declined"))).toBe(true);
  });

  it("has a name and a line, and so has each permission; what nobody knows keeps its own", () => {
    expect(both(() => CHANNELS.map(channelName))).toEqual([["Screen and touch", "Picture of the screen", "Shizuku", "The device's own functions", "Bailey in the background"], ["屏幕与操作", "屏幕画面", "Shizuku", "本机功能", "后台运行"]]);
    for (const channel of CHANNELS) expect(channelLine(channel)).not.toBe("");
    language = "en";
    for (const name of ["contacts", "calendar", "location", "notifications", "notification_access", "usage", "write_settings"]) expect(permissionLine(name), name).not.toBe("");
    expect([permissionName("usage"), permissionName("body_sensors"), permissionLine("body_sensors"), permissionName("constructor")]).toEqual(["App usage", "Body sensors", "", "Constructor"]);
  });

  it("stands for the permission of its name; the guide comes where a held-back switch is off", () => {
    const view = (accessibility: ChannelState | undefined, permissions: DeviceView["permissions"]): DeviceView => ({ channels: accessibility ? [{ channel: "accessibility", state: accessibility }] : [], permissions });
    expect(ordinary(view(state(true, true, true), { accessibility: true, contacts: false }))).toEqual([["contacts", false]]);
    expect(ordinary(view(undefined, { accessibility: true }))).toEqual([["accessibility", true]]);
    expect([
      view(state(false, false, false, "not_granted"), {}), view(state(true, true, true), { notification_access: false }), view(undefined, { accessibility: false }),
      view(state(true, false, false, "not_bound"), { notification_access: true }), view(undefined, {}), view(state(false, false, false, "unsupported"), {}),
    ].map(mayBeRestricted)).toEqual([true, true, true, false, false, false]);
  });
});
