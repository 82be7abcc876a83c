// SPDX-License-Identifier: Apache-2.0
//! What a person pasted to add a provider: a key, a URL, both, a command, settings of an environment, a piece of JSON.

mod keys;
mod places;
mod words;

pub use places::{Preset, presets};

use bailey_net::{is_at_home, is_loopback, normalize_base_url};
use bailey_ports::Secret;
use bailey_protocol::ProviderKind::{self, Anthropic, Gemini, OpenaiChat, OpenaiResponses};
use keys::of_key;
use places::{PLACES, Place};
use url::Url;
use words::{Word, is_variable, words};

/// What a pasted text seems to be.
#[derive(Clone, Debug)]
pub struct Recognised {
    /// The protocol.
    pub kind: ProviderKind,
    /// A name for people: the provider's, or the host's; empty when the key could be several providers'.
    pub name: String,
    /// The base URL as it is used, without a key in it; empty when the key could be several providers' or regions': a key
    /// is sent nowhere on a guess.
    pub base_url: String,
    /// The key in the text, if any.
    pub key: Option<Secret>,
    /// Whether it can hardly be anything else.
    pub sure: bool,
}

/// Recognises what was pasted; `None` when there is neither a key that shows whose it is nor a URL that a model may have.
pub fn recognise(text: &str) -> Option<Recognised> {
    let words = words(text);
    let hints = Hints::of(text, &words);
    let address = words
        .iter()
        .filter_map(Address::of)
        .enumerate()
        .max_by_key(|(at, address)| (address.weight(), std::cmp::Reverse(*at)))
        .map(|(_, address)| address);
    let key = key(&words, address.as_ref());
    match address {
        Some(address) => address.recognised(&hints, key),
        None => key_alone(&hints, key?),
    }
}

/// What a text says beside its URL and its key.
struct Hints {
    /// The places that are called by their name, in a label or in the text.
    places: Vec<&'static Place>,
    /// The protocol that a variable or a header belongs to.
    kind: Option<ProviderKind>,
}

impl Hints {
    fn of(text: &str, words: &[Word]) -> Self {
        let text = text.to_lowercase();
        // `ANTHROPIC_AUTH_TOKEN=…` says more than the word Claude elsewhere; the first to speak is believed.
        let labels: Vec<&str> =
            words.iter().map(|word| word.label.as_str()).filter(|label| !label.is_empty()).collect();
        let first = |label: &str| label.split('_').next().unwrap_or_default().to_owned();
        let called =
            |name: &str| -> Vec<&'static Place> { PLACES.iter().filter(|place| place.words.contains(&name)).collect() };
        let places = labels.iter().map(|label| called(&first(label))).find(|places| !places.is_empty());
        let places = places.unwrap_or_else(|| {
            let spoken = |word: &str| {
                if word.is_ascii() {
                    words
                        .iter()
                        .any(|other| other.text.trim_end_matches(['.', ':', '!', '?']).eq_ignore_ascii_case(word))
                } else {
                    text.contains(word)
                }
            };
            PLACES.iter().filter(|place| place.words.iter().any(|word| spoken(word))).collect()
        });
        let kind = labels.iter().find_map(|label| match *label {
            "anthropic_version" | "anthropic_beta" => Some(Anthropic),
            "x_goog_api_key" => Some(Gemini),
            _ if !is_key_label(label) && !is_address_label(label) => None,
            _ => match first(label).as_str() {
                "anthropic" | "claude" => Some(Anthropic),
                "gemini" | "google" => Some(Gemini),
                "openai" => Some(OpenaiChat),
                _ => None,
            },
        });
        Self { places, kind }
    }
}

fn is_key_label(label: &str) -> bool {
    let joined: String = label.chars().filter(|c| *c != '_').collect();
    ["key", "token", "secret", "authorization", "auth"].iter().any(|end| joined.ends_with(end))
        && !["publickey", "foreignkey", "primarykey", "sshkey"].iter().any(|end| joined.ends_with(end))
}

fn is_address_label(label: &str) -> bool {
    ["url", "base", "endpoint", "host", "uri", "address"].iter().any(|end| label.ends_with(end)) || label == "api"
}

/// A URL of the text.
struct Address {
    url: Url,
    /// The key in its query, if any.
    key: Option<String>,
    place: Option<&'static Place>,
    /// Whether this is a page for people and not the API.
    is_page: bool,
    /// The protocol that the path speaks.
    shape: Option<ProviderKind>,
    /// Whether the path is that of a request or has a version.
    is_api: bool,
    labelled: bool,
}

