// SPDX-License-Identifier: Apache-2.0
// Streams as the providers send them, for what aimock does not play: signed thoughts, the provider's own tools, and items.
// `tag` makes what is signed or encrypted one answer's own.

const chunk = (delta, finish = null, more = {}) => ({ id: "gen-1", object: "chat.completion.chunk", model: "router/model", choices: [{ index: 0, delta, finish_reason: finish }], ...more });

/** Thoughts that must go back as they came, something said, and one call; without `call` the end. */
export const SIGNED = {
  /** As OpenRouter does: encrypted details beside what is shown. */
  openai_chat: (tag, { text, call }) => ({
    events: [
      ": OPENROUTER PROCESSING\n\n",
      chunk({ role: "assistant", content: "", reasoning: "I weigh it.", reasoning_details: [{ type: "reasoning.summary", summary: "I weigh it.", format: "openai-responses-v1", index: 0 }] }),
      chunk({ reasoning_details: [{ type: "reasoning.encrypted", data: `ENC-${tag}/+==`, id: "rs_1", format: "openai-responses-v1", index: 1 }] }),
      chunk({ content: text }),
      ...(call ? [chunk({ tool_calls: [{ index: 0, id: `call_${tag}`, type: "function", function: { name: call.name, arguments: "" } }] }), chunk({ tool_calls: [{ index: 0, function: { arguments: call.arguments } }] })] : []),
      chunk({}, call ? "tool_calls" : "stop"),
      { ...chunk({}), choices: [], usage: { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49, cost: 0.00042 } },
      "data: [DONE]\n\n",
    ],
  }),
  openai_responses: (tag, { text, call }) => {
    const reasoning = { type: "reasoning", id: `rs_${tag}`, summary: [{ type: "summary_text", text: "I weigh it." }], encrypted_content: `ENC-${tag}/+==` };
    const message = { type: "message", id: `msg_${tag}`, role: "assistant", status: "completed", phase: call ? "commentary" : "final_answer", content: [{ type: "output_text", text, annotations: [] }] };
    const made = call && { type: "function_call", id: `fc_${tag}`, call_id: `call_${tag}`, name: call.name, arguments: call.arguments, status: "completed" };
    const output = [reasoning, message, ...(made ? [made] : [])];
    return {
      events: [
        { type: "response.created", response: { id: "resp_1", status: "in_progress", output: [] } },
        { type: "response.output_item.added", output_index: 0, item: { ...reasoning, summary: [], encrypted_content: undefined } },
        { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, item_id: reasoning.id, delta: "I weigh it." },
        { type: "response.output_item.done", output_index: 0, item: reasoning },
        { type: "response.output_item.added", output_index: 1, item: { ...message, content: [], status: "in_progress" } },
        { type: "response.output_text.delta", output_index: 1, content_index: 0, item_id: message.id, delta: text },
        { type: "response.output_item.done", output_index: 1, item: message },
        ...(made
          ? [
              { type: "response.output_item.added", output_index: 2, item: { ...made, arguments: "", status: "in_progress" } },
              { type: "response.function_call_arguments.delta", output_index: 2, item_id: made.id, delta: made.arguments },
              { type: "response.output_item.done", output_index: 2, item: made },
            ]
          : []),
        { type: "response.completed", response: { id: "resp_1", status: "completed", output, usage: { input_tokens: 40, output_tokens: 9, total_tokens: 49 } } },
      ],
    };
  },
  anthropic: (tag, { text, call }) => {
    const block = (index, content_block, ...deltas) => [{ type: "content_block_start", index, content_block }, ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })), { type: "content_block_stop", index }];
    return {
      events: [
        { type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", content: [], model: "claude", usage: { input_tokens: 40, output_tokens: 1 } } },
        ": ping\n\n",
        { type: "ping" },
        ...block(0, { type: "thinking", thinking: "", signature: "" }, { type: "thinking_delta", thinking: "I weigh " }, { type: "thinking_delta", thinking: "it." }, { type: "signature_delta", signature: `ENC-${tag}/+==` }),
        ...block(1, { type: "redacted_thinking", data: `ENC-hidden-${tag}/+==` }),
        ...block(2, { type: "text", text: "" }, { type: "text_delta", text }),
        ...(call ? block(3, { type: "tool_use", id: `toolu_${tag}`, name: call.name, input: {} }, { type: "input_json_delta", partial_json: "" }, { type: "input_json_delta", partial_json: call.arguments }) : []),
        { type: "message_delta", delta: { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null }, usage: { output_tokens: 9 } },
        { type: "message_stop" },
      ],
    };
  },
  gemini: (tag, { text, call }) => {
    const said = (parts, more = {}) => ({ candidates: [{ content: { role: "model", parts }, index: 0, ...more }], modelVersion: "gemini-3-pro-preview" });
    const usageMetadata = { promptTokenCount: 40, candidatesTokenCount: 5, thoughtsTokenCount: 4, totalTokenCount: 49 };
    return {
      events: [
        said([{ text: "I weigh it.", thought: true }]),
        said([{ text }]),
        call
          ? { ...said([{ functionCall: { name: call.name, args: JSON.parse(call.arguments), id: `g_${tag}` }, thoughtSignature: `ENC-${tag}/+==` }], { finishReason: "STOP" }), usageMetadata }
          : { ...said([{ text: "", thoughtSignature: `ENC-${tag}/+==` }], { finishReason: "STOP" }), usageMetadata },
      ],
    };
  },
};

/** A search on the web that the provider did by itself, and an answer that quotes what it found. */
export const SEARCHED = {
  anthropic: ({ text, query }) => {
    const block = (index, content_block, ...deltas) => [{ type: "content_block_start", index, content_block }, ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })), { type: "content_block_stop", index }];
    const found = [{ type: "web_search_result", title: "Opening hours", url: "https://museum.example/hours", encrypted_content: "ENC-page/+==", page_age: "2 days ago" }];
    return {
      events: [
        { type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", content: [], model: "claude", usage: { input_tokens: 40, output_tokens: 1 } } },
        ...block(0, { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }, { type: "input_json_delta", partial_json: JSON.stringify({ query }) }),
        ...block(1, { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: found }),
        ...block(2, { type: "text", text: "", citations: [] }, { type: "text_delta", text }, { type: "citations_delta", citation: { type: "web_search_result_location", url: found[0].url, title: found[0].title, encrypted_index: "ENC-index/+==", cited_text: "Open from ten" } }),
        { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { input_tokens: 40, output_tokens: 9, server_tool_use: { web_search_requests: 1 } } },
        { type: "message_stop" },
      ],
    };
  },
};
