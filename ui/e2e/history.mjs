// SPDX-License-Identifier: Apache-2.0
// The rules by which providers refuse a request, each protocol's own, as documented by them.

const object = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const filled = (value) => typeof value === "string" && value.trim() !== "";
const PICTURE = /^data:image\/(?:jpeg|png|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

function json(value) {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Collects what is wrong. */
class Report {
  wrong = [];

  must(holds, what) {
    if (!holds) this.wrong.push(what);
    return Boolean(holds);
  }

  /** A list of tools that is there has tools, each with its own name and a schema of an object. */
  tools(tools, parts) {
    if (tools === undefined) return;
    this.must(Array.isArray(tools) && tools.length > 0, "the list of tools is empty");
    const names = new Set();
    for (const tool of tools ?? []) {
      const { name, schema } = parts(tool);
      this.must(NAME.test(name ?? ""), `a tool is called ${JSON.stringify(name)}`);
      this.must(!names.has(name), `the tool ${name} is declared twice`);
      this.must(schema === undefined || (object(schema) && String(schema.type).toLowerCase() === "object"), `the schema of ${name} is not that of an object`);
      names.add(name);
    }
  }
}

/** Calls that wait for their one result. */
class Open {
  #ids = new Set();
  #seen = new Set();

  constructor(report) {
    this.report = report;
  }

  call(id, where, pattern = /./) {
    this.report.must(pattern.test(id ?? ""), `${where}: the call's id is ${JSON.stringify(id)}`);
    this.report.must(!this.#seen.has(id), `${where}: the id ${id} is used twice`);
    this.#seen.add(id);
    this.#ids.add(id);
  }

  result(id, where) {
    this.report.must(this.#ids.delete(id), `${where}: the result ${id} belongs to no open call`);
  }

  none(where) {
    for (const id of this.#ids) this.report.must(false, `${where}: the call ${id} has no result`);
    this.#ids.clear();
  }
}

function chat(body, report) {
  const open = new Open(report);
  const { messages } = body;
  if (!report.must(Array.isArray(messages) && messages.length > 0, "there are no messages")) return;
  let spoken = false;
  messages.forEach((message, at) => {
    const where = `messages[${at}]`;
    if (message.role !== "tool") open.none(where);
    switch (message.role) {
      case "system":
      case "developer":
        report.must(!spoken, `${where}: the system speaks in the middle`);
        report.must(filled(message.content), `${where}: no content`);
        return;
      case "user":
        if (Array.isArray(message.content)) {
          report.must(message.content.length > 0, `${where}: no content`);
          for (const part of message.content)
            report.must(part.type === "text" ? filled(part.text) : part.type === "image_url" && PICTURE.test(part.image_url?.url), `${where}: a part ${part.type} without content`);
        } else report.must(filled(message.content), `${where}: no content`);
        report.must(messages[at - 1]?.role !== "user", `${where}: the user speaks twice`);
        // Mistral and others.
        report.must(messages[at - 1]?.role !== "tool", `${where}: the user speaks right after a result`);
        break;
      case "assistant":
        report.must(filled(message.content) || message.tool_calls?.length > 0, `${where}: neither content nor calls`);
        report.must(message.tool_calls === undefined || message.tool_calls.length > 0, `${where}: the list of calls is empty`);
        report.must(spoken, `${where}: the assistant speaks first`);
        for (const call of message.tool_calls ?? []) {
          open.call(call.id, where);
          report.must(call.type === "function" && NAME.test(call.function?.name ?? ""), `${where}: a call without a name`);
          report.must(object(json(call.function?.arguments)), `${where}: arguments that are no object: ${call.function?.arguments}`);
        }
        break;
      case "tool":
        open.result(message.tool_call_id, where);
        report.must(filled(message.content) || message.content?.length > 0, `${where}: a result without content`);
        break;
      default:
        report.must(false, `${where}: the role ${message.role}`);
    }
    spoken = true;
  });
  open.none("the end");
  report.must(["user", "tool"].includes(messages.at(-1).role), "the last word is not the user's or a tool's");
  report.tools(body.tools, (tool) => ({ name: tool.function?.name, schema: tool.function?.parameters }));
}

function responses(body, report) {
  const open = new Open(report);
  const { input } = body;
  if (!report.must(Array.isArray(input) && input.length > 0, "there is no input")) return;
  report.must(body.store === false, "the answer would be kept");
  input.forEach((item, at) => {
    const where = `input[${at}]`;
    const next = input[at + 1];
    switch (item.type ?? "message") {
      case "message": {
        const parts = typeof item.content === "string" ? [{ type: item.role === "assistant" ? "output_text" : "input_text", text: item.content }] : (item.content ?? []);
        report.must(parts.length > 0, `${where}: no content`);
        for (const part of parts)
          if (item.role === "assistant") report.must((part.type === "output_text" && filled(part.text)) || (part.type === "refusal" && filled(part.refusal)), `${where}: a part ${part.type} without content`);
          else report.must((part.type === "input_text" && filled(part.text)) || (part.type === "input_image" && PICTURE.test(part.image_url)), `${where}: a part ${part.type} without content`);
        if (item.role !== "assistant") open.none(where);
        report.must(["user", "assistant"].includes(item.role), `${where}: the role ${item.role}`);
        break;
      }
      case "function_call":
        open.call(item.call_id, where, /^.{1,64}$/);
        report.must(NAME.test(item.name ?? ""), `${where}: a call without a name`);
        report.must(object(json(item.arguments)), `${where}: arguments that are no object: ${item.arguments}`);
        break;
      case "function_call_output":
        open.result(item.call_id, where);
        report.must(filled(item.output) || item.output?.length > 0, `${where}: a result without content`);
        break;
      case "reasoning":
        report.must(filled(item.encrypted_content), `${where}: reasoning that only the provider's store could hold`);
        report.must(Array.isArray(item.summary), `${where}: reasoning without a summary`);
        report.must(next && next.role !== "user" && next.type !== "function_call_output", `${where}: reasoning without what came of it`);
        break;
    }
  });
  open.none("the end");
  const last = input.at(-1);
  report.must(last.role === "user" || last.type === "function_call_output", "the last word is not the user's or a tool's");
  report.must(body.max_output_tokens === undefined || body.max_output_tokens >= 16, "fewer than 16 tokens of output");
  report.tools(body.tools, (tool) => ({ name: tool.name, schema: tool.parameters }));
}

function anthropic(body, report) {
  const open = new Open(report);
  const { messages, thinking } = body;
  report.must(Number.isInteger(body.max_tokens) && body.max_tokens > 0, "max_tokens is missing");
  if (thinking?.type === "enabled") report.must(thinking.budget_tokens >= 1024 && thinking.budget_tokens < body.max_tokens, `the budget of thinking ${thinking.budget_tokens} does not fit into ${body.max_tokens}`);
  if (!report.must(Array.isArray(messages) && messages.length > 0, "there are no messages")) return;
  let marks = JSON.stringify([body.system ?? "", body.tools ?? []]).split('"cache_control"').length - 1;
  messages.forEach(({ role, content }, at) => {
    const where = `messages[${at}]`;
    report.must(role === (at % 2 === 0 ? "user" : "assistant"), `${where}: the role ${role}`);
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
    report.must(blocks.length > 0, `${where}: no content`);
    marks += blocks.filter(({ cache_control }) => cache_control).length;
    let results = true;
    blocks.forEach((block) => {
      if (block.type !== "tool_result") {
        // All results stand before anything else.
        if (role === "user") open.none(where);
        results = false;
      }
      switch (block.type) {
        case "text":
          report.must(filled(block.text), `${where}: a text without text`);
          break;
        case "image":
          report.must(role === "user" && block.source?.type === "base64" && PICTURE.test(`data:${block.source.media_type};base64,${block.source.data}`), `${where}: a picture that is none`);
          break;
        case "tool_use":
          open.call(block.id, where, /^[A-Za-z0-9_-]+$/);
          report.must(role === "assistant" && NAME.test(block.name ?? "") && object(block.input), `${where}: a call that is none`);
          break;
        case "tool_result":
          report.must(role === "user" && results, `${where}: a result that is not first`);
          open.result(block.tool_use_id, where);
          break;
        case "thinking":
          report.must(role === "assistant" && filled(block.signature), `${where}: thinking without a signature`);
          break;
        case "redacted_thinking":
          report.must(role === "assistant" && filled(block.data), `${where}: hidden thinking without content`);
          break;
      }
    });
    if (role === "user") open.none(where);
    else {
      report.must(!["thinking", "redacted_thinking"].includes(blocks.at(-1)?.type), `${where}: thinking is the last block`);
      const goesOn = blocks.some(({ type }) => type === "tool_use");
      if (goesOn && thinking?.type === "enabled" && !messages.slice(at + 1).some((later) => later.role === "user" && !(Array.isArray(later.content) && later.content.some(({ type }) => type === "tool_result"))))
        report.must(["thinking", "redacted_thinking"].includes(blocks[0].type), `${where}: the turn that goes on does not begin with thinking`);
    }
  });
  open.none("the end");
  report.must(messages.at(-1).role === "user", "the last word is not the user's");
  report.must(marks <= 4, `${marks} marks for the cache`);
  report.tools(body.tools, (tool) => ({ name: tool.name, schema: tool.input_schema }));
}

const GEMINI_PARTS = ["text", "inlineData", "functionCall", "functionResponse", "executableCode", "codeExecutionResult", "fileData"];
const GEMINI_SCHEMA = new Set(["type", "format", "title", "description", "nullable", "enum", "items", "maxItems", "minItems", "properties", "required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering", "default", "minimum", "maximum"]);

/** Names in a schema that Gemini's own subset does not have. */
function beyond(schema, at = "") {
  if (!object(schema)) return [];
  const own = Object.keys(schema).filter((key) => !GEMINI_SCHEMA.has(key)).map((key) => `${at}${key}`);
  const types = Array.isArray(schema.type) ? [`${at}type is a list`] : [];
  const inner = [...Object.entries(schema.properties ?? {}).map(([key, value]) => beyond(value, `${at}${key}.`)), beyond(schema.items, `${at}[].`), ...(schema.anyOf ?? []).map((value) => beyond(value, `${at}|.`))];
  return [...own, ...types, ...inner.flat()];
}

function gemini(body, report, path) {
  const { contents } = body;
  report.must(!/[?&]key=/.test(path), "the key is in the address");
  if (!report.must(Array.isArray(contents) && contents.length > 0, "there are no contents")) return;
  const latest = contents.findLastIndex(({ role, parts }) => role === "user" && parts.some((part) => part.text !== undefined || part.inlineData));
  contents.forEach(({ role, parts }, at) => {
    const where = `contents[${at}]`;
    report.must(["user", "model"].includes(role), `${where}: the role ${role}`);
    if (!report.must(Array.isArray(parts) && parts.length > 0, `${where}: no parts`)) return;
    for (const part of parts) {
      const holds = GEMINI_PARTS.filter((name) => part[name] !== undefined);
      report.must(holds.length === 1, `${where}: a part with ${holds.length} contents: ${Object.keys(part)}`);
      if (part.text !== undefined) report.must(filled(part.text) || part.thoughtSignature, `${where}: a text without text`);
      if (part.inlineData) report.must(role === "user" && PICTURE.test(`data:${part.inlineData.mimeType};base64,${part.inlineData.data}`), `${where}: a picture that is none`);
      if (part.functionCall) report.must(role === "model" && filled(part.functionCall.name) && (part.functionCall.args === undefined || object(part.functionCall.args)), `${where}: a call that is none`);
      if (part.functionResponse) report.must(role === "user" && object(part.functionResponse.response), `${where}: a result that is no object`);
    }
    const calls = parts.filter(({ functionCall }) => functionCall);
    const next = contents[at + 1];
    const results = (next?.role === "user" ? next.parts : []).filter(({ functionResponse }) => functionResponse);
    if (calls.length > 0) {
      const names = (list, key) => list.map((part) => part[key].name).join();
      report.must(names(calls, "functionCall") === names(results, "functionResponse"), `${where}: the calls ${names(calls, "functionCall")} have the results ${names(results, "functionResponse")}`);
      const ids = (list, key) => list.map((part) => part[key].id).join();
      if (calls.every(({ functionCall }) => functionCall.id)) report.must(ids(calls, "functionCall") === ids(results, "functionResponse"), `${where}: the ids of the results are not those of the calls`);
      // Gemini 3 wants the signature of each step of the turn that goes on.
      if (/gemini-3/.test(path) && at > latest) report.must(filled(calls[0].thoughtSignature), `${where}: the first call of a step has no signature`);
    }
    if (parts.some(({ functionResponse }) => functionResponse)) report.must(contents[at - 1]?.role === "model" && contents[at - 1].parts.some(({ functionCall }) => functionCall), `${where}: a result without a call`);
  });
  report.must(contents[0].role === "user", "the model speaks first");
  report.must(contents.at(-1).role === "user", "the last word is not the user's or a tool's");
  for (const tool of body.tools ?? []) {
    report.tools(tool.functionDeclarations, ({ name, parameters }) => ({ name, schema: parameters }));
    for (const { name, parameters } of tool.functionDeclarations ?? []) for (const key of beyond(parameters)) report.must(false, `the schema of ${name} holds ${key}`);
  }
}

const RULES = { openai_chat: chat, openai_responses: responses, anthropic, gemini };

/** What a provider of this protocol would refuse in a request: nothing, when all is well. */
export function violations(kind, body, path = "") {
  const report = new Report();
  RULES[kind](body, report, path);
  return report.wrong;
}
