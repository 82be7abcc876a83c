// SPDX-License-Identifier: Apache-2.0
// Pictures of the tools on a device. Most chats do without them.
import AppWindow from "@lucide/svelte/icons/app-window";
import Bell from "@lucide/svelte/icons/bell";
import CalendarPlus from "@lucide/svelte/icons/calendar-plus";
import Camera from "@lucide/svelte/icons/camera";
import ChartBar from "@lucide/svelte/icons/chart-bar";
import ClipboardCopy from "@lucide/svelte/icons/clipboard-copy";
import ClipboardPaste from "@lucide/svelte/icons/clipboard-paste";
import Cog from "@lucide/svelte/icons/cog";
import Contact from "@lucide/svelte/icons/contact";
import Flashlight from "@lucide/svelte/icons/flashlight";
import LayoutGrid from "@lucide/svelte/icons/layout-grid";
import Mail from "@lucide/svelte/icons/mail";
import Music from "@lucide/svelte/icons/music";
import PackageMinus from "@lucide/svelte/icons/package-minus";
import Phone from "@lucide/svelte/icons/phone";
import PictureInPicture from "@lucide/svelte/icons/picture-in-picture";
import Pointer from "@lucide/svelte/icons/pointer";
import ScanText from "@lucide/svelte/icons/scan-text";
import Share2 from "@lucide/svelte/icons/share-2";
import Smartphone from "@lucide/svelte/icons/smartphone";
import Sun from "@lucide/svelte/icons/sun";
import Vibrate from "@lucide/svelte/icons/vibrate";
import Video from "@lucide/svelte/icons/video";
import Volume2 from "@lucide/svelte/icons/volume-2";
import Wifi from "@lucide/svelte/icons/wifi";
import type { Icon } from "./icons";

/** By the name of the tool. */
export const DEVICE_ICONS: Readonly<Record<string, Icon>> = {
  device_info: Smartphone, network_status: Wifi, list_installed_apps: LayoutGrid, get_app_usage: ChartBar, manage_app: PackageMinus, open_app: AppWindow,
  open_settings: Cog, open_dialer: Phone, set_volume: Volume2, set_brightness: Sun, set_flashlight: Flashlight, vibrate: Vibrate,
  media_control: Music, read_notifications: Bell, get_clipboard: ClipboardPaste, set_clipboard: ClipboardCopy, share_text: Share2, send_email: Mail,
  search_contacts: Contact, create_calendar_event: CalendarPlus, get_screen_state: ScanText, get_foreground_app: PictureInPicture, take_screenshot: Camera, ui_control: Pointer,
  screen_record: Video,
};
