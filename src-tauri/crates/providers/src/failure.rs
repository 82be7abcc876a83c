// SPDX-License-Identifier: Apache-2.0
//! What went wrong, in the provider's own words and with what to do next. Nothing here knows secrets: whoever sends these
//! out cleans them.

use bailey_net::{NotPrivate, Redirected, cause, is_private};
use bailey_ports::ModelError;
use bailey_protocol::RunErrorKind as Kind;
use serde_json::Value;
use std::error::Error;
use std::time::{Duration, SystemTime};
use url::{Host, Url};

/// A provider's words are kept up to this many bytes.
pub(crate) const MAX_WORDS: usize = 2048;

/// The beginning of a text, at most [`MAX_WORDS`] bytes.
pub(crate) fn cut(text: &str) -> &str {
    let mut end = text.len().min(MAX_WORDS);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Where a request went, for advice.
pub(crate) struct Place<'a> {
    pub(crate) base: &'a Url,
    pub(crate) model: &'a str,
    pub(crate) has_key: bool,
}

/// A provider's words about an error, and its short names for it.
#[derive(Debug, Default, PartialEq)]
struct Said {
    words: String,
    /// `code` and `type`, lower case.
    codes: Vec<String>,
    status: Option<u16>,
    /// How long to wait, where the body says it.
    retry_after: Option<Duration>,
}

impl Said {
    fn of(body: &str) -> Self {
        let body = body.trim();
        // Several values, as a gateway appends them, or an array of one.
        let value = serde_json::Deserializer::from_str(body).into_iter::<Value>().next().and_then(Result::ok);
        let value = match value {
            Some(Value::Array(values)) => values.into_iter().next(),
            other => other,
        };
        let mut said = Said::default();
        match &value {
            Some(value @ Value::Object(_)) => said.look(value, 0),
            Some(Value::String(text)) => said.words = text.clone(),
            _ => said.words = if body.starts_with('<') { title(body) } else { body.to_owned() },
        }
        if said.words.is_empty()
            && value.is_some_and(|value| value.as_object().is_some_and(|object| !object.is_empty()))
        {
            said.words = body.to_owned();
        }
        said.words = cut(said.words.trim()).to_owned();
        said
    }

    /// Takes what is at this level, the outermost words last: the innermost are the most exact.
    fn look(&mut self, value: &Value, depth: usize) {
        if depth > 4 {
            return;
        }
        for key in ["code", "type", "status"] {
            match value.get(key) {
                Some(Value::String(text)) => self.codes.push(text.to_lowercase()),
                Some(Value::Number(number)) => {
                    let number = number.as_u64().and_then(|n| u16::try_from(n).ok());
                    self.status = self.status.or(number.filter(|n| (400..600).contains(n)));
                    self.codes.extend(number.map(|n| n.to_string()));
                }
                _ => {}
            }
        }
        for key in ["error", "errors", "detail", "message", "msg", "error_description"] {
            match value.get(key) {
                Some(Value::String(text)) if !text.is_empty() => match serde_json::from_str::<Value>(text) {
                    // An error in an error, as text.
                    Ok(inner @ Value::Object(_)) => self.look(&inner, depth + 1),
                    _ if self.words.is_empty() => self.words = text.clone(),
                    _ => {}
                },
                Some(inner @ Value::Object(_)) => self.look(inner, depth + 1),
                Some(Value::Array(list)) => list.first().into_iter().for_each(|inner| match inner {
                    Value::String(text) if self.words.is_empty() => self.words = text.clone(),
                    inner => self.look(inner, depth + 1),
                }),
                _ => {}
            }
        }
        // OpenRouter passes on what the provider behind it said.
        if let Some(raw) = value.get("metadata").and_then(|metadata| metadata.get("raw")) {
            let raw = raw.as_str().map_or_else(|| raw.to_string(), str::to_owned);
            let inner = Said::of(&raw);
            if !inner.words.is_empty() {
                self.words = format!("{}: {}", self.words, inner.words);
            }
            self.codes.extend(inner.codes);
            self.retry_after = self.retry_after.or(inner.retry_after);
        }
        for detail in value.get("details").and_then(Value::as_array).into_iter().flatten() {
            self.look_at_detail(detail);
        }
    }

