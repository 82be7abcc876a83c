// SPDX-License-Identifier: Apache-2.0
// Words of a question whether a call may run. The first JavaScript does without them.
import type { AllowScope, NodeClass, Reason, ShellEffectKind } from "$lib/backend/bindings";
import { m } from "$lib/paraglide/messages.js";
import { visible } from "$lib/parts/arguments";
import { modeName, plain, toolTitle } from "./words";

type Words = Record<string, () => string>;
// Spelt out, so that a bundle holds only the words it shows.
const QUESTIONS: Words = {
  get_time: m.ask_get_time, compute: m.ask_compute, memory_write: m.ask_memory_write, memory_search: m.ask_memory_search,
  file_write: m.ask_file_write, run_shell: m.ask_run_shell, web_search: m.ask_web_search, web_read: m.ask_web_read, fetch_rss: m.ask_fetch_rss,
  get_weather: m.ask_get_weather, download_file: m.ask_download_file, spawn_agent: m.ask_spawn_agent,
  device_info: m.ask_device_info, network_status: m.ask_network_status, list_installed_apps: m.ask_list_installed_apps, get_app_usage: m.ask_get_app_usage, manage_app: m.ask_manage_app,
  open_app: m.ask_open_app, open_settings: m.ask_open_settings, open_dialer: m.ask_open_dialer, set_volume: m.ask_set_volume, set_brightness: m.ask_set_brightness,
  set_flashlight: m.ask_set_flashlight, vibrate: m.ask_vibrate, media_control: m.ask_media_control, read_notifications: m.ask_read_notifications, get_clipboard: m.ask_get_clipboard,
  set_clipboard: m.ask_set_clipboard, share_text: m.ask_share_text, send_email: m.ask_send_email, search_contacts: m.ask_search_contacts, create_calendar_event: m.ask_create_calendar_event,
  get_screen_state: m.ask_get_screen_state, get_foreground_app: m.ask_get_foreground_app, take_screenshot: m.ask_take_screenshot, ui_control: m.ask_ui_control, screen_record: m.ask_screen_record,
};
/** What is done to an app says more than that something is. */
const MANAGING: Words = { stop: m.manage_stop, clear: m.manage_clear, disable: m.manage_disable, enable: m.manage_enable, uninstall: m.manage_uninstall };
const ROLES: Words = {
  button: m.role_button, field: m.role_field, "password field": m.role_password_field, switch: m.role_switch, option: m.role_option, checkbox: m.role_checkbox, slider: m.role_slider,
  "list to choose from": m.role_list, area: m.role_area, picture: m.role_picture, item: m.role_item, text: m.role_text,
};
const CLASSES: Readonly<Record<NodeClass, { does: () => string; why: () => string }>> = {
  scroll: { does: m.class_scroll, why: m.touches_scroll },
  navigate: { does: m.class_navigate, why: m.touches_navigate },
  field: { does: m.class_field, why: m.touches_field },
  send: { does: m.class_send, why: m.touches_send },
  pay: { does: m.class_pay, why: m.touches_pay },
  delete: { does: m.class_delete, why: m.touches_delete },
  install: { does: m.class_install, why: m.touches_install },
  permission: { does: m.class_permission, why: m.touches_permission },
  leave: { does: m.class_leave, why: m.touches_leave },
  account: { does: m.class_account, why: m.touches_account },
  unknown: { does: m.class_unknown, why: m.touches_unknown },
};
const find = (words: Words, key: string): string | undefined => (Object.hasOwn(words, key) ? words[key]!() : undefined);
// What a newer backend can tell apart is unknown here.
const ofClass = (name: NodeClass) => (Object.hasOwn(CLASSES, name) ? CLASSES[name] : CLASSES.unknown);

/** The question of the confirmation sheet. */
export function toolQuestion(tool: string, given?: unknown): string {
  const action = tool === "manage_app" && typeof given === "object" && given !== null && "action" in given ? find(MANAGING, String(given.action)) : undefined;
  return action ?? find(QUESTIONS, tool) ?? m.ask_tool({ tool: toolTitle(tool) });
}
/** What touching something does, in a few words. */
export const classText = (name: NodeClass): string => ofClass(name).does();
/** What kind of thing on a screen it is. */
export const roleText = (role: string): string => find(ROLES, role) ?? plain(visible(role));

/** Why a call is asked about. */
export function reasonText(reason: Reason): string {
  switch (reason.type) {
    case "mode":
      return m.reason_mode({ mode: modeName(reason.mode) });
    case "outside_high":
      return m.reason_outside_high();
    case "outside_acts":
      return m.reason_outside_acts();
    case "drive_app":
      return m.reason_drive_app({ app: visible(reason.name) });
    case "touches":
      return ofClass(reason.class).why();
    case "private_may_leave":
      return m.reason_private_may_leave();
  }
}

/** What a part of a shell command does. */
export const effectText = (kind: ShellEffectKind): string =>
  ({
    reads: m.risk_reads, writes: m.risk_writes, deletes: m.risk_deletes, network: m.risk_network, runs_code: m.risk_runs_code, privilege: m.risk_privilege,
    system: m.risk_system, unknown: m.risk_unknown,
  })[kind]();

/** How far a permission reaches. */
export const scopeText = (scope: AllowScope): string => ({ run: m.grant_run, conversation: m.grant_chat, always: m.grant_always })[scope]();
