// SPDX-License-Identifier: Apache-2.0
//! What is known of models beforehand: windows, abilities and prices, out of a file in the binary that says its date and
//! its source. `scripts/catalogue.mjs` makes it anew.

use bailey_net::is_at_home;
use bailey_protocol::{ModelFacts, Price};
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::LazyLock;
use url::Url;

/// Hosts whose own ids and prices the file has, with its name for them. A maker's hosts for other regions, where other
/// prices or another currency hold, are not among them.
const SELLERS: [(&str, &str); 18] = [
    ("api.anthropic.com", "anthropic"),
    ("api.cerebras.ai", "cerebras"),
    ("api.cohere.ai", "cohere"),
    ("api.cohere.com", "cohere"),
    ("api.deepinfra.com", "deepinfra"),
    ("api.deepseek.com", "deepseek"),
    ("api.groq.com", "groq"),
    ("api.minimax.io", "minimax"),
    ("api.mistral.ai", "mistral"),
    ("api.moonshot.ai", "moonshot"),
    ("api.openai.com", "openai"),
    ("api.x.ai", "xai"),
    ("api.xiaomimimo.com", "xiaomi"),
    ("api.z.ai", "zai"),
    ("ark.cn-beijing.volces.com", "volcengine"),
    ("dashscope-intl.aliyuncs.com", "alibaba"),
    ("generativelanguage.googleapis.com", "google"),
    ("open.bigmodel.cn", "bigmodel"),
];

/// Who is asked about a model at any other host, in this order: makers before those who also resell other makers' models.
const MAKERS: [&str; 13] = [
    "openai",
    "anthropic",
    "google",
    "deepseek",
    "xai",
    "moonshot",
    "zai",
    "minimax",
    "mistral",
    "xiaomi",
    "cohere",
    "meta",
    "alibaba",
];

/// And last: its ids of open models are those of their makers' repositories, which most gateways use.
const OPEN_MODELS: &str = "deepinfra";

/// What gateways and repositories write before a model's name, and whose model it then is.
const PREFIXES: [(&str, &str); 30] = [
    ("alibaba", "alibaba"),
    ("anthropic", "anthropic"),
    ("cohere", "cohere"),
    ("coherelabs", "cohere"),
    ("dashscope", "alibaba"),
    ("deepseek", "deepseek"),
    ("deepseek-ai", "deepseek"),
    ("gemini", "google"),
    ("google", "google"),
    ("meta", "meta"),
    ("meta-llama", "meta"),
    ("meta-models", "meta"),
    ("minimax", "minimax"),
    ("minimaxai", "minimax"),
    ("mistral", "mistral"),
    ("mistralai", "mistral"),
    ("moonshot", "moonshot"),
    ("moonshotai", "moonshot"),
    ("openai", "openai"),
    ("qwen", "alibaba"),
    ("thudm", "zai"),
    ("x-ai", "xai"),
    ("xai", "xai"),
    ("xiaomi", "xiaomi"),
    ("xiaomimimo", "xiaomi"),
    ("z-ai", "zai"),
    ("zai", "zai"),
    ("zai-org", "zai"),
    ("zhipu", "zai"),
    ("zhipuai", "zai"),
];

/// Folders that gateways put models in, which say nothing about the maker.
const FOLDERS: [&str; 4] = ["models/", "accounts/fireworks/models/", "pro/", "publishers/google/models/"];

/// What OpenRouter appends to say how a model is to be served.
const VARIANTS: [&str; 6] = [":free", ":nitro", ":floor", ":online", ":exacto", ":thinking"];

/// What is known of this model at this host (of its base URL, without the port); nothing when the model is not known.
///
/// The id is looked for as it is, then without a date, version or variant at its end, then without what gateways put
/// before it; never by a part of its name. Only at a seller's own host there is a price: a gateway makes its own. On the
/// person's own network only abilities are told: the server there decides on the window, and nothing is paid.
pub fn facts(host: &str, model: &str) -> ModelFacts {
    let catalogue = &*CATALOGUE;
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let model = model.trim().to_ascii_lowercase();
    let anywhere = || ModelFacts { price: None, ..catalogue.anywhere(&model).unwrap_or_default() };
    if let Some((_, seller)) = SELLERS.iter().find(|(name, _)| *name == host) {
        let own = names(&model).find_map(|name| ends(name).find_map(|id| catalogue.exact(seller, id)));
        return own.unwrap_or_default().or(anywhere());
    }
    if Url::parse(&format!("http://{host}/")).is_ok_and(|url| is_at_home(&url)) {
        ModelFacts { window: None, max_output: None, ..anywhere() }
    } else {
        anywhere()
    }
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::read(include_str!("catalogue/models.json")));

/// The file.
#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    models: Vec<Line<'a>>,
}

/// One model at one seller.
#[derive(Deserialize)]
struct Line<'a> {
    host: &'a str,
    id: &'a str,
    window: Option<u32>,
    max_output: Option<u32>,
    pictures: Option<bool>,
    tools: Option<bool>,
    thinks: Option<bool>,
    price: Option<Price>,
}

impl Line<'_> {
    fn facts(&self) -> ModelFacts {
        let Self { window, max_output, pictures, tools, thinks, price, .. } = *self;
        ModelFacts { window, max_output, pictures, tools, thinks, price }
    }
}

