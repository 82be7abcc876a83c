// SPDX-License-Identifier: Apache-2.0
//! Known hosts, and how each is told how much to think.

use bailey_net::is_at_home;
use bailey_protocol::Effort;
use url::Url;

/// Whose endpoint it is, as far as that matters for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Host {
    OpenAi,
    XAi,
    Groq,
    Google,
    DeepSeek,
    Moonshot,
    /// Zhipu, Z.ai, Volcano, Xiaomi: `thinking` is switched on and off, as at DeepSeek.
    Switched,
    /// Alibaba, SiliconFlow.
    Qwen,
    /// OpenRouter and Vercel's gateway.
    Router,
    Mistral,
    /// Fireworks, DeepInfra, Ollama: one word for the effort, whatever the model.
    Plain,
    /// Cerebras, Together: a word for the effort with OpenAI's open models.
    OpenModels,
    Unknown,
}

const HOSTS: &[(&str, Host)] = &[
    ("openai.com", Host::OpenAi),
    ("openai.azure.com", Host::OpenAi),
    ("services.ai.azure.com", Host::OpenAi),
    ("x.ai", Host::XAi),
    ("groq.com", Host::Groq),
    ("googleapis.com", Host::Google),
    ("deepseek.com", Host::DeepSeek),
    ("moonshot.cn", Host::Moonshot),
    ("moonshot.ai", Host::Moonshot),
    ("kimi.com", Host::Moonshot),
    ("bigmodel.cn", Host::Switched),
    ("z.ai", Host::Switched),
    ("volces.com", Host::Switched),
    ("bytepluses.com", Host::Switched),
    ("xiaomimimo.com", Host::Switched),
    ("aliyuncs.com", Host::Qwen),
    ("siliconflow.cn", Host::Qwen),
    ("siliconflow.com", Host::Qwen),
    ("openrouter.ai", Host::Router),
    ("ai-gateway.vercel.sh", Host::Router),
    ("mistral.ai", Host::Mistral),
    ("fireworks.ai", Host::Plain),
    ("deepinfra.com", Host::Plain),
    ("cerebras.ai", Host::OpenModels),
    ("together.ai", Host::OpenModels),
    ("together.xyz", Host::OpenModels),
];

/// Where Ollama listens unless told otherwise.
const OLLAMA: u16 = 11434;

impl Host {
    pub(super) fn of(base: &Url) -> Self {
        let host = base.host_str().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
        let under = |zone: &str| host.strip_suffix(zone).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        match HOSTS.iter().find(|(zone, _)| under(zone)) {
            Some((_, known)) => *known,
            None if base.port() == Some(OLLAMA) && is_at_home(base) => Host::Plain,
            None => Host::Unknown,
        }
    }
}

/// How a request says how much to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Think {
    /// Not at all.
    Unsaid,
    /// `reasoning_effort`.
    Effort(&'static str),
    /// `thinking: {type}`.
    Switch(bool),
    /// `enable_thinking`.
    Enable(bool),
    /// `reasoning: {effort}`.
    Nested(&'static str),
}

/// How this host is told that this model should think so much. Nothing where the host, or the model there, is not known
/// to take it.
pub(super) fn think(host: Host, model: &str, effort: Option<Effort>) -> Think {
    let Some(effort) = effort else { return Think::Unsaid };
    let model = bare(model);
    let word = |off: &'static str| match effort {
        Effort::Off => off,
        Effort::Low => "low",
        Effort::Medium => "medium",
        Effort::High => "high",
    };
    let on = effort != Effort::Off;
    match host {
        Host::OpenAi => match lowest(&model) {
            Some(off) => Think::Effort(word(off)),
            None => Think::Unsaid,
        },
        Host::XAi if !on => Think::Unsaid,
        Host::XAi => Think::Effort(word("low")),
        Host::Groq | Host::OpenModels if model.starts_with("gpt-oss") => Think::Effort(word("low")),
        Host::Groq if model.starts_with("qwen") => Think::Effort(if on { "default" } else { "none" }),
        Host::Google if model.starts_with("gemini-2.5-flash") => Think::Effort(word("none")),
        Host::Google if model.starts_with("gemini-2.5") => Think::Effort(word("low")),
        Host::Google if version(&model, "gemini-").is_some_and(|(major, _)| major >= 3) => {
            Think::Effort(word("minimal"))
        }
        Host::DeepSeek | Host::Moonshot | Host::Switched => Think::Switch(on),
        Host::Qwen => Think::Enable(on),
        Host::Router => Think::Nested(word("none")),
        Host::Mistral => Think::Effort(if on { "high" } else { "none" }),
        Host::Plain => Think::Effort(word("none")),
        Host::Groq | Host::OpenModels | Host::Google | Host::Unknown => Think::Unsaid,
    }
}

/// Whether a model, whoever serves it, takes `max_completion_tokens` and not `max_tokens`.
pub(super) fn counts_completion(model: &str) -> bool {
    lowest(&bare(model)).is_some()
}

/// A model's name without its maker's, in lower case.
pub(super) fn bare(model: &str) -> String {
    model.rsplit('/').next().unwrap_or_default().to_ascii_lowercase()
}

