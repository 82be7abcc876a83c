// SPDX-License-Identifier: Apache-2.0
//! How the web is searched and reached: the person's settings for it, and pictures they want to see.

use crate::agent::{Agent, Inner};
use crate::network::secrets;
use crate::pictures;
use bailey_net::{EndpointError, GuardOptions, check_endpoint};
use bailey_ports::{Secret, Secrets, WebError, WebRequest};
use bailey_protocol::{
    ApiError, Code, ImageRef, PictureData, ProviderId, SearchEngine, Settings, WebDraft, WebSettings,
};
use bailey_tools::{ChooseSearch, SearchChoice};
use std::sync::{Arc, RwLock};
use url::Url;

/// The largest picture that is fetched, in bytes.
const LARGEST: u64 = 10 * 1024 * 1024;

impl Agent {
    /// Sets how the web is searched and reached. Nothing changes when it can't be so.
    pub fn update_web(&self, draft: WebDraft) -> Result<Settings, ApiError> {
        let inner = &self.0;
        let refused = |error: EndpointError| ApiError::new(Code::BadRequest, error.to_string());
        let searxng = match draft.searxng.trim() {
            "" => String::new(),
            typed => searxng_base(typed).map_err(refused)?,
        };
        if draft.search == SearchEngine::Searxng && searxng.is_empty() {
            return Err(ApiError::new(Code::BadRequest, "give the address of your SearXNG"));
        }
        let typed = draft.key.as_deref().map(Secret::new);
        if let (Some(id), Some(key)) = (key_id(draft.search), typed) {
            if key.is_empty() {
                inner.parts.secrets.remove(&id).map_err(secrets)?;
            } else {
                inner.parts.redactor.learn(&key);
                inner.parts.secrets.set(&id, key).map_err(secrets)?;
            }
        }
        let web = WebSettings { search: draft.search, searxng, search_key: false, fake_ip: draft.fake_ip };
        let saved = inner.change_settings(|settings| settings.web = web)?;
        inner.guard.set_options(guard_options(&saved));
        Ok(saved)
    }

    /// A picture that an answer names and the person wants to see. It is read and written anew: what is shown is a
    /// picture and nothing else.
    pub async fn load_image(&self, image: &ImageRef) -> Result<PictureData, ApiError> {
        let request = WebRequest {
            accept: Some("image/avif;q=0,image/webp,image/png,image/jpeg,image/gif".to_owned()),
            max_bytes: LARGEST,
            ..WebRequest::get(image.url.trim())
        };
        let failed = |error: WebError| ApiError::new(Code::BadRequest, error.to_string());
        let response = self.0.web.fetch(request).await.map_err(failed)?;
        if !(200..300).contains(&response.status) {
            let status = response.status;
            return Err(ApiError::new(Code::BadRequest, format!("the picture is not there (HTTP {status})")));
        }
        let bytes = response.bytes().await.map_err(failed)?;
        pictures::shown(bytes).await
    }
}

impl Inner {
    /// Whether a key for the chosen engine is known.
    pub(crate) fn knows_search_key(&self, settings: &Settings) -> bool {
        key_id(settings.web.search).is_some_and(|id| self.parts.secrets.get(&id).is_some_and(|key| !key.is_empty()))
    }
}

pub(crate) fn guard_options(settings: &Settings) -> GuardOptions {
    GuardOptions { fake_ip: settings.web.fake_ip }
}

/// Whom web_search asks, at each search anew.
pub(crate) fn choose_search(settings: Arc<RwLock<Settings>>, secrets: Arc<dyn Secrets>) -> ChooseSearch {
    Arc::new(move || {
        let web = settings.read().unwrap_or_else(|e| e.into_inner()).web.clone();
        // A search that needs a key and has none says so, instead of telling somebody else the query.
        let key = || key_id(web.search).and_then(|id| secrets.get(&id)).unwrap_or_else(|| Secret::new(""));
        match web.search {
            SearchEngine::Automatic => SearchChoice::Automatic,
            SearchEngine::Searxng => SearchChoice::Searxng { base_url: web.searxng.clone() },
            SearchEngine::Brave => SearchChoice::Brave { key: key() },
            SearchEngine::Tavily => SearchChoice::Tavily { key: key() },
        }
    })
}

/// The base URL of a SearXNG behind what a person typed, or pasted from a search of theirs there. It has no trailing slash.
fn searxng_base(typed: &str) -> Result<String, EndpointError> {
    let mut url = Url::parse(typed).map_err(|error| EndpointError::Malformed(error.to_string()))?;
    check_endpoint(&url)?;
    url.set_query(None);
    url.set_fragment(None);
    let base = url.as_str().trim_end_matches('/');
    Ok(base.strip_suffix("/search").unwrap_or(base).trim_end_matches('/').to_owned())
}

/// An engine's key lies among the keys under this id, which no provider has.
fn key_id(engine: SearchEngine) -> Option<ProviderId> {
    match engine {
        SearchEngine::Automatic | SearchEngine::Searxng => None,
        SearchEngine::Brave => Some(ProviderId::from("search-brave")),
        SearchEngine::Tavily => Some(ProviderId::from("search-tavily")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_searxng_is_found_where_it_was_typed() {
        for (typed, base) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://192.168.1.5:8080/", "http://192.168.1.5:8080"),
            ("https://searx.example/search?q=soup#top", "https://searx.example"),
            ("https://home.example/searx/", "https://home.example/searx"),
            ("https://home.example/searx/search", "https://home.example/searx"),
            ("https://home.example/models", "https://home.example/models"),
        ] {
            assert_eq!(searxng_base(typed).as_deref(), Ok(base), "{typed}");
            assert_eq!(searxng_base(base).as_deref(), Ok(base), "{base}");
        }
        for typed in
            ["searx.example", "ftp://searx.example", "http://searx.example", "https://me:key@searx.example", "https://"]
        {
            assert!(searxng_base(typed).is_err(), "{typed}");
        }
    }
}