/// The facts of each seller, by lowercase id.
#[derive(Default)]
struct Catalogue {
    exact: HashMap<&'static str, HashMap<String, ModelFacts>>,
    /// With dots as dashes: gateways write `claude-sonnet-4.5`, Anthropic `claude-sonnet-4-5`.
    dashed: HashMap<&'static str, HashMap<String, ModelFacts>>,
}

impl Catalogue {
    /// A test reads the file as strictly as it can; here a catalogue that can't be read is an empty one.
    fn read(text: &'static str) -> Self {
        let mut catalogue = Self::default();
        let Ok(file) = serde_json::from_str::<File<'static>>(text) else { return catalogue };
        for line in file.models {
            let id = line.id.to_ascii_lowercase();
            let facts = line.facts();
            catalogue.dashed.entry(line.host).or_default().entry(id.replace('.', "-")).or_insert(facts);
            catalogue.exact.entry(line.host).or_default().insert(id, facts);
        }
        catalogue
    }

    fn exact(&self, seller: &str, id: &str) -> Option<ModelFacts> {
        self.exact.get(seller)?.get(id).copied()
    }

    /// The facts of a model at a host that has none of its own.
    fn anywhere(&self, model: &str) -> Option<ModelFacts> {
        names(model).find_map(|name| {
            // A maker before the name is taken at its word.
            let (maker, bare) = maker(name).map_or((None, name), |(maker, bare)| (Some(maker), bare));
            let fireworks = model.starts_with(FOLDERS[1]).then(|| points(bare));
            let bare = fireworks.as_deref().unwrap_or(bare);
            let makers = || MAKERS.into_iter().filter(move |other| maker.is_none_or(|maker| maker == *other));
            ends(bare)
                .find_map(|id| {
                    let dashed = id.replace('.', "-");
                    let of = |seller| self.exact(seller, id).or_else(|| self.dashed.get(seller)?.get(&dashed).copied());
                    makers().find_map(of)
                })
                .or_else(|| ends(name).find_map(|id| self.exact(OPEN_MODELS, id)))
        })
    }
}

/// The id as it is, and without the folder it is in.
fn names(model: &str) -> impl Iterator<Item = &str> {
    let inside = FOLDERS.iter().find_map(|folder| model.strip_prefix(folder));
    std::iter::once(model).chain(inside)
}

/// The maker before a name, and the name: `anthropic/claude-…`, `us.anthropic.claude-…`.
fn maker(name: &str) -> Option<(&'static str, &str)> {
    let known = |text: &str| PREFIXES.iter().find(|(prefix, _)| *prefix == text).map(|(_, maker)| *maker);
    if let Some((prefix, bare)) = name.split_once('/') {
        return Some((known(prefix)?, bare));
    }
    let (first, rest) = name.split_once('.')?;
    if let Some(maker) = known(first) {
        return Some((maker, rest));
    }
    // Amazon's regions.
    if !matches!(first, "us" | "eu" | "apac" | "global" | "jp" | "au" | "ca" | "us-gov") {
        return None;
    }
    let (prefix, bare) = rest.split_once('.')?;
    Some((known(prefix)?, bare))
}

/// Fireworks' way to write a point between digits, undone: `glm-4p6`.
fn points(name: &str) -> String {
    let digit = |at: usize| name.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let point = |(at, c): (usize, char)| if c == 'p' && at > 0 && digit(at - 1) && digit(at + 1) { '.' } else { c };
    name.char_indices().map(point).collect()
}

/// The id as it is, then shorter and shorter without what only says which edition of a model it is.
fn ends(id: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(id), |id| without_edition(id))
}

fn without_edition(id: &str) -> Option<&str> {
    if let Some(rest) = VARIANTS.iter().find_map(|variant| id.strip_suffix(variant)) {
        return Some(rest);
    }
    if let Some(rest) = id.strip_suffix("-latest") {
        return Some(rest);
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Google's `@001`, `@20250929`, `@default`.
    if let Some((rest, version)) = id.rsplit_once('@')
        && (digits(version) || version == "default" || version == "latest")
    {
        return Some(rest);
    }
    let (rest, last) = id.rsplit_once('-')?;
    // Amazon's `-v1:0`.
    if let Some((major, minor)) = last.strip_prefix('v').and_then(|version| version.split_once(':')) {
        return (digits(major) && digits(minor)).then_some(rest);
    }
    if !digits(last) {
        return None;
    }
    match last.len() {
        // A version of Google's, `-001`.
        3 if last.starts_with('0') => Some(rest),
        8 if is_date(&last[..4], &last[4..6], &last[6..]) => Some(rest),
        2 => {
            let (rest, month) = rest.rsplit_once('-')?;
            let (rest, year) = rest.rsplit_once('-')?;
            is_date(year, month, last).then_some(rest)
        }
        _ => None,
    }
}

fn is_date(year: &str, month: &str, day: &str) -> bool {
    let within = |text: &str, length: usize, range: std::ops::RangeInclusive<u32>| {
        text.len() == length && text.parse().is_ok_and(|number| range.contains(&number))
    };
    within(year, 4, 2020..=2099) && within(month, 2, 1..=12) && within(day, 2, 1..=31)
}

#[cfg(test)]
mod tests;
