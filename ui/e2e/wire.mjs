// SPDX-License-Identifier: Apache-2.0
// What a request says, in each protocol's own form. Written from the providers' documentation, not from Bailey's code.

const text = (parts, ...types) => (typeof parts === "string" ? parts : (parts ?? []).filter(({ type }) => types.includes(type)).map((part) => part.text).join(""));

function chat({ messages }) {
  return messages.flatMap((message) => {
    switch (message.role) {
      case "system":
      case "developer":
        return [];
      case "tool":
        return [{ role: "tool", id: message.tool_call_id, text: text(message.content, "text") }];
      case "assistant":
        return [{ role: "assistant", text: text(message.content, "text"), reasoning: message.reasoning_content ?? "", calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({ id, name, arguments: JSON.parse(args) })) }];
      default:
        return [{ role: "user", text: text(message.content, "text"), pictures: typeof message.content === "string" ? [] : message.content.filter(({ type }) => type === "image_url").map(({ image_url }) => image_url.url) }];
    }
  });
}

function responses({ input }) {
  const turns = [];
  const speaking = () => {
    if (turns.at(-1)?.role !== "assistant") turns.push({ role: "assistant", text: "", reasoning: "", calls: [] });
    return turns.at(-1);
  };
  for (const item of input) {
    if (item.type === "function_call") speaking().calls.push({ id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) });
    else if (item.type === "function_call_output") turns.push({ role: "tool", id: item.call_id, text: text(item.output, "output_text", "input_text") });
    else if (item.type === "reasoning") speaking().reasoning += (item.summary ?? []).map((part) => part.text).join("\n\n");
    else if (item.role === "assistant") speaking().text += text(item.content, "output_text");
    else if (item.role === "user") turns.push({ role: "user", text: text(item.content, "input_text"), pictures: typeof item.content === "string" ? [] : item.content.filter(({ type }) => type === "input_image").map(({ image_url }) => image_url) });
  }
  return turns;
}

function anthropic({ messages }) {
  return messages.flatMap(({ role, content }) => {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    if (role === "assistant")
      return [{ role, text: text(blocks, "text"), reasoning: blocks.filter(({ type }) => type === "thinking").map(({ thinking }) => thinking).join(""), calls: blocks.filter(({ type }) => type === "tool_use").map(({ id, name, input }) => ({ id, name, arguments: input })) }];
    const results = blocks.filter(({ type }) => type === "tool_result").map((block) => ({ role: "tool", id: block.tool_use_id, text: text(block.content, "text") }));
    const pictures = blocks.filter(({ type }) => type === "image").map(({ source }) => `data:${source.media_type};base64,${source.data}`);
    const said = text(blocks, "text");
    return [...results, ...(said || pictures.length > 0 ? [{ role: "user", text: said, pictures }] : [])];
  });
}

function gemini({ contents }) {
  let open = [];
  return contents.flatMap(({ role, parts }) => {
    const said = parts.filter((part) => typeof part.text === "string" && !part.thought).map((part) => part.text).join("");
    if (role === "model") {
      const calls = parts.filter(({ functionCall }) => functionCall).map(({ functionCall: { id, name, args } }, at) => ({ id: id ?? `#${at}`, name, arguments: args ?? {} }));
      open = calls.slice();
      return [{ role: "assistant", text: said, reasoning: parts.filter(({ thought }) => thought).map((part) => part.text).join(""), calls }];
    }
    const results = parts.filter(({ functionResponse }) => functionResponse).map(({ functionResponse: { id, name, response } }) => {
      // Without ids it is the order that counts.
      const at = id === undefined ? open.findIndex((call) => call.name === name) : open.findIndex((call) => call.id === id);
      const [call] = at < 0 ? [] : open.splice(at, 1);
      return { role: "tool", id: call?.id ?? id, text: Object.values(response).join("") };
    });
    const pictures = parts.filter(({ inlineData }) => inlineData).map(({ inlineData }) => `data:${inlineData.mimeType};base64,${inlineData.data}`);
    return [...results, ...(said || pictures.length > 0 ? [{ role: "user", text: said, pictures }] : [])];
  });
}

const READERS = { openai_chat: chat, openai_responses: responses, anthropic, gemini };

/** The protocols. */
export const KINDS = Object.keys(READERS);

/** The protocol of a path; `undefined` for one that is no request to a model. */
export function kindOf(method, path) {
  const { pathname } = new URL(path, "http://localhost");
  if (method !== "POST") return undefined;
  if (pathname.endsWith("/chat/completions")) return "openai_chat";
  if (pathname.endsWith("/responses")) return "openai_responses";
  if (pathname.endsWith("/messages")) return "anthropic";
  if (/:(?:streamGenerateContent|generateContent)$/.test(pathname)) return "gemini";
  return undefined;
}

/** The model a request asks. */
export const modelOf = (kind, path, body) => (kind === "gemini" ? decodeURIComponent(/models\/([^:]+):/.exec(path)[1]) : body.model);

/**
 * The history of a request in one form for all protocols: `{ role: "user", text, pictures }`, `{ role: "assistant", text,
 * reasoning, calls: [{ id, name, arguments }] }` and `{ role: "tool", id, text }`, in order. Pictures are data URLs.
 */
export const turnsOf = (kind, body) => READERS[kind](body);

/** What the person said last. */
export const lastSaid = (kind, body) => turnsOf(kind, body).findLast(({ role }) => role === "user")?.text ?? "";

/** The names of the tools a request offers. */
export const toolsOf = (kind, body) => (kind === "gemini" ? (body.tools ?? []).flatMap(({ functionDeclarations }) => functionDeclarations ?? []) : (body.tools ?? []).map((tool) => tool.function ?? tool)).map(({ name }) => name);
