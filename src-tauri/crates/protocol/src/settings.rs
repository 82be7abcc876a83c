// SPDX-License-Identifier: Apache-2.0
use crate::{Budget, Danger, KeyStoreState, Mode, ModelFacts, ProviderId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// The language of the face; `None` in settings follows the browser or the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    En,
    /// Chinese, simplified.
    Zh,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The one colour that is not a neutral.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Accent {
    /// The default.
    #[default]
    Green,
    /// Blue.
    Blue,
    /// Teal.
    Teal,
    /// Rose.
    Rose,
    /// Graphite.
    Graphite,
}

/// The protocol a provider speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    /// The rule-based responder in the binary.
    Demo,
    /// OpenAI-compatible chat completions.
    OpenaiChat,
    /// OpenAI's Responses.
    OpenaiResponses,
    /// Anthropic's Messages.
    Anthropic,
    /// Google's Gemini.
    Gemini,
}

/// How much a model should think before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// Not at all, where the model lets one choose.
    Off,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

/// A configured provider. The key is never in here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Provider {
    /// Its id.
    pub id: ProviderId,
    /// Its name for people.
    pub name: String,
    /// Its protocol.
    pub kind: ProviderKind,
    /// Its base URL; empty for the demo.
    pub base_url: String,
    /// Whether a key is known right now. Derived, never stored as truth.
    #[serde(default)]
    pub has_key: bool,
    /// Whether requests need a key, as far as known: a loopback server that never had one does not.
    #[serde(default)]
    pub wants_key: bool,
}

/// A provider and one of its models.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub struct ModelChoice {
    /// The provider.
    pub provider: ProviderId,
    /// The model's name there.
    pub model: String,
}

/// What the person set about one model; it wins over what anybody else says of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelSettings {
    /// Which.
    pub model: ModelChoice,
    /// Limits, abilities and prices.
    #[serde(default)]
    pub facts: ModelFacts,
    /// How much it should think; `None` leaves it to the provider.
    #[serde(default)]
    pub effort: Option<Effort>,
}

/// What may be spent without asking, in micro-dollars, where prices are known. `None` is no cap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Caps {
    /// In one run.
    #[ts(type = "number | null")]
    pub run: Option<u64>,
    /// In one day, from midnight to midnight where the device is.
    #[ts(type = "number | null")]
    pub day: Option<u64>,
}

/// How models and pages on the internet are reached. A proxy's password is a key and kept with the keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Network {
    /// `http://`, `https://`, `socks5://` or `socks5h://`, without user and password; empty for none.
    pub proxy: String,
    /// The user's name at the proxy; empty for none.
    pub proxy_user: String,
    /// Whether a password for the proxy is known. Derived, never stored as truth.
    pub proxy_password: bool,
    /// Certificates of authorities to trust besides the system's, in PEM; empty for none.
    pub roots_pem: String,
}

/// Who is asked when the web is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SearchEngine {
    /// Public engines that want no key, one after the other.
    #[default]
    Automatic,
    /// A SearXNG of the person's own.
    Searxng,
    /// Brave's search API, with a key.
    Brave,
    /// Tavily's search API, with a key.
    Tavily,
}

/// How the web is searched and reached. Keys of engines are kept with the keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct WebSettings {
    /// The engine.
    pub search: SearchEngine,
    /// The base URL of the person's own SearXNG; empty for none.
    pub searxng: String,
    /// Whether a key for the chosen engine is known. Derived, never stored as truth.
    pub search_key: bool,
    /// A proxy on this device answers every name with an address of 198.18.0.0/15: let those through.
    pub fake_ip: bool,
}

/// What the person set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// Whether the first start is over.
    pub onboarded: bool,
    /// The language; `None` follows the browser or the system.
    pub language: Option<Language>,
    /// Light or dark.
    pub theme: Theme,
    /// The accent.
    pub accent: Accent,
    /// The mode of a new conversation.
    pub default_mode: Mode,
    /// The model of a new conversation.
    pub default_model: Option<ModelChoice>,
    /// The providers, the demo among them.
    pub providers: Vec<Provider>,
    /// Budgets that differ from the built-in ones, by mode name.
    #[ts(type = "Record<string, Budget>")]
    pub budgets: BTreeMap<String, Budget>,
    /// Whether run_shell may be offered to the model.
    pub shell: bool,
    /// What the person set about single models.
    pub models: Vec<ModelSettings>,
    /// The model that takes over when a run's own is out of order.
    pub fallback_model: Option<ModelChoice>,
    /// What may be spent without asking.
    pub caps: Caps,
    /// Proxy and certificates.
    pub network: Network,
    /// How the web is searched and reached.
    pub web: WebSettings,
    /// Where keys are kept. Derived, never stored as truth.
    pub keys: KeyStoreState,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            onboarded: false,
            language: None,
            theme: Theme::System,
            accent: Accent::Green,
            default_mode: Mode::ChatPlus,
            default_model: None,
            providers: Vec::new(),
            budgets: BTreeMap::new(),
            shell: false,
            models: Vec::new(),
            fallback_model: None,
            caps: Caps::default(),
            network: Network::default(),
            web: WebSettings::default(),
            keys: KeyStoreState::default(),
        }
    }
}

impl Settings {
    /// The budget of a mode.
    pub fn budget(&self, mode: Mode) -> Budget {
        self.budgets.get(mode.name()).copied().unwrap_or_else(|| Budget::of(mode))
    }
}

/// A change of settings; what is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
#[ts(optional_fields)]
pub struct SettingsPatch {
    /// See [`Settings::onboarded`].
    pub onboarded: Option<bool>,
    /// See [`Settings::language`]; `auto` follows the browser or the system.
    #[ts(type = "\"auto\" | \"en\" | \"zh\"", optional)]
    pub language: Option<String>,
    /// See [`Settings::theme`].
    pub theme: Option<Theme>,
    /// See [`Settings::accent`].
    pub accent: Option<Accent>,
    /// See [`Settings::default_mode`].
    pub default_mode: Option<Mode>,
    /// See [`Settings::default_model`].
    pub default_model: Option<ModelChoice>,
    /// See [`Settings::shell`].
    pub shell: Option<bool>,
    /// One model's settings, whole; without any fact and effort they are forgotten.
    pub model: Option<ModelSettings>,
    /// See [`Settings::fallback_model`]; `null` for none.
    #[serde(deserialize_with = "present")]
    #[ts(type = "ModelChoice | null", optional)]
    pub fallback_model: Option<Option<ModelChoice>>,
    /// See [`Settings::caps`]; both at once.
    pub caps: Option<Caps>,
    /// One mode's budget.
    pub budget: Option<(Mode, Budget)>,
}

/// `null` is a value of its own, other than absence.
fn present<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::<T>::deserialize(deserializer).map(Some)
}

/// A model server found on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LocalServer {
    /// `Ollama`, `LM Studio`, `llama.cpp` or the like.
    pub name: String,
    /// Its base URL, loopback only.
    pub base_url: String,
    /// The models it lists.
    pub models: Vec<String>,
}

/// A tool, for showing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ToolView {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Its danger.
    pub danger: Danger,
    /// Changes nothing.
    pub read_only: bool,
    /// Can carry data out.
    pub egress: bool,
    /// Whether it is switched on.
    pub enabled: bool,
    /// What each mode does with it without taint: `allow`, `confirm` or `deny`, in the order of [`Mode::ALL`].
    pub modes: [String; 4],
}
