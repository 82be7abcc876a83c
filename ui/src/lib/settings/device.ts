// SPDX-License-Identifier: Apache-2.0
// What is said of the device's channels and permissions.
import type { Channel, ChannelState, DeviceView, Fault } from "$lib/backend/bindings";
import { plain } from "$lib/i18n/words";
import { m } from "$lib/paraglide/messages.js";

type Line = () => string;
/** What is the matter, and how to mend it. */
export interface Trouble {
  fault: string;
  mend: string;
}

const CHANNELS: Readonly<Record<Channel, readonly [name: Line, line: Line]>> = {
  accessibility: [m.channel_accessibility, m.channel_accessibility_line],
  projection: [m.channel_projection, m.channel_projection_line],
  shizuku: [m.channel_shizuku, m.channel_shizuku_line],
  device: [m.channel_device, m.channel_device_line],
  lifecycle: [m.channel_lifecycle, m.channel_lifecycle_line],
};
const PERMISSIONS: Readonly<Record<string, readonly [name: Line, line: Line]>> = {
  contacts: [m.permission_contacts, m.permission_contacts_line],
  calendar: [m.permission_calendar, m.permission_calendar_line],
  location: [m.permission_location, m.permission_location_line],
  notifications: [m.permission_notifications, m.permission_notifications_line],
  notification_access: [m.permission_notification_access, m.permission_notification_access_line],
  usage: [m.permission_usage, m.permission_usage_line],
  write_settings: [m.permission_write_settings, m.permission_write_settings_line],
  accessibility: CHANNELS.accessibility,
};

/** What a channel is called. */
export const channelName = (channel: Channel): string => (Object.hasOwn(CHANNELS, channel) ? CHANNELS[channel][0]() : plain(channel));
/** What a channel is for. */
export const channelLine = (channel: Channel): string => (Object.hasOwn(CHANNELS, channel) ? CHANNELS[channel][1]() : "");
/** What a permission is called. */
export const permissionName = (name: string): string => (Object.hasOwn(PERMISSIONS, name) ? PERMISSIONS[name]![0]() : plain(name));
/** What a permission is for; empty for one nobody here knows. */
export const permissionLine = (name: string): string => (Object.hasOwn(PERMISSIONS, name) ? PERMISSIONS[name]![1]() : "");

/** What holds for every channel. Some faults never keep a channel from working; should one all the same, it failed. */
const FAULTS: Readonly<Record<Fault, readonly [fault: Line, mend: Line]>> = {
  not_granted: [m.fault_not_granted, m.mend_not_granted],
  not_bound: [m.fault_not_bound, m.mend_failed],
  not_answering: [m.fault_not_answering, m.mend_failed],
  not_running: [m.fault_not_running, m.mend_failed],
  secure_window: [m.fault_secure_window, m.mend_secure_window],
  timed_out: [m.fault_slow, m.mend_slow],
  rate_limited: [m.fault_slow, m.mend_slow],
  unsupported: [m.fault_unsupported, m.mend_unsupported],
  refused: [m.fault_refused, m.mend_refused],
  not_found: [m.fault_failed, m.mend_failed],
  changed: [m.fault_failed, m.mend_failed],
  password: [m.fault_failed, m.mend_failed],
  declined: [m.fault_declined, m.mend_declined],
  locked: [m.fault_locked, m.mend_locked],
  busy: [m.fault_busy, m.mend_busy],
  too_large: [m.fault_failed, m.mend_failed],
  invalid: [m.fault_failed, m.mend_failed],
  failed: [m.fault_failed, m.mend_failed],
};
/** What is mended in a way of its own. */
const OWN: Readonly<Partial<Record<Channel, Readonly<Partial<Record<Fault, readonly [fault: Line, mend: Line]>>>>>> = {
  accessibility: {
    not_granted: [m.fault_accessibility_not_granted, m.mend_accessibility_not_granted],
    not_bound: [m.fault_not_bound, m.mend_accessibility_again],
    not_answering: [m.fault_not_answering, m.mend_accessibility_again],
  },
  projection: {
    not_granted: [m.fault_projection_not_granted, m.mend_projection_not_granted],
    not_bound: [m.fault_not_bound, m.mend_projection_again],
    not_answering: [m.fault_not_answering, m.mend_projection_again],
  },
  shizuku: {
    not_granted: [m.fault_shizuku_not_granted, m.mend_shizuku_not_granted],
    not_running: [m.fault_shizuku_not_running, m.mend_shizuku_not_running],
    not_bound: [m.fault_not_bound, m.mend_shizuku_again],
    not_answering: [m.fault_not_answering, m.mend_shizuku_again],
  },
};

/** How a channel stands on the whole. */
export type Standing = "works" | "off" | "trouble";

/** The first of the three that does not hold, where nothing else is said to stand in the way. */
const missing = ({ granted, bound }: ChannelState): Fault => (!granted ? "not_granted" : bound ? "not_answering" : "not_bound");
const works = ({ granted, bound, answering, fault }: ChannelState): boolean => granted && bound && answering && fault === undefined;

/** What a channel lacks that nobody has set up so far. */
const NOT_SET_UP: ReadonlySet<Fault> = new Set<Fault>(["not_granted", "not_running", "declined", "unsupported"]);

/** Whether a channel works, is simply not set up, or does not do what it should. */
export function standing(state: ChannelState): Standing {
  if (works(state)) return "works";
  return !state.granted && NOT_SET_UP.has(state.fault ?? missing(state)) ? "off" : "trouble";
}

/** What keeps a channel from working; `undefined` when nothing does. */
export function trouble(channel: Channel, state: ChannelState): Trouble | undefined {
  if (works(state)) return undefined;
  const fault = state.fault ?? missing(state);
  const words = OWN[channel]?.[fault] ?? (Object.hasOwn(FAULTS, fault) ? FAULTS[fault] : FAULTS.failed);
  return { fault: words[0](), mend: words[1]() };
}

/** Whether asking the person again can help. What is not running or not supported can't be granted. */
export function canAsk(channel: Channel, state: ChannelState): boolean {
  const fault = state.fault ?? (works(state) ? undefined : missing(state));
  if (fault === "not_granted" || fault === "declined") return true;
  // A capture ends by itself, and is then allowed anew.
  return channel === "projection" && (fault === "not_bound" || fault === "not_answering");
}

/** The permissions that no channel stands for. */
export const ordinary = ({ channels, permissions }: DeviceView): [name: string, granted: boolean][] =>
  Object.entries(permissions).filter(([name]) => !channels.some(({ channel }) => channel === name));

/** Whether a switch is off that Android may hold back in an app from elsewhere than a store. */
export const mayBeRestricted = ({ channels, permissions }: DeviceView): boolean =>
  channels.some(({ channel, state }) => channel === "accessibility" && !state.granted && state.fault !== "unsupported") || permissions.accessibility === false || permissions.notification_access === false;