    /// Google says in details which limit it was and when it ends.
    fn look_at_detail(&mut self, detail: &Value) {
        let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_lowercase);
        if let Some(delay) = text(detail, "retryDelay") {
            let (number, unit) = match delay.strip_suffix("ms") {
                Some(number) => (number, 1e-3),
                None => (delay.trim_end_matches('s'), 1.0),
            };
            let seconds = number.trim().parse::<f64>().ok().map(|number| number * unit);
            self.retry_after = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        }
        self.codes.extend(text(detail, "reason"));
        self.codes.extend(detail.get("metadata").and_then(|metadata| text(metadata, "quota_limit")));
        let violations = detail.get("violations").and_then(Value::as_array).into_iter().flatten();
        self.codes.extend(violations.filter_map(|violation| text(violation, "quotaId")));
    }

    fn has(&self, words: &[&str]) -> bool {
        let text = self.words.to_lowercase();
        words.iter().any(|word| text.contains(word) || self.codes.iter().any(|code| code.contains(word)))
    }

    /// What the words say, whatever the status.
    fn kind(&self) -> Option<Kind> {
        const CAP: &[&str] = &["max_tokens", "max_completion_tokens", "max_new_tokens", "max_output_tokens"];
        const LONG: &[&str] = &[
            "context_length_exceeded",
            "context length",
            "context_length",
            "context window",
            "context limit",
            "context size",
            "maximum context",
            "too many tokens",
            "token limit exceeded",
            "prompt is too long",
            "prompt too long",
            "input is too long",
            "input length",
            "input token count",
            "exceeds the maximum number of tokens",
            "exceed_context_size",
            "reduce the length of the messages",
            "reduce your message size",
            "string_above_max_length",
            "request too large",
            "request payload size exceeds",
            "maximum prompt length is",
            "exceeded model token limit",
            "prompt exceeds max length",
            "prompt 超长",
            "maximum allowed input length",
        ];
        const QUOTA: &[&str] = &[
            "insufficient_quota",
            "insufficient quota",
            "insufficient balance",
            "insufficient_balance",
            "insufficient credit",
            "insufficient_credit",
            "exceeded your current quota",
            "out of credit",
            "credit balance is too low",
            "billing_hard_limit",
            "billing_not_active",
            "arrearage",
            "used all available credits",
            "monthly spending limit",
            "specified api usage limits",
            "exceeded_current_quota",
            "余额不足",
            "欠费",
        ];
        let both = |one: &str, other: &str| self.has(&[one]) && self.has(&[other]);
        if self.has(&["context_length_exceeded", "`inputs` tokens"])
            || both("input length", "context")
            || both("prompt token count", "exceeds the limit of")
        {
            return Some(Kind::TooLong);
        }
        // Google has the same words for a minute's limit, a day's, and one that is nothing at all.
        if self.has(&["perday", "per_day"]) || self.has(&["limit: 0,", "limit: 0\n"]) {
            return Some(Kind::Quota);
        }
        if self.has(&["perminute", "per_minute"]) || (self.retry_after.is_some() && self.has(&["resource_exhausted"])) {
            return Some(Kind::Rate);
        }
        if self.has(QUOTA) {
            return Some(Kind::Quota);
        }
        // The answer's limit is too high, which a shorter conversation would not mend.
        if self.has(CAP) {
            return Some(Kind::Invalid);
        }
        if self.has(LONG) {
            return Some(Kind::TooLong);
        }
        if self.has(&[
            "content_filter",
            "content_policy",
            "data_inspection_failed",
            "responsibleaipolicy",
            "content management policy",
            "usage policy",
            "usage policies",
            "usage guidelines",
            "was flagged",
            "requires moderation",
            "content filtering policy",
            "content exists risk",
        ]) {
            return Some(Kind::Refused);
        }
        if self.has(&[
            "invalid_api_key",
            "incorrect api key",
            "invalid api key",
            "api key not valid",
            "api_key_invalid",
            "api key expired",
            "invalid_authentication",
            "authentication_error",
            "unauthorized",
        ]) {
            return Some(Kind::Auth);
        }
        if self.has(&["rate_limit", "rate limit", "too many requests", "ratelimit", "resource_exhausted"]) {
            return Some(Kind::Rate);
        }
        if self.has(&["overloaded", "engine is currently", "capacity", "unavailable", "too busy", "server is busy"]) {
            return Some(Kind::Overloaded);
        }
        if self.has(&["server_error", "internal error", "bad gateway"]) {
            return Some(Kind::Server);
        }
        let invalid =
            ["invalid_request", "invalid_argument", "not_found", "not found", "does not exist", "unsupported"];
        self.has(&invalid).then_some(Kind::Invalid)
    }
}

