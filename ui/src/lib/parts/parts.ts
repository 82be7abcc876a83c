// SPDX-License-Identifier: Apache-2.0
// Parts of the chat that not every chat needs.
import { later } from "./later.svelte";

/** Names of what a provider does by itself. */
export const itemTitles = later(async () => ({ default: (await import("$lib/i18n/items")).itemTitle }));
/** Pictures of the tools on a device. */
export const deviceIcons = later(async () => ({ default: (await import("$lib/chat/device-icons")).DEVICE_ICONS }));
/** A card of something the provider did. */
export const itemCard = later(() => import("$lib/chat/ItemCard.svelte"));
/** The pictures of a message that is being written. */
export const tray = later(() => import("$lib/chat/Tray.svelte"));
/** The models to choose from. */
export const modelList = later(() => import("$lib/chat/ModelList.svelte"));
/** The field that opens the keys. */
export const unlock = later(() => import("./Unlock.svelte"));
/** A picture, large. */
export const viewer = later(() => import("$lib/pictures/Viewer.svelte"));
/** What is asked, and its answers. */
export const askSheets = later(() => import("$lib/ask/Asks.svelte"));
/** A summary that stands for what was said before. */
export const summaryCard = later(() => import("$lib/chat/SummaryCard.svelte"));
/** What stands above and below a sub-agent's chat. */
export const agentChat = later(() => import("$lib/chat/AgentChat.svelte"));
