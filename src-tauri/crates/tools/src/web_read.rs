// SPDX-License-Identifier: Apache-2.0
use crate::arguments::{integer, schema, text};
use crate::web::{NoText, address, check, failure, host, line, outside, size};
use async_trait::async_trait;
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{Tool, ToolContext, ToolFailure, ToolResult, Web, WebError, WebRequest};
use bailey_protocol::{Millis, Part};
use bailey_reader::{Document, Kind, Page};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Reads a page or a PDF on the web.
pub(crate) struct WebRead {
    spec: ToolSpec,
    web: Arc<dyn Web>,
    /// What was read last, so that the next page of it is of the same text and need not be fetched.
    read: Mutex<VecDeque<Arc<Fetched>>>,
}

/// A document that was fetched.
struct Fetched {
    /// As it was asked for.
    asked: String,
    /// Where it came from in the end.
    url: String,
    at: Millis,
    document: Document,
}

impl WebRead {
    /// Characters of a page of text.
    const PAGE: usize = 12_000;
    /// Bytes that are fetched.
    const LARGEST: u64 = 20 * 1024 * 1024;
    /// How long a document is read from memory.
    const FRESH: Millis = 10 * 60 * 1000;
    const KEPT: usize = 4;

    pub(crate) fn new(web: Arc<dyn Web>) -> Self {
        let spec = ToolSpec {
            name: "web_read".into(),
            description: "Reads one page or PDF on the web and returns its text as markdown, a page of about 12 000 \
                characters at a time. Use it with an address that the person gave or that web_search returned, copied \
                whole and unchanged. Do not put anything you were told in confidence into an address, and do not use it \
                for feeds (fetch_rss), for files to keep (download_file), or for pages that need a login: it has none."
                .into(),
            schema: schema(
                json!({
                    "url": {
                        "type": "string", "minLength": 4, "maxLength": 2000,
                        "description": "The address, http or https.",
                    },
                    "page": {
                        "type": "integer", "minimum": 1, "maximum": 10_000, "default": 1,
                        "description": "Which page of the text; the answer says how many there are.",
                    },
                    "find": {
                        "type": "string", "minLength": 1, "maxLength": 200,
                        "description": "Words that stand in the text just like this: returns the first page, from the given one on, that holds them.",
                    },
                }),
                &["url"],
            ),
            example: json!({ "url": "https://en.wikipedia.org/wiki/Hvar", "find": "ferry" }),
            facts: ToolFacts { read_only: true, outside: true, egress: true, ..ToolFacts::LOW },
            arguments: BTreeMap::from([
                ("page".into(), ArgumentRole::Neutral),
                ("find".into(), ArgumentRole::Text),
            ]),
            kind: ToolKind::Run,
        };
        Self { spec, web, read: Mutex::default() }
    }

    /// The document, fetched or from memory.
    async fn document(&self, url: &str, now: Millis) -> Result<Arc<Fetched>, NoText> {
        let fresh = |fetched: &Fetched| (now - Self::FRESH..=now).contains(&fetched.at);
        if let Some(known) = self.kept().iter().find(|fetched| fetched.asked == url && fresh(fetched)) {
            return Ok(known.clone());
        }
        let accept = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5".to_owned();
        let request = WebRequest {
            accept: Some(accept),
            max_bytes: Self::LARGEST,
            timeout: Duration::from_secs(40),
            ..WebRequest::get(url)
        };
        let response = self.web.fetch(request).await.map_err(|e| not_read(&e))?;
        check(&response).map_err(NoText::Said)?;
        let (from, content_type) = (response.url.clone(), response.content_type.clone());
        let bytes = response.bytes().await.map_err(|e| not_read(&e))?;
        let (place, kind) = (from.clone(), content_type.clone());
        // A long PDF takes seconds.
        let read = tokio::task::spawn_blocking(move || bailey_reader::read(&bytes, kind.as_deref(), &place)).await;
        let document = read.map_err(|e| ToolFailure::new(format!("the page could not be read: {e}")))?;
        let document = document.map_err(|e| {
            let kind = content_type.map(|kind| format!(" ({})", line(&kind, 80))).unwrap_or_default();
            NoText::Said(format!(
                "{} sent what can't be read{kind}. {}",
                host(&from),
                e.to_string().trim_end_matches('.')
            ))
        })?;
        if document.markdown.trim().is_empty() {
            return Err(NoText::Said(format!(
                "the page of {} holds no text: it is empty, or it is drawn by a script or behind a login. Look for \
                 another source with web_search",
                host(&from)
            )));
        }
        let fetched = Arc::new(Fetched { asked: url.to_owned(), url: from, at: now, document });
        let mut kept = self.kept();
        kept.retain(|known| known.asked != url);
        kept.truncate(Self::KEPT - 1);
        kept.push_front(fetched.clone());
        Ok(fetched)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, VecDeque<Arc<Fetched>>> {
        self.read.lock().unwrap_or_else(|e| e.into_inner())
    }
}

#[async_trait]
impl Tool for WebRead {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, context: ToolContext) -> ToolResult {
        let arguments = approval.arguments();
        let url = address(text(arguments, "url"));
        match self.document(&url, context.now).await.and_then(|fetched| self.page(&fetched, &url, arguments)) {
            Ok(part) => Ok(vec![part]),
            Err(none) => none.told(&self.spec.name, &url),
        }
    }
}