/// Whether a refusal, in lower case, says that the model sees no pictures; not that one picture is at fault.
pub(crate) fn sees_nothing(said: &str) -> bool {
    const ONE: &[&str] = &["unsupported image", "format", "invalid_image", "image_parse", "size", "download"];
    const NONE: &[&str] = &[
        "not support image",
        "not support vision",
        "not support multimodal",
        "not a multimodal model",
        "support image input",
        "image input is not",
        "image inputs are not",
        "image_url is only supported by",
        "unknown variant `image_url`",
        "input_image is not supported",
        "input_image'. supported values",
        "at most 0 image",
        "only text",
    ];
    let says = |any: &[&str]| any.iter().any(|words| said.contains(words));
    says(NONE) && !says(ONE)
}

/// What a provider says in an error's body.
pub(crate) fn words(body: &str) -> String {
    Said::of(body).words
}

/// The title of a web page; the page is of no use to anybody.
fn title(page: &str) -> String {
    let lower = page.to_ascii_lowercase();
    let inside = lower.find("<title").and_then(|at| lower[at..].find('>').map(|end| at + end + 1));
    let title =
        inside.and_then(|from| lower[from..].find("</title").map(|end| page[from..from + end].trim().to_owned()));
    title.filter(|title| !title.is_empty()).unwrap_or_else(|| "a web page".to_owned())
}

/// The error behind an HTTP status other than success.
pub(crate) fn refused(place: &Place<'_>, status: u16, body: &str, retry_after: Option<Duration>) -> ModelError {
    let said = Said::of(body);
    let words = said.kind();
    let kind = match status {
        401 => Kind::Auth,
        402 => Kind::Quota,
        403 | 404 if words == Some(Kind::Quota) => Kind::Quota,
        403 if words == Some(Kind::Refused) => Kind::Refused,
        403 => Kind::Auth,
        404 | 405 | 410 => Kind::Invalid,
        408 => Kind::Timeout,
        413 if words == Some(Kind::Invalid) => Kind::Invalid,
        413 => Kind::TooLong,
        429 if words == Some(Kind::Quota) => Kind::Quota,
        // One request alone is beyond the minute's limit: waiting does not make it shorter.
        429 if words == Some(Kind::TooLong)
            && !said.has(&["too many tokens", "please wait", "try again in", "try again later"]) =>
        {
            Kind::TooLong
        }
        429 => Kind::Rate,
        400 | 422 => {
            words.filter(|kind| !matches!(kind, Kind::Server | Kind::Overloaded | Kind::Rate)).unwrap_or(Kind::Invalid)
        }
        503 | 529 if !matches!(words, Some(Kind::TooLong | Kind::Quota)) => Kind::Overloaded,
        500.. => match words {
            Some(kind @ (Kind::TooLong | Kind::Quota | Kind::Overloaded)) => kind,
            _ => Kind::Server,
        },
        _ => Kind::Invalid,
    };
    let mut error = explained(kind, Some(place), Some(status), &said.words);
    error.retry_after = retry_after.or(said.retry_after);
    error
}

/// An error object in the middle of a stream, or in place of an answer.
pub(crate) fn in_stream(body: &str) -> ModelError {
    let said = Said::of(body);
    let kind = said.kind().unwrap_or(match said.status {
        Some(401 | 403) => Kind::Auth,
        Some(402) => Kind::Quota,
        Some(408) => Kind::Timeout,
        Some(413) => Kind::TooLong,
        Some(429) => Kind::Rate,
        Some(503 | 529) => Kind::Overloaded,
        Some(400..=499) => Kind::Invalid,
        // OpenAI's codes for what is wrong with the request itself.
        _ if said.has(&["invalid_request", "invalid_prompt", "invalid_argument", "invalid_image", "unsupported_"]) => {
            Kind::Invalid
        }
        _ => Kind::Server,
    });
    ModelError { retry_after: said.retry_after, ..explained(kind, None, said.status, &said.words) }
}

fn explained(kind: Kind, place: Option<&Place<'_>>, status: Option<u16>, words: &str) -> ModelError {
    let advice = match (kind, status, place) {
        (Kind::Auth, Some(403), _) => "The provider does not let this key do that. Check in its console what the key may do, and whether it serves your region.".to_owned(),
        (Kind::Auth, _, Some(Place { has_key: false, .. })) => "The provider wants a key and none is set. Enter one in the model settings.".to_owned(),
        (Kind::Auth, ..) => "The provider did not accept the key. Check it in the model settings: it may be cut, expired or another provider's.".to_owned(),
        (Kind::Quota, ..) => "The account at the provider has no credit left. Top it up there, or choose another model.".to_owned(),
        (Kind::Rate, ..) => "The provider got too many requests. Wait a little and try again.".to_owned(),
        (Kind::TooLong, ..) => "The conversation is longer than the model can read. Start a new one, or choose a model with a larger window.".to_owned(),
        (Kind::Refused, ..) => "The provider's filter will not answer this. Say it differently, or choose another model.".to_owned(),
        (Kind::Timeout, ..) => "The provider took too long. Try again.".to_owned(),
        (Kind::Overloaded, ..) => "The provider has too much to do. Try again in a little while, or choose another model.".to_owned(),
        (Kind::Server, ..) => "The provider has a fault. Try again in a little while, or choose another model.".to_owned(),
        (Kind::Invalid, Some(404 | 405 | 410), Some(place)) => format!(
            "Nothing answers there. Check the base URL ({}) and the model's name ({}) in the model settings.",
            place.base, place.model
        ),
        _ => "The provider did not take the request. Check the model in the settings, or try again.".to_owned(),
    };
    let status = status.map(|status| format!("HTTP {status}"));
    let details: Vec<&str> =
        status.as_deref().into_iter().chain(Some(words).filter(|words| !words.is_empty())).collect();
    ModelError { details: (!details.is_empty()).then(|| details.join(": ")), ..ModelError::new(kind, advice) }
}

