// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use url::Url;

/// How an endpoint differs from the others: known by its host, and learnt from what it refuses. Clones learn together.
#[derive(Clone, Debug)]
pub struct Dialect(Arc<Traits>);

#[derive(Debug)]
struct Traits {
    asks_usage: AtomicBool,
    reasoning: AtomicU8,
    heard: AtomicBool,
}

/// Not known: goes by the model's name and by what the endpoint speaks.
const UNKNOWN: u8 = 0;
const WANTED: u8 = 1;
const REFUSED: u8 = 2;

/// Hosts that demand a model's reasoning back with its messages, or take it well.
const WANT_REASONING: &[&str] =
    &["deepseek.com", "moonshot.cn", "moonshot.ai", "kimi.com", "bigmodel.cn", "z.ai", "xiaomimimo.com"];
/// Models that demand it wherever they are served.
const DEMANDING_MODELS: &[&str] = &["deepseek", "kimi"];

impl Dialect {
    /// The dialect of a base URL.
    pub fn of(base: &Url) -> Self {
        let host = base.host_str().unwrap_or_default().to_ascii_lowercase();
        let wanted = WANT_REASONING
            .iter()
            .any(|known| host == *known || host.strip_suffix(known).is_some_and(|rest| rest.ends_with('.')));
        let reasoning = if wanted { WANTED } else { UNKNOWN };
        Self(Arc::new(Traits {
            asks_usage: AtomicBool::new(true),
            reasoning: AtomicU8::new(reasoning),
            heard: AtomicBool::new(false),
        }))
    }

    /// Whether to ask for token counts with `stream_options`.
    pub fn asks_usage(&self) -> bool {
        self.0.asks_usage.load(Relaxed)
    }

    /// Whether a model's earlier reasoning goes back as `reasoning_content`.
    pub fn returns_reasoning(&self, model: &str) -> bool {
        match self.0.reasoning.load(Relaxed) {
            WANTED => true,
            REFUSED => false,
            // A gateway: only when it has shown that it knows the field.
            _ => {
                self.0.heard.load(Relaxed)
                    && DEMANDING_MODELS.iter().any(|name| model.to_ascii_lowercase().contains(name))
            }
        }
    }

    /// The endpoint sent reasoning in that field.
    pub(super) fn heard_reasoning_content(&self) {
        self.0.heard.store(true, Relaxed);
    }

    /// Learns from a refused request, given what it held; whether another try would be a different one.
    pub(super) fn learn(&self, usage: bool, reasoning: bool, body: &str) -> bool {
        let body = body.to_ascii_lowercase();
        if usage && (body.contains("stream_options") || body.contains("include_usage")) {
            self.0.asks_usage.store(false, Relaxed);
            return true;
        }
        if body.contains("reasoning_content") {
            self.0.reasoning.store(if reasoning { REFUSED } else { WANTED }, Relaxed);
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(base: &str) -> Dialect {
        Dialect::of(&Url::parse(base).unwrap())
    }

    #[test]
    fn reasoning_goes_back_where_it_is_wanted() {
        for (base, model, wanted) in [
            ("https://api.deepseek.com/v1", "deepseek-chat", true),
            ("https://api.moonshot.cn/v1", "kimi-k3", true),
            ("https://API.MOONSHOT.AI/v1", "kimi-k3", true),
            ("https://api.z.ai/api/paas/v4", "glm-5", true),
            ("https://api.openai.com/v1", "gpt-5", false),
            ("https://notdeepseek.com/v1", "deepseek-chat", false),
            ("https://deepseek.com.evil.example/v1", "deepseek-chat", false),
            ("http://127.0.0.1:11434/v1", "deepseek-r1", false),
        ] {
            assert_eq!(of(base).returns_reasoning(model), wanted, "{base}");
        }
    }

    #[test]
    fn a_gateway_is_learnt() {
        let gateway = of("https://gateway.example/v1");
        gateway.heard_reasoning_content();
        assert!(gateway.returns_reasoning("DeepSeek/deepseek-v4"));
        assert!(!gateway.returns_reasoning("qwen3"));

        assert!(gateway.learn(true, true, "property 'reasoning_content' is unsupported"));
        assert!(!gateway.clone().returns_reasoning("deepseek-v4"));

        let gateway = of("https://gateway.example/v1");
        assert!(gateway.learn(true, false, "reasoning_content is missing in assistant tool call message"));
        assert!(gateway.returns_reasoning("whatever"));

        assert!(gateway.asks_usage());
        assert!(gateway.learn(true, true, "Unrecognized request argument supplied: stream_options"));
        assert!(!gateway.asks_usage());
        assert!(!gateway.learn(false, true, "stream_options again"));
        assert!(!gateway.learn(false, true, "something else"));
    }
}
