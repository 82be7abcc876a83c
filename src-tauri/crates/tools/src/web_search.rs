// SPDX-License-Identifier: Apache-2.0
mod bing;
mod brave;
mod brave_api;
mod duckduckgo;
mod engine;
mod mojeek;
mod redirect;
mod searxng;
mod tavily;

use crate::arguments::{integer, schema, text};
use crate::web::{failure, outside};
use async_trait::async_trait;
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{Secret, Tool, ToolContext, ToolFailure, ToolResult, Web, WebError};
use bailey_protocol::{Millis, Part};
use engine::{Engine, Found, Hit, Query, Range};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

/// Who is asked when the web is searched.
#[derive(Clone, Debug, Default)]
pub enum SearchChoice {
    /// Public engines that want no key: the first that answers.
    #[default]
    Automatic,
    /// A SearXNG of the person's own.
    Searxng {
        /// Its base URL.
        base_url: String,
    },
    /// Brave's search API.
    Brave {
        /// The person's key for it.
        key: Secret,
    },
    /// Tavily's search API.
    Tavily {
        /// The person's key for it.
        key: Secret,
    },
}

/// Says who is asked, at each search anew.
pub type ChooseSearch = Arc<dyn Fn() -> SearchChoice + Send + Sync>;

/// Searches the web.
pub(crate) struct WebSearch {
    spec: ToolSpec,
    web: Arc<dyn Web>,
    choose: ChooseSearch,
    public: [Box<dyn Engine>; 4],
    /// Until when a public engine is not asked again.
    resting: Mutex<HashMap<&'static str, Millis>>,
}

/// Why an engine gave nothing.
enum Trouble {
    /// It will not answer for so many milliseconds.
    Rests(String, Millis),
    /// It may answer the next time.
    Away(WebError),
    /// It does not take the person's key, or is not set up.
    Settings(String),
}

impl WebSearch {
    const COUNT: u64 = 10;
    /// After a captcha, a 403, a page of another shape.
    const REST: Millis = 10 * 60 * 1000;
    const LONGEST_REST: Millis = 60 * 60 * 1000;

    pub(crate) fn new(web: Arc<dyn Web>, choose: ChooseSearch) -> Self {
        let spec = ToolSpec {
            name: "web_search".into(),
            description: "Searches the web and returns titles, short extracts and addresses. Use it for what may have \
                changed since you were trained, for facts you are not sure of, and to find the page to read. Extracts \
                are short and can be old: before you rely on one, open its address, unchanged, with web_read. Do not \
                use it to open an address you have (web_read), for the weather (get_weather), or for what the person \
                told you earlier (memory_search), and leave private details out of the query."
                .into(),
            schema: schema(
                json!({
                    "query": {
                        "type": "string", "minLength": 1, "maxLength": 400,
                        "description": "A few words, in the language the pages would be in.",
                    },
                    "count": {
                        "type": "integer", "minimum": 1, "maximum": 20, "default": Self::COUNT,
                        "description": "How many results to return at most.",
                    },
                    "page": {
                        "type": "integer", "minimum": 1, "maximum": 10, "default": 1,
                        "description": "The page of results; 2 for more of the same.",
                    },
                    "time_range": {
                        "type": "string", "enum": Range::NAMES,
                        "description": "Only pages from the last day, week, month or year.",
                    },
                }),
                &["query"],
            ),
            example: json!({ "query": "ferry Split to Hvar timetable", "time_range": "month" }),
            facts: ToolFacts { read_only: true, outside: true, egress: true, ..ToolFacts::LOW },
            arguments: BTreeMap::from([
                ("query".into(), ArgumentRole::Text),
                ("count".into(), ArgumentRole::Neutral),
                ("page".into(), ArgumentRole::Neutral),
                ("time_range".into(), ArgumentRole::Neutral),
            ]),
            kind: ToolKind::Run,
        };
        let public: [Box<dyn Engine>; 4] =
            [Box::new(duckduckgo::DuckDuckGo), Box::new(brave::Brave), Box::new(bing::Bing), Box::new(mojeek::Mojeek)];
        Self { spec, web, choose, public, resting: Mutex::default() }
    }

    /// Asks one engine.
    async fn ask(&self, engine: &dyn Engine, query: &Query<'_>) -> Result<Vec<Hit>, Trouble> {
        let name = engine.name();
        let request = engine.request(query).ok_or_else(|| {
            Trouble::Settings(format!("{name} can't be asked for this: its address is wrong, or it has no such page"))
        })?;
        let response = self.web.fetch(request).await.map_err(Trouble::Away)?;
        let status = response.status;
        let rest = |why: String| {
            let rest = response.retry_after.map_or(Self::REST, |seconds| Millis::from(seconds) * 1000);
            Trouble::Rests(why, rest.clamp(60_000, Self::LONGEST_REST))
        };
        match status {
            200..=299 => {}
            401 => return Err(Trouble::Settings(format!("{name} does not take the key (HTTP 401)"))),
            429 => return Err(rest(format!("{name} was asked too often (HTTP 429)"))),
            403 => return Err(rest(format!("{name} refused (HTTP 403)"))),
            _ => return Err(rest(format!("{name} answered with HTTP {status}"))),
        }
        let body = response.bytes().await.map_err(Trouble::Away)?;
        let rest = |why: String| Trouble::Rests(why, Self::REST);
        match engine.read(&String::from_utf8_lossy(&body), query) {
            Found::Hits(hits) => Ok(hits),
            Found::Nothing => Ok(Vec::new()),
            // One that asks for a person says so with a status of success.
            Found::Changed if status == 200 => {
                Err(rest(format!("{name} answered with something that is no list of results")))
            }
            Found::Blocked | Found::Changed => Err(rest(format!("{name} wants to know whether this is a person"))),
        }
    }

