// SPDX-License-Identifier: Apache-2.0
// What recorded streams say, taken from them in the plainest way by the providers' documentation: a second opinion, in
// another language, that shares nothing with the decoders. Any Node from 18 on runs it; it needs no package.
//
//   node independent.mjs PROTOCOL=FILE…      PROTOCOL: chat, responses, anthropic or gemini
//
// A file holds one JSON event a line; some hold the events of several answers in a row. Printed is a JSON list with one
// entry a file: a list with one entry an answer,
//   { text, reasoning, calls: [{ name, arguments }], usage: { input, cached, cache_write, output, reasoning } | null,
//     finish: "stop" | "calls" | "length" | "refused" | null, items: [{ kind, data }…] }
// where an item is anything that is neither text nor reasoning nor a call of the client's tools, whole.
import { readFileSync } from "node:fs";

const count = (value) => (Number.isInteger(value) && value >= 0 ? value : 0);
const parsed = (text) => (text.trim() === "" ? {} : JSON.parse(text));
const empty = () => ({ text: "", reasoning: "", calls: [], usage: null, finish: null, items: [] });

/** A line's event. Two recordings lost their last brace. */
function event(line) {
  try {
    return JSON.parse(line);
  } catch {
    return JSON.parse(`${line}}`);
  }
}

/** Events in the answers they belong to: an answer ends where the next one opens after the last was closed. */
function answers(events, opens, closes) {
  const all = [[]];
  let closed = false;
  for (const one of events) {
    if (closed && opens(one)) all.push([]);
    closed = closes(one) || (closed && !opens(one));
    all.at(-1).push(one);
  }
  return all;
}

function chat(events) {
  const said = empty();
  const calls = new Map();
  const notes = [];
  for (const one of events) {
    const usage = one.usage ?? one.x_groq?.usage;
    if (usage) {
      const thought = count(usage.completion_tokens_details?.reasoning_tokens);
      said.usage = {
        input: count(usage.prompt_tokens),
        cached: count(usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens),
        cache_write: 0,
        // Some count reasoning beside the answer, some in it: the total tells.
        output: count(usage.total_tokens) - count(usage.prompt_tokens),
        reasoning: thought,
      };
    }
    const choice = one.choices?.[0];
    if (!choice) continue;
    const delta = choice.delta ?? {};
    said.reasoning += delta.reasoning_content ?? delta.reasoning ?? "";
    if (Array.isArray(delta.content)) {
      for (const part of delta.content) {
        if (part.type === "text") said.text += part.text;
        else if (part.type === "thinking") for (const thought of part.thinking) said.reasoning += thought.text;
        else said.items.push({ kind: part.type, data: part });
      }
    } else said.text += delta.content ?? "";
    notes.push(...(delta.annotations ?? []));
    for (const part of delta.tool_calls ?? []) {
      const call = calls.get(part.index) ?? { name: "", text: "" };
      calls.set(part.index, call);
      call.name += part.function?.name ?? "";
      call.text += part.function?.arguments ?? "";
    }
    const reasons = { stop: "stop", tool_calls: "calls", length: "length", content_filter: "refused" };
    if (choice.finish_reason) said.finish = reasons[choice.finish_reason];
  }
  if (notes.length > 0) said.items.push({ kind: "citations", data: notes });
  said.calls = [...calls].sort(([a], [b]) => a - b).map(([, { name, text }]) => ({ name, arguments: parsed(text) }));
  return [said];
}

function anthropic(events) {
  return answers(events, (one) => one.type === "message_start", (one) => one.type === "message_stop").map((events) => {
    let said = empty();
    let blocks = new Map();
    let usage = null;
    /** A block is whole: at its end, or in a message that was whole when it came. */
    const close = (block, json) => {
      const { type } = block;
      if (json) block.input = parsed(json);
      if (type === "tool_use") said.calls.push({ name: block.name, arguments: block.input });
      else if (!["text", "thinking", "redacted_thinking"].includes(type)) said.items.push({ kind: type, data: block });
      if (type === "text" && block.citations?.length > 0) said.items.push({ kind: "citations", data: block.citations });
    };
    for (const one of events) {
      if (one.type === "message_start") {
        // A message that begins anew: the one before it was given up, and what it said with it.
        said = empty();
        blocks = new Map();
        usage = { ...one.message.usage };
        for (const block of one.message.content) {
          said.text += block.text ?? "";
          said.reasoning += block.thinking ?? "";
          close(block, "");
        }
        if (one.message.stop_reason) said.finish = one.message.stop_reason;
      } else if (one.type === "content_block_start") {
        blocks.set(one.index, { block: { ...one.content_block }, json: "" });
        said.text += one.content_block.type === "text" ? one.content_block.text : "";
        said.reasoning += one.content_block.type === "thinking" ? one.content_block.thinking : "";
      } else if (one.type === "content_block_delta") {
        const open = blocks.get(one.index);
        if (one.delta.type === "text_delta") said.text += one.delta.text;
        if (one.delta.type === "thinking_delta") said.reasoning += one.delta.thinking;
        if (one.delta.type === "input_json_delta") open.json += one.delta.partial_json;
        if (one.delta.type === "citations_delta") (open.block.citations ??= []).push(one.delta.citation);
        if (one.delta.type === "compaction_delta") open.block.content = one.delta.content;
      } else if (one.type === "content_block_stop") {
        const { block, json } = blocks.get(one.index);
        blocks.delete(one.index);
        close(block, json);
      } else if (one.type === "message_delta") {
        // Later counts are of the whole message.
        Object.assign(usage, Object.fromEntries(Object.entries(one.usage ?? {}).filter(([, value]) => value !== null)));
        if (one.delta.stop_reason) said.finish = one.delta.stop_reason;
        if (one.delta.stop_details) said.items.push({ kind: "stop_details", data: one.delta.stop_details });
      }
    }
    const cached = count(usage.cache_read_input_tokens);
    const written = count(usage.cache_creation_input_tokens);
    said.usage = { input: count(usage.input_tokens) + cached + written, cached, cache_write: written, output: count(usage.output_tokens), reasoning: 0 };
    const reasons = { end_turn: "stop", stop_sequence: "stop", pause_turn: "stop", compaction: "stop", tool_use: "calls", max_tokens: "length", refusal: "refused" };
    said.finish = reasons[said.finish];
    return said;
  });
}

