// SPDX-License-Identifier: Apache-2.0
//! Well-known providers: where they are, what they speak, and what their keys look like.

use bailey_protocol::ProviderKind::{self, Anthropic, Gemini, OpenaiChat, OpenaiResponses};

/// A well-known provider, for a quick pick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// The protocol to speak with it.
    pub kind: ProviderKind,
    /// The base URL for that, as it is used.
    pub base_url: &'static str,
    /// Where a key is made; empty for servers on this machine.
    pub key_url: &'static str,
}

/// All that is known of a provider. One place is one account: where regions do not take each other's keys, each is its own.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) preset: Preset,
    /// Whether it is among the quick picks.
    pub(super) picked: bool,
    /// The host of its API.
    pub(super) host: &'static str,
    /// The domains of its pages for people; hosts below them count, too.
    pub(super) sites: &'static [&'static str],
    /// The path of the base that speaks Anthropic's protocol, where there is one besides; without a version.
    pub(super) anthropic: &'static str,
    /// What a text calls it, in lowercase; one name can stand for several places.
    pub(super) words: &'static [&'static str],
    /// How its keys begin, where nobody else's begin so; places of one maker can share a beginning.
    pub(super) keys: &'static [&'static str],
}

const NOWHERE: Place = Place {
    preset: Preset { name: "", kind: OpenaiChat, base_url: "", key_url: "" },
    picked: false,
    host: "",
    sites: &[],
    anthropic: "",
    words: &[],
    keys: &[],
};

const fn preset(name: &'static str, kind: ProviderKind, base_url: &'static str, key_url: &'static str) -> Preset {
    Preset { name, kind, base_url, key_url }
}

/// A server on this machine at its usual port; the port stands for the host.
const fn local(name: &'static str, base_url: &'static str, picked: bool) -> Place {
    Place { preset: preset(name, OpenaiChat, base_url, ""), picked, ..NOWHERE }
}