    /// The first public engine that has results.
    async fn ask_public(&self, query: &Query<'_>) -> Result<(&'static str, Vec<Hit>), ToolFailure> {
        let mut troubles = Vec::new();
        let mut knows_nothing = None;
        for engine in &self.public {
            let name = engine.name();
            if let Some(until) = self.rests(name, query.now) {
                troubles.push(format!("{name} is not asked for another {} min", (until - query.now) / 60_000 + 1));
                continue;
            }
            if engine.request(query).is_none() {
                continue;
            }
            match self.ask(engine.as_ref(), query).await {
                Ok(hits) if !hits.is_empty() => return Ok((name, hits)),
                Ok(_) => knows_nothing = Some(name),
                Err(Trouble::Rests(why, rest)) => {
                    tracing::info!(engine = name, why, "a search engine is left alone for a while");
                    self.resting().insert(name, query.now + rest);
                    troubles.push(why);
                }
                Err(Trouble::Away(error)) => troubles.push(format!("{name}: {error}")),
                Err(Trouble::Settings(why)) => troubles.push(why),
            }
        }
        if let Some(name) = knows_nothing {
            return Ok((name, Vec::new()));
        }
        Err(ToolFailure::new(format!(
            "no search engine answered. {}. Go on with a page you know (web_read), or try again in some minutes; if it \
             stays so, tell the person that an engine of their own can be chosen in Settings",
            troubles.join(". ")
        )))
    }

    /// The engine that the person chose, and no other: they may have chosen it so that nobody else learns what they look for.
    async fn ask_chosen(
        &self,
        engine: &dyn Engine,
        query: &Query<'_>,
    ) -> Result<(&'static str, Vec<Hit>), ToolFailure> {
        match self.ask(engine, query).await {
            Ok(hits) => Ok((engine.name(), hits)),
            Err(Trouble::Away(error)) => Err(failure(&error)),
            Err(Trouble::Settings(why)) => {
                Err(ToolFailure::new(format!("{why}. Tell the person to look at the search engine in Settings")))
            }
            Err(Trouble::Rests(why, _)) => Err(ToolFailure::new(format!(
                "{why}. Try again in some minutes; if it stays so, tell the person to look at the search engine in \
                 Settings (a SearXNG must allow the format json, and a key may be used up)"
            ))),
        }
    }

    fn rests(&self, name: &str, now: Millis) -> Option<Millis> {
        self.resting().get(name).copied().filter(|until| *until > now)
    }

    fn resting(&self) -> std::sync::MutexGuard<'_, HashMap<&'static str, Millis>> {
        self.resting.lock().unwrap_or_else(|e| e.into_inner())
    }
}

#[async_trait]
impl Tool for WebSearch {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, context: ToolContext) -> ToolResult {
        let arguments = approval.arguments();
        let query = Query {
            text: text(arguments, "query").trim(),
            page: integer(arguments, "page").unwrap_or(1).clamp(1, 10),
            count: integer(arguments, "count").unwrap_or(Self::COUNT).clamp(1, 20),
            range: Range::of(text(arguments, "time_range")),
            now: context.now,
        };
        if query.text.is_empty() {
            return Err(ToolFailure::new("the query is empty. Pass the words to search for"));
        }
        let (name, hits) = match (self.choose)() {
            SearchChoice::Automatic => self.ask_public(&query).await?,
            SearchChoice::Searxng { base_url } => self.ask_chosen(&searxng::Searxng { base_url }, &query).await?,
            SearchChoice::Brave { key } => self.ask_chosen(&brave_api::BraveApi { key }, &query).await?,
            SearchChoice::Tavily { key } => self.ask_chosen(&tavily::Tavily { key }, &query).await?,
        };
        if hits.is_empty() {
            let said = match query.page {
                1 => "found nothing. Try fewer or other words, or another language",
                _ => "has no further results. Try other words",
            };
            return Ok(vec![Part::plain(format!("{name} {said}."))]);
        }
        let labels = outside(&self.spec.name, name);
        let count = usize::try_from(query.count).unwrap_or(usize::MAX);
        let parts = hits.into_iter().take(count).enumerate().flat_map(|(at, hit)| {
            let said = format!("{}. {}\n{}", at + 1, hit.title, hit.snippet);
            let said = Part::labelled(said.trim_end(), labels.clone());
            [said, Part { labels: labels.clone(), ..Part::link(hit.url) }]
        });
        Ok(parts.collect())
    }
}
