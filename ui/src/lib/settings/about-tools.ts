// SPDX-License-Identifier: Apache-2.0
import { m } from "$lib/paraglide/messages.js";

const ABOUT: Record<string, () => string> = {
  get_time: m.tool_about_get_time,
  compute: m.tool_about_compute,
  plan_update: m.tool_about_plan_update,
  ask_user: m.tool_about_ask_user,
  memory_write: m.tool_about_memory_write,
  memory_search: m.tool_about_memory_search,
  file_write: m.tool_about_file_write,
  web_search: m.tool_about_web_search,
  web_read: m.tool_about_web_read,
  fetch_rss: m.tool_about_fetch_rss,
  get_weather: m.tool_about_get_weather,
  download_file: m.tool_about_download_file,
  spawn_agent: m.tool_about_spawn_agent,
  run_shell: m.tool_about_run_shell,
};

/** What a tool does; the registry's own description when nobody has translated it. */
export const toolAbout = (tool: string, description: string): string => (Object.hasOwn(ABOUT, tool) ? ABOUT[tool]!() : description);