impl Address {
    fn of(word: &Word) -> Option<Self> {
        let text = word.text.trim_end_matches(['.', ':', '!', '?', '*', '_', '&']);
        let labelled = is_address_label(&word.label);
        let has_scheme = text.contains("://");
        let mut url = if has_scheme {
            Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?
        } else {
            // Whether it is an address at all has to show; a mail address is none.
            let url = Url::parse(&format!("https://{text}")).ok().filter(|url| url.username().is_empty())?;
            let domain = url.domain().is_some_and(|name| {
                let last = name.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
                name.contains('.') && last.len() >= 2 && last.bytes().all(|byte| byte.is_ascii_alphabetic())
            });
            let quad = text.split(['/', ':']).next().is_some_and(|host| host.split('.').count() == 4)
                && url.domain().is_none();
            let known = of_host(&url).is_some() || Shape::of(&url, None).is_api;
            if !(is_loopback(&url) || quad || (domain && (labelled || known))) {
                return None;
            }
            // A model server's usual port speaks cleartext.
            let local = is_loopback(&url) || of_host(&url).is_some_and(|(place, _)| place.host.is_empty());
            if local { Url::parse(&format!("http://{text}")).ok()? } else { url }
        };
        let key = url
            .query_pairs()
            .find(|(name, _)| is_key_label(&name.to_ascii_lowercase().replace('-', "_")))
            .map(|(_, value)| value.into_owned())
            .filter(|value| could_be_key(value));
        let (place, is_page) = of_host(&url).map_or((None, false), |(place, is_page)| (Some(place), is_page));
        if place.is_some() && url.scheme() == "http" && !is_at_home(&url) {
            // A key is not sent in the clear to somebody who takes it encrypted.
            url.set_scheme("https").ok()?;
        }
        let Shape { kind: shape, is_api } = Shape::of(&url, place);
        Some(Self { url, key, place, is_page, shape, is_api, labelled })
    }

    /// How likely this is the one that is meant, among several.
    fn weight(&self) -> u8 {
        let api = self.place.is_some() && !self.is_page;
        [(self.shape.is_some(), 4), (self.is_api, 2), (api, 4), (self.labelled, 2), (is_at_home(&self.url), 1)]
            .iter()
            .map(|(is, weight)| if *is { *weight } else { 0 })
            .sum()
    }

    fn recognised(self, hints: &Hints, key: Option<String>) -> Option<Recognised> {
        let whose = key.as_deref().map(of_key).unwrap_or_default();
        let of_its_key = match whose.as_slice() {
            [place] if matches!(place.preset.kind, Anthropic | Gemini) => Some(place.preset.kind),
            _ => None,
        };
        let place_kind = self.place.map(|place| place.preset.kind);
        let kind = match (self.shape, place_kind) {
            // What OpenAI recommends, whichever of its protocols the text is about.
            (None | Some(OpenaiChat), Some(OpenaiResponses)) if self.is("api.openai.com") => OpenaiResponses,
            (Some(shape), _) => shape,
            // A maker's own host under a variable of Anthropic's.
            (None, Some(OpenaiChat)) => hints.kind.filter(|kind| *kind == Anthropic).unwrap_or(OpenaiChat),
            (None, Some(kind)) => kind,
            (None, None) => hints.kind.or(of_its_key).unwrap_or(OpenaiChat),
        };
        let base = self.base(kind)?;
        // The key of one maker beside the address of another.
        let astray = self.place.is_some_and(|place| {
            !place.host.is_empty() && maker(&whose).is_some_and(|name| Some(name) != maker(&[place]))
        });
        let sure = !astray && (self.place.is_some() || self.shape.is_some() || hints.kind.is_some());
        let name = match self.place {
            Some(place) => place.preset.name.to_owned(),
            None => match base.port() {
                Some(port) => format!("{}:{port}", base.host_str()?),
                None => base.host_str()?.to_owned(),
            },
        };
        let base_url = base.as_str().trim_end_matches('/').to_owned();
        // A key that is part of the address would be stored and shown with it.
        let in_path = |part: &str| key.as_deref() == Some(part) || !of_key(part).is_empty();
        if base.path_segments().into_iter().flatten().any(in_path) {
            return None;
        }
        let key = key.filter(|key| !base_url.contains(key.as_str())).map(|key| Secret::new(&key));
        Some(Recognised { kind, name, base_url, key, sure })
    }