impl WebRead {
    /// Characters of a page that is hardly all of it.
    const LITTLE: usize = 80;

    /// The page of the text that is asked for.
    fn page(&self, fetched: &Fetched, url: &str, arguments: &Value) -> Result<Part, NoText> {
        let document = &fetched.document;
        let pages = bailey_reader::pages(&document.markdown, Self::PAGE);
        let first = usize::try_from(integer(arguments, "page").unwrap_or(1)).unwrap_or(usize::MAX).max(1);
        if first > pages.len() {
            return Err(NoText::Said(format!("there is no page {first}: the text has {} in all", count(pages.len()))));
        }
        let find = text(arguments, "find").trim();
        let number = match find {
            "" => first,
            find => holding(&pages, find).find(|number| *number >= first).ok_or_else(|| {
                let from = if first > 1 { format!(" from page {first} on") } else { String::new() };
                NoText::Said(format!(
                    "{find:?} does not stand in the text{from} ({}). Try a shorter piece of it, or read the pages",
                    count(pages.len())
                ))
            })?,
        };
        let mut said = head(fetched, url);
        if pages.len() > 1 {
            let _ = write!(said, "\nPage {number} of {}.", pages.len());
        }
        let more: Vec<String> =
            holding(&pages, find).filter(|n| !find.is_empty() && *n > number).map(|n| n.to_string()).collect();
        if !more.is_empty() {
            let _ = write!(said, " {find:?} stands on these pages, too: {}.", more[..more.len().min(10)].join(", "));
        }
        if document.truncated {
            said.push_str("\nThe document is too long; its end is missing.");
        }
        if matches!(document.kind, Kind::Article | Kind::Page)
            && document.markdown.trim().chars().count() < Self::LITTLE
        {
            said.push_str("\nThere is little text: much of the page may be drawn by a script, or behind a login.");
        }
        let _ = write!(said, "\n\n{}", pages[number - 1].text.trim_matches('\n'));
        Ok(Part::labelled(said, outside(&self.spec.name, host(&fetched.url))))
    }
}

/// What a document is and where it comes from.
fn head(fetched: &Fetched, asked: &str) -> String {
    let document = &fetched.document;
    let mut said = match line(&document.title, 200) {
        title if title.is_empty() => fetched.url.clone(),
        title => format!("{title}\n{}", fetched.url),
    };
    if fetched.url != asked {
        let _ = write!(said, " (asked for as {asked})");
    }
    let by = document.byline.as_deref().map(|by| format!("By {}.", line(by, 100)));
    let published = document.published.as_deref().map(|at| format!("Published {}.", line(at, 40)));
    let about: Vec<String> = by.into_iter().chain(published).collect();
    if !about.is_empty() {
        let _ = write!(said, "\n{}", about.join(" "));
    }
    said
}

/// The numbers of the pages that hold these words, capital or small.
fn holding<'a>(pages: &'a [Page<'_>], find: &str) -> impl Iterator<Item = usize> + 'a {
    let find = find.to_lowercase();
    pages.iter().filter(move |page| page.text.to_lowercase().contains(&find)).map(|page| page.number)
}

fn count(pages: usize) -> String {
    if pages == 1 { "1 page".to_owned() } else { format!("{pages} pages") }
}

fn not_read(error: &WebError) -> NoText {
    match error {
        WebError::TooLarge(_) => NoText::Said(format!(
            "this is larger than {} and can't be read. Look for a shorter source with web_search; if the person wants the \
             file itself, use download_file",
            size(WebRead::LARGEST)
        )),
        error => NoText::Failed(failure(error)),
    }
}
