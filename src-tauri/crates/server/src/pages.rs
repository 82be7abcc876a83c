// SPDX-License-Identifier: Apache-2.0
//! The few pages the server speaks itself, when the UI can't: in the browser's language.

use axum::http::header::{ACCEPT_LANGUAGE, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bailey_protocol::Language;

/// The code of an address was used, is too old or is wrong.
pub(crate) fn used_code(headers: &HeaderMap) -> Response {
    page(
        headers,
        StatusCode::FORBIDDEN,
        [
            "This address has been used already",
            "Each address that Bailey prints opens one browser, once, within ten minutes. To get a new one, start Bailey \
             again (<code>bailey serve</code> or <code>npm start</code>) while it is running: it prints a fresh address \
             and changes nothing else. A browser that was let in before can simply go to <a href=\"/\">Bailey</a>.",
        ],
        [
            "这个地址已经用过了",
            "Bailey 打印的每个地址只能在十分钟内打开一个浏览器，且只能用一次。要得到新的地址，请在 Bailey 运行时再启动一次\
             （<code>bailey serve</code> 或 <code>npm start</code>）：它会打印一个新地址，其他什么都不变。以前打开过的浏览器可以直接回到 \
             <a href=\"/\">Bailey</a>。",
        ],
    )
}

/// The server was built before the UI.
pub(crate) fn not_built(headers: &HeaderMap) -> Response {
    page(
        headers,
        StatusCode::OK,
        [
            "Bailey is running, but its page was not built",
            "Run <code>npm ci</code> and <code>npm run build</code> in the folder <code>ui</code>, build the server \
             again, and reload this page. <code>npm start</code> does all of it.",
        ],
        [
            "Bailey 正在运行，但界面还没有构建",
            "请在 <code>ui</code> 文件夹里运行 <code>npm ci</code> 和 <code>npm run build</code>，重新构建服务器，然后刷新此页。\
             <code>npm start</code> 会完成这一切。",
        ],
    )
}

/// The session file could not be written.
pub(crate) fn no_session(headers: &HeaderMap) -> Response {
    page(
        headers,
        StatusCode::INTERNAL_SERVER_ERROR,
        [
            "Bailey could not write to its data folder",
            "Make sure that the disk is not full and that the data folder may be written to, then start Bailey again.",
        ],
        ["Bailey 无法写入数据文件夹", "请确认磁盘没有满、数据文件夹可以写入，然后重新启动 Bailey。"],
    )
}

fn page(headers: &HeaderMap, status: StatusCode, en: [&str; 2], zh: [&str; 2]) -> Response {
    let accepted = headers.get(ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let (lang, [title, text]) = match language(accepted) {
        Language::En => ("en", en),
        Language::Zh => ("zh-Hans", zh),
    };
    let html = format!(
        "<!doctype html><html lang=\"{lang}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title} · Bailey</title><style>body{{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:15vh auto;\
         padding:0 1.25rem}}h1{{font-size:1.35rem;line-height:1.3}}code{{font-size:.95em}}</style></head><body><main>\
         <h1>{title}</h1><p>{text}</p></main></body></html>"
    );
    (status, [(CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response()
}

/// The language of ours that an `Accept-Language` line likes best.
fn language(accepted: &str) -> Language {
    let mut best = (0.0, Language::En);
    for range in accepted.split(',') {
        let mut parts = range.split(';');
        let tag = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
        let weight = parts.find_map(|p| p.trim().strip_prefix("q=")).map_or(1.0, |q| q.trim().parse().unwrap_or(0.0));
        let language = match tag.split('-').next() {
            Some("zh") => Language::Zh,
            Some("en") => Language::En,
            _ => continue,
        };
        if weight > best.0 {
            best = (weight, language);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_speaks_the_language_the_browser_likes_best() {
        for (accepted, wanted) in [
            ("", Language::En),
            ("zh-CN,zh;q=0.9,en;q=0.8", Language::Zh),
            ("en;q=0.4, zh-Hans ; q=0.7", Language::Zh),
            ("de, en;q=0.9, zh;q=0.8", Language::En),
            ("fr", Language::En),
            ("zh;q=0", Language::En),
            ("zh;q=x", Language::En),
        ] {
            assert_eq!(language(accepted), wanted, "{accepted}");
        }
    }
}