    fn is(&self, host: &str) -> bool {
        self.url.host_str() == Some(host)
    }

    /// The base URL for this protocol.
    fn base(&self, kind: ProviderKind) -> Option<Url> {
        let path = self.url.path().trim_end_matches('/');
        if let Some(place) = self.place.filter(|place| self.is_page || self.is(place.host)) {
            let mut preset = Url::parse(place.preset.base_url).ok()?;
            let bare = self.is_page || !self.is_api || matches!(path, "/v1" | "/chat/completions");
            if kind == Anthropic && !place.anthropic.is_empty() && (bare || path == place.anthropic) {
                preset.set_path(&format!("{}/v1", place.anthropic));
                return Some(preset);
            }
            // Some resource below it that is none of a chat.
            let below =
                self.shape.is_none() && path.strip_prefix(preset.path()).is_some_and(|rest| rest.starts_with('/'));
            if below || (bare && !(path == "/v1" && preset.path().starts_with("/v1"))) {
                return Some(preset);
            }
        }
        let mut url = normalize_base_url(self.url.as_str()).ok()?;
        // Azure's deployments, each with its own address, have a common one, too.
        if let Some(at) = url.path().find("/openai/deployments/") {
            let whole = format!("{}/openai/v1", &url.path()[..at]);
            url.set_path(&whole);
        }
        let last = url.path().rsplit('/').next().unwrap_or_default();
        let versioned = is_version(last);
        match kind {
            // What a server on this machine has besides.
            OpenaiChat if self.place.is_some_and(|place| place.host.is_empty()) && !self.is_api => url.set_path("/v1"),
            Gemini if path.is_empty() => url.set_path("/v1beta"),
            Gemini if !versioned => url.set_path(&format!("{}/v1beta", url.path())),
            Anthropic if !versioned => url.set_path(&format!("{}/v1", url.path())),
            _ => {}
        }
        // What was put together has to pass as well.
        normalize_base_url(url.as_str()).ok().filter(|again| *again == url)
    }
}

