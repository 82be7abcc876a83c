// SPDX-License-Identifier: Apache-2.0

/** An endpoint people commonly have a key for. */
export interface Preset {
  name: string;
  base_url: string;
}

/** Endpoints that speak the OpenAI chat protocol. */
export const PRESETS: readonly Preset[] = [
  { name: "OpenAI", base_url: "https://api.openai.com/v1" },
  { name: "DeepSeek", base_url: "https://api.deepseek.com/v1" },
  { name: "Moonshot", base_url: "https://api.moonshot.ai/v1" },
  { name: "Qwen", base_url: "https://dashscope.aliyuncs.com/compatible-mode/v1" },
  { name: "Zhipu", base_url: "https://open.bigmodel.cn/api/paas/v4" },
  { name: "OpenRouter", base_url: "https://openrouter.ai/api/v1" },
];