function responses(events) {
  const closes = (one) => ["response.completed", "response.incomplete", "response.failed"].includes(one.type);
  return answers(events, (one) => one.type === "response.created", closes).map((events) => {
    const said = empty();
    const calls = [];
    for (const one of events) {
      if (one.type === "response.reasoning_summary_text.delta" || one.type === "response.reasoning_text.delta") said.reasoning += one.delta;
      if (one.type === "response.output_item.done") {
        const { item } = one;
        if (item.type === "function_call") calls.push({ at: one.output_index, name: item.name, arguments: parsed(item.arguments) });
        else if (item.type === "message") {
          for (const { text, refusal, annotations } of item.content) {
            // Not from the deltas: two recordings lost most of them. Messages are paragraphs.
            const words = text ?? refusal ?? "";
            said.text += (said.text === "" || words === "" ? "" : "\n\n") + words;
            if (annotations?.length > 0) said.items.push({ kind: "citations", data: annotations });
          }
        } else if (item.type !== "reasoning") said.items.push({ kind: item.type, data: item });
      }
      if (closes(one)) {
        const { usage, status, incomplete_details: why } = one.response;
        said.usage = usage && {
          input: count(usage.input_tokens),
          cached: count(usage.input_tokens_details?.cached_tokens),
          cache_write: 0,
          output: count(usage.output_tokens),
          reasoning: count(usage.output_tokens_details?.reasoning_tokens),
        };
        said.finish = status === "completed" ? "stop" : why?.reason === "max_output_tokens" ? "length" : "refused";
      }
    }
    for (const { name, arguments: given } of calls.sort((a, b) => a.at - b.at)) {
      // Several calls that the model wrapped into one.
      const wrapped = /^(multi_tool_use[._])?parallel$/.test(name) && Array.isArray(given.tool_uses);
      if (wrapped) said.calls.push(...given.tool_uses.map((use) => ({ name: use.recipient_name.replace(/^functions\./, ""), arguments: use.parameters })));
      else said.calls.push({ name, arguments: given });
    }
    if (said.calls.length > 0 && said.finish === "stop") said.finish = "calls";
    return said;
  });
}

/** Puts a value where a path like `$.a.b[2]['c']` says; text that is there already goes on. */
function put(root, path, value, goesOn) {
  const keys = [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]/g)].map(([, name, index, quoted]) => (index === undefined ? (name ?? quoted) : Number(index)));
  let at = root;
  keys.forEach((key, depth) => {
    if (depth < keys.length - 1) at = at[key] ??= typeof keys[depth + 1] === "number" ? [] : {};
    else if (goesOn && typeof at[key] === "string") at[key] += value;
    else at[key] = value;
  });
}

function gemini(events) {
  const said = empty();
  /** The call whose arguments are still coming, and the path whose text is. */
  let open = null;
  let path = null;
  for (const one of events) {
    const candidate = one.candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) {
      if (part.text !== undefined) said[part.thought ? "reasoning" : "text"] += part.text;
      else if (part.functionCall) {
        const { name, args, partialArgs, willContinue } = part.functionCall;
        if (name) {
          open = { name, arguments: args ?? {} };
          said.calls.push(open);
        }
        for (const piece of partialArgs ?? []) {
          const value = piece.stringValue ?? piece.numberValue ?? piece.boolValue ?? null;
          put(open.arguments, piece.jsonPath, value, piece.jsonPath === path);
          path = piece.willContinue ? piece.jsonPath : null;
        }
        if (!willContinue) open = null;
      } else if (!part.thoughtSignature || Object.keys(part).length > 1) {
        const kind = Object.keys(part).find((key) => key !== "thoughtSignature");
        said.items.push({ kind, data: part[kind] });
      }
    }
    if (candidate?.groundingMetadata) said.items.push({ kind: "groundingMetadata", data: candidate.groundingMetadata });
    if (candidate?.finishReason) said.finish = { STOP: "stop", MAX_TOKENS: "length" }[candidate.finishReason] ?? "refused";
    const usage = one.usageMetadata;
    if (usage?.totalTokenCount !== undefined)
      said.usage = {
        input: count(usage.promptTokenCount) + count(usage.toolUsePromptTokenCount),
        cached: count(usage.cachedContentTokenCount),
        cache_write: 0,
        output: count(usage.candidatesTokenCount) + count(usage.thoughtsTokenCount),
        reasoning: count(usage.thoughtsTokenCount),
      };
  }
  if (said.calls.length > 0 && said.finish === "stop") said.finish = "calls";
  return [said];
}

const protocols = { chat, responses, anthropic, gemini };
const all = process.argv.slice(2).map((argument) => {
  const at = argument.indexOf("=");
  const lines = readFileSync(argument.slice(at + 1), "utf8").split("\n").filter((line) => line.trim() !== "");
  return protocols[argument.slice(0, at)](lines.map(event));
});
process.stdout.write(JSON.stringify(all));