/// The place of a host, and whether it is a page there and not the API.
fn of_host(url: &Url) -> Option<(&'static Place, bool)> {
    if is_at_home(url) {
        let port = url.port_or_known_default();
        let at_port = |place: &&Place| {
            place.host.is_empty()
                && port.is_some()
                && Url::parse(place.preset.base_url).is_ok_and(|base| base.port() == port)
        };
        return PLACES.iter().find(at_port).map(|place| (place, false));
    }
    let host = url.domain()?.trim_end_matches('.').to_ascii_lowercase();
    let below = |domain: &str| {
        !domain.is_empty() && (host == domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')))
    };
    let path = url.path();
    // The longest wins: one maker's hosts can lie below another's.
    let api = PLACES.iter().filter(|place| below(place.host)).max_by_key(|place| place.host.len());
    if let Some(place) = api {
        // Some have both on one host.
        let is_page =
            place.sites.contains(&host.as_str()) && !path.trim_end_matches('/').is_empty() && !path.starts_with("/api");
        return Some((place, is_page));
    }
    PLACES.iter().find(|place| place.sites.iter().any(|site| below(site))).map(|place| (place, true))
}

/// What a path tells.
struct Shape {
    kind: Option<ProviderKind>,
    is_api: bool,
}

impl Shape {
    fn of(url: &Url, place: Option<&Place>) -> Self {
        let path = url.path().trim_end_matches('/').to_ascii_lowercase();
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let has = |name: &str| parts.contains(&name);
        let ends = |ending: &str| path.ends_with(ending);
        let kind = if ends("/chat/completions") || ends("/completions") || ends("/embeddings") {
            Some(OpenaiChat)
        } else if ends("/responses") {
            Some(OpenaiResponses)
        } else if ends("/messages") || ends("/messages/count_tokens") {
            Some(Anthropic)
        } else if [":generatecontent", ":streamgeneratecontent", ":counttokens"].iter().any(|method| ends(method)) {
            Some(Gemini)
        } else if has("openai") {
            Some(OpenaiChat)
        } else if has("anthropic") || place.is_some_and(|place| !place.anthropic.is_empty() && path == place.anthropic)
        {
            Some(Anthropic)
        } else if has("v1beta") || has("v1alpha") {
            Some(Gemini)
        } else {
            None
        };
        Self { is_api: kind.is_some() || parts.iter().any(|part| is_version(part)) || has("models"), kind }
    }
}

/// `v1`, `v4`, `v1beta`.
fn is_version(part: &str) -> bool {
    let number = part.strip_prefix(['v', 'V']).unwrap_or_default();
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < number.len() && (rest.is_empty() || rest.starts_with("beta") || rest.starts_with("alpha"))
}

/// The key of the text: one that is called so, one in the URL, one whose shape is a maker's, or, beside a URL, the one
/// word that can be nothing else.
fn key(words: &[Word], address: Option<&Address>) -> Option<String> {
    let bare = |word: &Word| word.text.trim_end_matches(['.', ':', '!', '?']).to_owned();
    let called = |word: &&Word| {
        let by_maker =
            || PLACES.iter().any(|place| place.words.contains(&word.label.as_str())) && is_random(&bare(word));
        (is_key_label(&word.label) || by_maker()) && could_be_key(&bare(word))
    };
    let shaped = |word: &&Word| could_be_key(&bare(word)) && !of_key(&bare(word)).is_empty();
    if let Some(word) = words.iter().find(called) {
        return Some(bare(word));
    }
    if let Some(key) = address.and_then(|address| address.key.clone()) {
        return Some(key);
    }
    if let Some(word) = words.iter().find(shaped) {
        return Some(bare(word));
    }
    let mut random = words.iter().filter(|word| address.is_some() && word.label.is_empty() && is_random(&bare(word)));
    let only = random.next()?;
    random.next().is_none().then(|| bare(only))
}

/// A long word of letters and digits mixed, as nobody writes them.
fn is_random(word: &str) -> bool {
    let has = |what: fn(&u8) -> bool| word.bytes().any(|byte| what(&byte));
    let parts: Vec<usize> = word.split('-').map(str::len).collect();
    // A UUID, or no dashes: names of models have them.
    (parts == [8, 4, 4, 4, 12] || parts.len() == 1)
        && (24..=4096).contains(&word.len())
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// What stands for a key in examples is put together of these.
const SPEAKING: &str =
    "your my the api key apikey token secret here placeholder example insert replace no not needed required";

/// Whether a word that is called a key can be one: neither a placeholder, nor a variable, nor a piece of code.
fn could_be_key(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let signs = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.+/=~:".contains(&byte));
    let is_code =
        ["environ", "getenv", ".env", "...", "://"].iter().any(|code| lower.contains(code)) || is_variable(word);
    if !signs || is_code || !(6..=4096).contains(&word.len()) {
        return false;
    }
    let parts: Vec<&str> = lower.split(['-', '_', '.']).collect();
    let longest = parts.iter().max_by_key(|part| part.len()).copied().unwrap_or_default();
    let is_blank = longest.bytes().all(|byte| byte == b'x') || longest.bytes().all(|byte| byte == b'0');
    let spoken = parts.iter().filter(|part| SPEAKING.split(' ').any(|word| word == **part)).count();
    !is_blank && spoken < 2 && (word.len() >= 20 || word.bytes().any(|byte| byte.is_ascii_digit()))
}

/// What a key without any URL is.
fn key_alone(hints: &Hints, key: String) -> Option<Recognised> {
    let shaped = of_key(&key);
    let called = |place: &&&Place| hints.places.iter().any(|other| std::ptr::eq(*other, **place));
    let both: Vec<&Place> = shaped.iter().filter(called).copied().collect();
    // A name in the text decides among those that the shape leaves; a shape that says nothing leaves it to the name.
    let whose = match (both.is_empty(), shaped.is_empty()) {
        (false, _) => both,
        (true, false) => shaped,
        (true, true) if is_random(&key) => hints.places.clone(),
        (true, true) => return None,
    };
    let first = whose.first()?;
    let key = Some(Secret::new(&key));
    if let [place] = whose.as_slice() {
        let Preset { name, kind, base_url, .. } = place.preset;
        return Some(Recognised { kind, name: name.to_owned(), base_url: base_url.to_owned(), key, sure: true });
    }
    let kind = first.preset.kind;
    let kind = if whose.iter().all(|place| place.preset.kind == kind) { kind } else { OpenaiChat };
    let name = maker(&whose).unwrap_or_default().to_owned();
    Some(Recognised { kind, name, base_url: String::new(), key, sure: false })
}

/// The maker of all these places, if it is one: its regions share its name.
fn maker(places: &[&'static Place]) -> Option<&'static str> {
    let name = |place: &&'static Place| place.preset.name.split(" (").next().unwrap_or_default();
    let first = places.first().map(name)?;
    places.iter().all(|place| name(place) == first).then_some(first)
}

#[cfg(test)]
mod tests;