/// The request did not get through, or its answer broke off before it began.
pub(crate) fn unreachable(base: &Url, problem: &reqwest::Error) -> ModelError {
    let mut source: Option<&(dyn Error + 'static)> = Some(problem);
    while let Some(inner) = source {
        if inner.is::<Redirected>() || inner.is::<NotPrivate>() {
            return ModelError::new(Kind::Invalid, sentence(&inner.to_string()));
        }
        source = inner.source();
    }
    let reason = cause(problem);
    let advice = if problem.is_connect() && bailey_net::is_loopback(base) {
        "Start the model server on this machine, or check the port."
    } else if problem.is_connect() && base.scheme() == "https" && at_home(base) {
        "Check that the server is running; if it speaks plain HTTP, begin the base URL with http://."
    } else if problem.is_connect() {
        "Check the connection to the internet and the base URL in the model settings."
    } else {
        "The connection broke. Try again."
    };
    let reason = if problem.is_timeout() { "no connection within 10 s".to_owned() } else { reason };
    ModelError::new(Kind::Network, format!("{base} can't be reached: {reason}. {advice}"))
}

fn at_home(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => is_private(ip.into()),
        Some(Host::Ipv6(ip)) => is_private(ip.into()),
        Some(Host::Domain(name)) => name.ends_with(".local"),
        None => false,
    }
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}.", chars.as_str().trim_end_matches('.'))
}

/// Nothing came for so long.
pub(crate) fn silent(waited: Duration) -> ModelError {
    let advice = "Try again; a model on this machine may still be loading.";
    ModelError::new(Kind::Timeout, format!("Nothing came from the model for {} s. {advice}", waited.as_secs()))
}

/// The bytes ended before the model said why it stopped.
pub(crate) fn interrupted(spoke: bool, unread: &str) -> ModelError {
    let what = if spoke {
        "The connection ended in the middle of the answer."
    } else {
        "The connection ended before an answer came."
    };
    let details = (!unread.is_empty()).then(|| unread.to_owned());
    ModelError { details, ..ModelError::new(Kind::Interrupted, format!("{what} Try again.")) }
}

/// A finish reason that means a fault.
pub(crate) fn gave_up(reason: &str) -> ModelError {
    explained(Kind::Server, None, None, &format!("finish reason {}", cut(reason)))
}

/// More came than any answer has.
pub(crate) fn too_large() -> ModelError {
    ModelError::new(
        Kind::Invalid,
        "What the endpoint sent is larger than any answer. Check that the base URL is that of a model server.",
    )
}

/// A web page in place of an answer.
pub(crate) fn page(text: &str) -> ModelError {
    let title = title(text);
    ModelError::new(
        Kind::Invalid,
        format!(
            "The endpoint answered with a web page ({}), not as a model. Check the base URL; on a public network, sign in to it first.",
            cut(&title)
        ),
    )
}

/// JSON that is neither an answer nor an error.
pub(crate) fn not_an_answer(text: &str) -> ModelError {
    let said = Said::of(text);
    let details = (!said.words.is_empty()).then_some(said.words);
    ModelError {
        details,
        ..ModelError::new(Kind::Invalid, "The endpoint did not answer as a model does. Check the base URL.")
    }
}

/// The wait a provider asks for: seconds, perhaps with a fraction, or a date; `now` is what a date is compared with.
pub(crate) fn retry_after(headers: &reqwest::header::HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
    if let Some(ms) = text("retry-after-ms").and_then(number) {
        return Duration::try_from_secs_f64(ms / 1000.0).ok();
    }
    let value = text("retry-after")?;
    match number(value) {
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        None => httpdate::parse_http_date(value).ok().map(|date| date.duration_since(now).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests;
