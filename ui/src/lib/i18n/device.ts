// SPDX-License-Identifier: Apache-2.0
// Words for the tools on a device: their titles, what they read, and their arguments. See late.ts.
import { m } from "$lib/paraglide/messages.js";

type Words = Record<string, () => string>;
const TITLES: Words = {
  device_info: m.tool_device_info, network_status: m.tool_network_status, list_installed_apps: m.tool_list_installed_apps, get_app_usage: m.tool_get_app_usage, manage_app: m.tool_manage_app,
  open_app: m.tool_open_app, open_settings: m.tool_open_settings, open_dialer: m.tool_open_dialer, set_volume: m.tool_set_volume, set_brightness: m.tool_set_brightness,
  set_flashlight: m.tool_set_flashlight, vibrate: m.tool_vibrate, media_control: m.tool_media_control, read_notifications: m.tool_read_notifications, get_clipboard: m.tool_get_clipboard,
  set_clipboard: m.tool_set_clipboard, share_text: m.tool_share_text, send_email: m.tool_send_email, search_contacts: m.tool_search_contacts, create_calendar_event: m.tool_create_calendar_event,
  get_screen_state: m.tool_get_screen_state, get_foreground_app: m.tool_get_foreground_app, take_screenshot: m.tool_take_screenshot, ui_control: m.tool_ui_control, screen_record: m.tool_screen_record,
};
const SOURCES: Words = {
  read_notifications: m.source_notification, get_clipboard: m.source_clipboard, search_contacts: m.source_contacts, list_installed_apps: m.source_apps, get_app_usage: m.source_usage,
  screen: m.source_screen, get_screen_state: m.source_screen, get_foreground_app: m.source_screen, take_screenshot: m.source_screen, ui_control: m.source_screen, screen_record: m.source_recording,
};
const LABELS: Words = {
  app: m.arg_app, package: m.arg_package, action: m.arg_action, begin: m.arg_begin, end: m.arg_end, notes: m.arg_notes, remind_minutes: m.arg_remind_minutes, cc: m.arg_cc, screen: m.arg_page,
  number: m.arg_number, percent: m.arg_percent, stream: m.arg_stream, on: m.arg_on, duration_ms: m.arg_duration_ms, duration_s: m.arg_duration_s, key: m.arg_key, handle: m.arg_handle, target: m.arg_handle,
  direction: m.arg_direction,
};
const find = (words: Words, key: string): string | undefined => (Object.hasOwn(words, key) ? words[key]!() : undefined);

/** The tools that have words here. */
export const DEVICE_TOOLS: readonly string[] = Object.keys(TITLES);

/** What a tool is called; `undefined` for one that has no words here. */
export const toolTitle = (tool: string): string | undefined => find(TITLES, tool);
/** Where a labelled text came from. */
export const sourceName = (tool: string): string | undefined => find(SOURCES, tool);
/** The label of an argument. */
export const argumentLabel = (name: string): string | undefined => find(LABELS, name);