/// The least effort that one of OpenAI's reasoning models takes; `None` for other models.
fn lowest(model: &str) -> Option<&'static str> {
    let series = model.strip_prefix('o').and_then(|rest| rest.chars().next());
    if series.is_some_and(|c| c.is_ascii_digit()) {
        return Some("low");
    }
    let (major, minor) = version(model, "gpt-").filter(|(major, _)| *major >= 5)?;
    if model.contains("-chat") {
        None
    } else if model.contains("-pro") || model.contains("-codex") {
        Some("low")
    } else if major == 5 && minor == 0 {
        Some("minimal")
    } else {
        Some("none")
    }
}

/// The version in a name: `gpt-5.1-mini` has 5 and 1.
fn version(model: &str, family: &str) -> Option<(u32, u32)> {
    let rest = model.strip_prefix(family)?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let (major, minor) = rest[..end].split_once('.').unwrap_or((&rest[..end], "0"));
    Some((major.parse().ok()?, minor.split('.').next()?.parse().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(base: &str) -> Host {
        Host::of(&Url::parse(base).unwrap())
    }

    #[test]
    fn hosts_are_known_by_their_zone() {
        for (base, expected) in [
            ("https://api.openai.com/v1", Host::OpenAi),
            ("https://eu.api.openai.com/v1", Host::OpenAi),
            ("https://me.openai.azure.com/openai/v1", Host::OpenAi),
            ("https://API.DeepSeek.com/v1", Host::DeepSeek),
            ("https://api.z.ai/api/paas/v4", Host::Switched),
            ("https://ark.cn-beijing.volces.com/api/v3", Host::Switched),
            ("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", Host::Qwen),
            ("https://openrouter.ai/api/v1", Host::Router),
            ("http://127.0.0.1:11434/v1", Host::Plain),
            ("http://192.168.1.4:11434/v1", Host::Plain),
            ("https://models.example:11434/v1", Host::Unknown),
            ("http://127.0.0.1:8080/v1", Host::Unknown),
            ("https://notdeepseek.com/v1", Host::Unknown),
            ("https://deepseek.com.evil.example/v1", Host::Unknown),
            ("https://box.ai/v1", Host::Unknown),
        ] {
            assert_eq!(host(base), expected, "{base}");
        }
    }

    #[test]
    fn each_is_told_in_its_own_way() {
        use Effort::{High, Low, Medium, Off};
        use Think::{Effort as Word, Enable, Nested, Switch, Unsaid};
        for (host, model, effort, expected) in [
            (Host::OpenAi, "gpt-5", Off, Word("minimal")),
            (Host::OpenAi, "gpt-5-mini-2025-08-07", Low, Word("low")),
            (Host::OpenAi, "gpt-5.2", Off, Word("none")),
            (Host::OpenAi, "gpt-5.2-pro", Off, Word("low")),
            (Host::OpenAi, "gpt-5-chat-latest", High, Unsaid),
            (Host::OpenAi, "o4-mini", Off, Word("low")),
            (Host::OpenAi, "o3", High, Word("high")),
            (Host::OpenAi, "gpt-4.1", High, Unsaid),
            (Host::OpenAi, "omni-moderation", High, Unsaid),
            (Host::XAi, "grok-3-mini", High, Word("high")),
            (Host::XAi, "grok-3-mini", Off, Unsaid),
            (Host::Groq, "openai/gpt-oss-120b", Medium, Word("medium")),
            (Host::Groq, "openai/gpt-oss-120b", Off, Word("low")),
            (Host::Groq, "qwen/qwen3-32b", Off, Word("none")),
            (Host::Groq, "qwen/qwen3-32b", High, Word("default")),
            (Host::Groq, "llama-3.3-70b-versatile", High, Unsaid),
            (Host::Google, "gemini-2.5-flash", Off, Word("none")),
            (Host::Google, "models/gemini-2.5-pro", Off, Word("low")),
            (Host::Google, "gemini-3-pro-preview", Off, Word("minimal")),
            (Host::Google, "gemini-2.0-flash", High, Unsaid),
            (Host::DeepSeek, "deepseek-chat", High, Switch(true)),
            (Host::Moonshot, "kimi-k2.5", Off, Switch(false)),
            (Host::Switched, "glm-5", Low, Switch(true)),
            (Host::Qwen, "qwen3-max", Off, Enable(false)),
            (Host::Router, "anthropic/claude-sonnet-4.5", High, Nested("high")),
            (Host::Router, "deepseek/deepseek-v3.2", Off, Nested("none")),
            (Host::Mistral, "mistral-medium-latest", Medium, Word("high")),
            (Host::Plain, "qwen3:8b", Off, Word("none")),
            (Host::OpenModels, "gpt-oss-120b", Off, Word("low")),
            (Host::OpenModels, "llama3.1-8b", High, Unsaid),
            (Host::Unknown, "gpt-5", High, Unsaid),
        ] {
            assert_eq!(think(host, model, Some(effort)), expected, "{host:?} {model} {effort:?}");
            assert_eq!(think(host, model, None), Unsaid);
        }
    }

    #[test]
    fn a_name_tells_how_its_answer_is_limited() {
        for (model, expected) in [
            ("o3-mini", true),
            ("openai/o1", true),
            ("gpt-5-nano", true),
            ("openai/gpt-5.1", true),
            ("gpt-10", true),
            ("gpt-4o", false),
            ("gpt-oss-20b", false),
            ("olmo-3", false),
            ("deepseek-chat", false),
        ] {
            assert_eq!(counts_completion(model), expected, "{model}");
        }
    }
}