/// In the order in which they are offered.
pub(super) static PLACES: [Place; 38] = [
    Place {
        preset: preset("OpenAI", OpenaiResponses, "https://api.openai.com/v1", "https://platform.openai.com/api-keys"),
        picked: true,
        host: "api.openai.com",
        sites: &["openai.com", "chatgpt.com"],
        words: &["openai", "chatgpt"],
        keys: &["sk-proj-", "sk-svcacct-", "sk-None-"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Anthropic",
            Anthropic,
            "https://api.anthropic.com/v1",
            "https://platform.claude.com/settings/keys",
        ),
        picked: true,
        host: "api.anthropic.com",
        sites: &["anthropic.com", "claude.com"],
        words: &["anthropic", "claude"],
        keys: &["sk-ant-"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Google Gemini",
            Gemini,
            "https://generativelanguage.googleapis.com/v1beta",
            "https://aistudio.google.com/apikey",
        ),
        picked: true,
        host: "generativelanguage.googleapis.com",
        sites: &["aistudio.google.com"],
        words: &["gemini", "google"],
        keys: &["AIza", "AQ."],
        ..NOWHERE
    },
    Place {
        preset: preset("OpenRouter", OpenaiChat, "https://openrouter.ai/api/v1", "https://openrouter.ai/settings/keys"),
        picked: true,
        host: "openrouter.ai",
        sites: &["openrouter.ai"],
        words: &["openrouter"],
        keys: &["sk-or-"],
        ..NOWHERE
    },
    Place {
        preset: preset("DeepSeek", OpenaiChat, "https://api.deepseek.com/v1", "https://platform.deepseek.com/api_keys"),
        picked: true,
        host: "api.deepseek.com",
        sites: &["deepseek.com"],
        anthropic: "/anthropic",
        words: &["deepseek", "深度求索"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Moonshot",
            OpenaiChat,
            "https://api.moonshot.ai/v1",
            "https://platform.kimi.ai/console/api-keys",
        ),
        picked: true,
        host: "api.moonshot.ai",
        sites: &["kimi.ai", "moonshot.ai"],
        anthropic: "/anthropic",
        words: &["moonshot", "kimi"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Moonshot (China)",
            OpenaiChat,
            "https://api.moonshot.cn/v1",
            "https://platform.moonshot.cn/console/api-keys",
        ),
        picked: true,
        host: "api.moonshot.cn",
        sites: &["moonshot.cn"],
        anthropic: "/anthropic",
        words: &["moonshot", "kimi", "月之暗面"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Qwen",
            OpenaiChat,
            "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
            "https://modelstudio.console.alibabacloud.com/?tab=playground#/api-key",
        ),
        picked: true,
        host: "dashscope-intl.aliyuncs.com",
        sites: &["alibabacloud.com"],
        anthropic: "/apps/anthropic",
        words: &["dashscope", "qwen"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Qwen (China)",
            OpenaiChat,
            "https://dashscope.aliyuncs.com/compatible-mode/v1",
            "https://bailian.console.aliyun.com/?tab=model#/api-key",
        ),
        picked: true,
        host: "dashscope.aliyuncs.com",
        sites: &["aliyun.com"],
        anthropic: "/apps/anthropic",
        words: &["dashscope", "qwen", "通义", "千问", "百炼"],
        ..NOWHERE
    },
    Place {
        preset: preset("Z.ai", OpenaiChat, "https://api.z.ai/api/paas/v4", "https://z.ai/manage-apikey/apikey-list"),
        picked: true,
        host: "api.z.ai",
        sites: &["z.ai"],
        anthropic: "/api/anthropic",
        words: &["zai", "z-ai", "z.ai", "glm"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Zhipu",
            OpenaiChat,
            "https://open.bigmodel.cn/api/paas/v4",
            "https://bigmodel.cn/usercenter/proj-mgmt/apikeys",
        ),
        picked: true,
        host: "open.bigmodel.cn",
        sites: &["bigmodel.cn"],
        anthropic: "/api/anthropic",
        words: &["zhipu", "zhipuai", "bigmodel", "glm", "智谱"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "SiliconFlow",
            OpenaiChat,
            "https://api.siliconflow.com/v1",
            "https://cloud.siliconflow.com/account/ak",
        ),
        picked: true,
        host: "api.siliconflow.com",
        sites: &["siliconflow.com"],
        words: &["siliconflow"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "SiliconFlow (China)",
            OpenaiChat,
            "https://api.siliconflow.cn/v1",
            "https://cloud.siliconflow.cn/account/ak",
        ),
        picked: true,
        host: "api.siliconflow.cn",
        sites: &["siliconflow.cn"],
        words: &["siliconflow", "硅基流动"],
        ..NOWHERE
    },
    Place {
        preset: preset("Groq", OpenaiChat, "https://api.groq.com/openai/v1", "https://console.groq.com/keys"),
        picked: true,
        host: "api.groq.com",
        sites: &["groq.com"],
        words: &["groq"],
        keys: &["gsk_"],
        ..NOWHERE
    },
    Place {
        preset: preset("Mistral", OpenaiChat, "https://api.mistral.ai/v1", "https://console.mistral.ai/api-keys"),
        picked: true,
        host: "api.mistral.ai",
        sites: &["mistral.ai"],
        words: &["mistral"],
        ..NOWHERE
    },
    Place {
        preset: preset("xAI", OpenaiChat, "https://api.x.ai/v1", "https://console.x.ai/team/default/api-keys"),
        picked: true,
        host: "api.x.ai",
        sites: &["x.ai"],
        words: &["xai", "grok"],
        keys: &["xai-"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "MiniMax",
            OpenaiChat,
            "https://api.minimax.io/v1",
            "https://platform.minimax.io/user-center/basic-information/interface-key",
        ),
        picked: true,
        host: "api.minimax.io",
        sites: &["minimax.io"],
        anthropic: "/anthropic",
        words: &["minimax"],
        keys: &["sk-api-", "sk-cp-"],
    },
    Place {
        preset: preset(
            "MiniMax (China)",
            OpenaiChat,
            "https://api.minimaxi.com/v1",
            "https://platform.minimaxi.com/user-center/basic-information/interface-key",
        ),
        picked: true,
        host: "api.minimaxi.com",
        sites: &["minimaxi.com"],
        anthropic: "/anthropic",
        words: &["minimax"],
        keys: &["sk-api-", "sk-cp-"],
    },
    local("Ollama", "http://127.0.0.1:11434/v1", true),
    local("LM Studio", "http://127.0.0.1:1234/v1", true),
    local("llama.cpp", "http://127.0.0.1:8080/v1", true),
    local("vLLM", "http://127.0.0.1:8000/v1", false),
    local("Jan", "http://127.0.0.1:1337/v1", false),
    Place {
        preset: preset("Kimi Code", OpenaiChat, "https://api.kimi.com/coding/v1", "https://www.kimi.com/code/console"),
        host: "api.kimi.com",
        sites: &["kimi.com"],
        anthropic: "/coding",
        keys: &["sk-kimi-"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Qwen Coding Plan",
            OpenaiChat,
            "https://coding-intl.dashscope.aliyuncs.com/v1",
            "https://modelstudio.console.alibabacloud.com/?tab=dashboard#/efm/coding_plan",
        ),
        host: "coding-intl.dashscope.aliyuncs.com",
        anthropic: "/apps/anthropic",
        keys: &["sk-sp-"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Qwen Coding Plan (China)",
            OpenaiChat,
            "https://coding.dashscope.aliyuncs.com/v1",
            "https://bailian.console.aliyun.com/?tab=model#/efm/coding_plan",
        ),
        host: "coding.dashscope.aliyuncs.com",
        anthropic: "/apps/anthropic",
        keys: &["sk-sp-"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Volcano Ark",
            OpenaiChat,
            "https://ark.cn-beijing.volces.com/api/v3",
            "https://console.volcengine.com/ark/region:ark+cn-beijing/apiKey",
        ),
        host: "ark.cn-beijing.volces.com",
        sites: &["volcengine.com"],
        anthropic: "/api/coding",
        words: &["ark", "volcengine", "doubao", "火山", "豆包"],
        keys: &["ark-"],
        ..NOWHERE
    },
    Place {
        preset: preset("Xiaomi MiMo", OpenaiChat, "https://api.xiaomimimo.com/v1", "https://platform.xiaomimimo.com"),
        host: "api.xiaomimimo.com",
        sites: &["xiaomimimo.com"],
        anthropic: "/anthropic",
        words: &["mimo", "xiaomi"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "ModelScope",
            OpenaiChat,
            "https://api-inference.modelscope.cn/v1",
            "https://modelscope.cn/my/myaccesstoken",
        ),
        host: "api-inference.modelscope.cn",
        sites: &["modelscope.cn"],
        words: &["modelscope", "魔搭"],
        keys: &["ms-"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Qianfan",
            OpenaiChat,
            "https://qianfan.baidubce.com/v2",
            "https://console.bce.baidu.com/iam/#/iam/apikey/list",
        ),
        host: "qianfan.baidubce.com",
        words: &["qianfan", "千帆"],
        keys: &["bce-v3/"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Perplexity",
            OpenaiResponses,
            "https://api.perplexity.ai/v1",
            "https://www.perplexity.ai/account/api/keys",
        ),
        host: "api.perplexity.ai",
        sites: &["perplexity.ai"],
        words: &["perplexity", "pplx"],
        keys: &["pplx-"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "NVIDIA",
            OpenaiChat,
            "https://integrate.api.nvidia.com/v1",
            "https://build.nvidia.com/settings/api-keys",
        ),
        host: "integrate.api.nvidia.com",
        sites: &["build.nvidia.com"],
        words: &["nvidia"],
        keys: &["nvapi-"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Hugging Face",
            OpenaiChat,
            "https://router.huggingface.co/v1",
            "https://huggingface.co/settings/tokens",
        ),
        host: "router.huggingface.co",
        sites: &["huggingface.co"],
        words: &["huggingface", "hf"],
        keys: &["hf_"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Cerebras",
            OpenaiChat,
            "https://api.cerebras.ai/v1",
            "https://cloud.cerebras.ai/platform/api-keys",
        ),
        host: "api.cerebras.ai",
        sites: &["cerebras.ai"],
        words: &["cerebras"],
        keys: &["csk-"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Fireworks",
            OpenaiChat,
            "https://api.fireworks.ai/inference/v1",
            "https://app.fireworks.ai/settings/users/api-keys",
        ),
        host: "api.fireworks.ai",
        sites: &["fireworks.ai"],
        words: &["fireworks"],
        keys: &["fw_"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Together",
            OpenaiChat,
            "https://api.together.xyz/v1",
            "https://api.together.ai/settings/api-keys",
        ),
        host: "api.together.xyz",
        sites: &["together.ai", "together.xyz"],
        words: &["together"],
        keys: &["tgp_v1_"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "DeepInfra",
            OpenaiChat,
            "https://api.deepinfra.com/v1/openai",
            "https://deepinfra.com/dash/api_keys",
        ),
        host: "api.deepinfra.com",
        sites: &["deepinfra.com"],
        words: &["deepinfra"],
        ..NOWHERE
    },
    Place {
        preset: preset(
            "Vercel AI Gateway",
            OpenaiChat,
            "https://ai-gateway.vercel.sh/v1",
            "https://vercel.com/d?to=%2F%5Bteam%5D%2F%7E%2Fai%2Fapi-keys",
        ),
        host: "ai-gateway.vercel.sh",
        words: &["vercel"],
        keys: &["vck_"],
        ..NOWHERE
    },
];

/// Well-known providers to pick from, in the order in which to show them; servers on this machine come last.
pub fn presets() -> &'static [Preset] {
    static PICKED: std::sync::LazyLock<Vec<Preset>> =
        std::sync::LazyLock::new(|| PLACES.iter().filter(|place| place.picked).map(|place| place.preset).collect());
    &PICKED
}
