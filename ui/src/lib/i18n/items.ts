// SPDX-License-Identifier: Apache-2.0
// Names for what a provider does by itself. What nobody here knows keeps the provider's own name.
import { m } from "$lib/paraglide/messages.js";

const TITLES = {
  search: m.item_search, fetch: m.item_fetch, code: m.item_code, files: m.item_files, image: m.item_image, remote: m.item_remote, remote_list: m.item_remote_list,
  remote_asks: m.item_remote_asks, tools: m.item_tools, compaction: m.item_compaction, shell: m.item_shell, patch: m.item_patch, memory: m.item_memory,
  computer: m.item_computer, program: m.item_program, advisor: m.item_advisor, custom: m.item_custom, sources: m.item_sources, container: m.item_container, hidden: m.item_hidden,
} as const;
type Title = keyof typeof TITLES;

/** What the providers call these, without the endings of a call and of its result. */
const KINDS: Readonly<Record<string, Title>> = {
  web_search: "search", web_search_preview: "search", x_search: "search", google_search: "search", browser_search: "search", search: "search", view_image: "image", view_x_video: "search",
  web_fetch: "fetch", url_context: "fetch", url_context_metadata: "fetch", browse_page: "fetch", visit_website: "fetch",
  code_execution: "code", code_interpreter: "code", bash_code_execution: "code", text_editor_code_execution: "code", executable_code: "code",
  file_search: "files", collections_search: "files", attachment_search: "files", retrieval: "files",
  image_generation: "image", inline_data: "image",
  mcp: "remote", mcp_tool_use: "remote", mcp_tool: "remote", mcp_list_tools: "remote_list", mcp_approval_request: "remote_asks", mcp_approval_response: "remote_asks",
  tool_search: "tools", tool_search_tool: "tools", tool_search_tool_regex: "tools", tool_search_tool_bm25: "tools",
  compaction: "compaction", compaction_summary: "compaction", context_compaction: "compaction", context_management: "compaction",
  shell: "shell", local_shell: "shell", bash: "shell",
  apply_patch: "patch", text_editor: "patch", str_replace_based_edit_tool: "patch",
  memory: "memory", computer: "computer", program: "program", advisor: "advisor", custom_tool: "custom",
  grounding_metadata: "sources", citation: "sources", citations: "sources", citation_metadata: "sources", annotations: "sources",
  container_upload: "container", container: "container",
  redacted_thinking: "hidden", encrypted_reasoning: "hidden", reasoning_encrypted: "hidden",
};

/** How the kinds of calls and of their results end. */
const ENDING = /_(?:call_output|tool_result|result|output|call)$/;

/** All kinds that have a name of ours. */
export const KNOWN_ITEMS: readonly string[] = Object.keys(KINDS);

function known(name: string): Title | undefined {
  const snake = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  const bare = snake.replace(ENDING, "");
  return [snake, bare].map((key) => (Object.hasOwn(KINDS, key) ? KINDS[key] : undefined)).find((title) => title !== undefined);
}

/** Whether an item is what came out of something, not its beginning. */
export const isResult = (kind: string): boolean => /(?:result|output)$/i.test(kind);

/** The title of an item in the person's language; `undefined` for a kind nobody here knows. */
export function itemTitle(kind: string, data?: unknown): string | undefined {
  // Anthropic's server tools share one kind; their name tells them apart.
  const named = typeof data === "object" && data !== null && "name" in data && typeof data.name === "string" ? data.name : undefined;
  const title = (/^server_tool_use$/i.test(kind) && named ? known(named) : undefined) ?? known(kind);
  if (!title) return undefined;
  return isResult(kind) ? m.item_result({ title: TITLES[title]() }) : TITLES[title]();
}
