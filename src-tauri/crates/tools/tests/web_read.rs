// SPDX-License-Identifier: Apache-2.0
//! web_read: what is asked for, what is told of a page, and what when there is none.

mod support;

use bailey_ports::{Tool, WebError};
use bailey_protocol::{Labels, Part, Source};
use serde_json::{Value, json};
use std::sync::Arc;
use support::{Answer, NOW, World, call, context, registry, run_at};

const ARTICLE: &str = "<!DOCTYPE html><html><head><title>Ferries of Hvar</title></head><body><nav><a href='/'>Home</a></nav>\
    <article><h1>Ferries of Hvar</h1><p>Seven ferries a day run from Split to the island of Hvar, and they take cars. The \
    crossing takes two hours in summer and a little more in winter, when the wind is strong.</p><p>Tickets are sold at the \
    harbour and <a href='/tickets'>online</a>; a car has to be there an hour before the ferry leaves the harbour.</p>\
    </article></body></html>";

fn marks(host: &str) -> Labels {
    Labels { outside: vec![Source { tool: "web_read".into(), detail: Some(host.into()) }], private: vec![] }
}

async fn read(world: &Arc<World>, arguments: Value) -> Result<String, String> {
    told(call(world, "web_read", arguments).await)
}

async fn read_at(tool: &Arc<dyn Tool>, minutes: i64, arguments: Value) -> Result<String, String> {
    let mut context = context(Labels::none());
    context.now = NOW + minutes * 60_000;
    told(run_at(tool, arguments, context).await)
}

fn told(result: bailey_ports::ToolResult) -> Result<String, String> {
    let parts = result.map_err(|failure| failure.message)?;
    assert_eq!(parts.len(), 1);
    assert_eq!(parts[0].labels.outside[0].tool, "web_read");
    Ok(parts[0].text.clone())
}

/// A page of numbered paragraphs, of which one holds the words given.
fn long_page(paragraphs: usize, at: usize, words: &str) -> String {
    let paragraph = |i: usize| {
        let words = if i == at { words } else { "" };
        format!("<p>Paragraph {i} {words} {}.</p>", "goes on with some ordinary words about nothing at all, ".repeat(9))
    };
    format!(
        "<html><head><title>Long</title></head><body><article><h1>Long</h1>{}</article></body></html>",
        (1..=paragraphs).map(paragraph).collect::<String>()
    )
}

/// A PDF of one page with this text, whole and uncompressed.
fn pdf(text: &str) -> Vec<u8> {
    let content = format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let mut out = "%PDF-1.4\n".to_owned();
    let mut table = "0000000000 65535 f \n".to_owned();
    for (at, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", out.len()));
        out.push_str(&format!("{} 0 obj\n{object}\nendobj\n", at + 1));
    }
    let start = out.len();
    out.push_str(&format!("xref\n0 6\n{table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"));
    out.into_bytes()
}

#[tokio::test]
async fn a_page_is_read_as_markdown() {
    let world =
        World::answering([Ok(Answer { url: Some("https://www.ferries.example/hvar"), ..Answer::html(ARTICLE) })]);
    let parts = call(&world, "web_read", json!({ "url": "ferries.example/hvar" })).await.unwrap();
    let said = &parts[0].text;
    assert_eq!(parts, [Part::labelled(said.clone(), marks("www.ferries.example"))]);
    let head = "Ferries of Hvar\nhttps://www.ferries.example/hvar (asked for as https://ferries.example/hvar)\n\n";
    assert!(said.starts_with(head), "{said}");
    assert!(said.contains("they take cars. The crossing takes two hours"), "{said}");
    assert!(said.contains("[online](https://www.ferries.example/tickets)") && !said.contains("Home"), "{said}");
    let asked = &world.asked.lock().unwrap()[0];
    assert_eq!(asked.url, "https://ferries.example/hvar");
    assert_eq!(
        asked.accept.as_deref(),
        Some("text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5")
    );
    assert_eq!((asked.max_bytes, asked.timeout.as_secs()), (20 * 1024 * 1024, 40));
    assert!(asked.secret_header.is_none() && asked.form.is_none() && asked.json.is_none() && asked.language.is_none());
}

#[tokio::test]
async fn long_text_comes_in_pages_of_one_fetch() {
    let world = World::answering([Ok(Answer::html(&long_page(60, 0, "")))]);
    let tool = registry(world.clone()).get("web_read").unwrap().clone();
    let url = "https://long.example/";
    let first = read_at(&tool, 0, json!({ "url": url })).await.unwrap();
    let (head, text) = first.split_once("\n\n").unwrap();
    assert_eq!(head, "Long\nhttps://long.example/\nPage 1 of 3.");
    assert!(text.contains("Paragraph 1 ") && text.len() <= 12_000, "{}", text.len());
    let mut seen = first.matches("Paragraph ").count();
    for page in 2..=3 {
        let said = read_at(&tool, 9, json!({ "url": url, "page": page })).await.unwrap();
        assert!(said.starts_with(&format!("Long\nhttps://long.example/\nPage {page} of 3.\n\n")), "{said}");
        seen += said.matches("Paragraph ").count();
    }
    assert_eq!(seen, 60);
    assert_eq!(world.urls().len(), 1);
    let beyond = read_at(&tool, 9, json!({ "url": url, "page": 4 })).await.unwrap();
    assert_eq!(beyond, "there is no page 4: the text has 3 pages in all.");
    // Old ones are fetched anew, and so is one that others have pushed out.
    world.answers.lock().unwrap().push_back(Ok(Answer::html(ARTICLE)));
    assert!(read_at(&tool, 11, json!({ "url": url })).await.unwrap().contains("Ferries"));
    for i in 0..4 {
        world.answers.lock().unwrap().push_back(Ok(Answer::html(ARTICLE)));
        read_at(&tool, 11, json!({ "url": format!("https://{i}.example/") })).await.unwrap();
    }
    world.answers.lock().unwrap().push_back(Ok(Answer::html(ARTICLE)));
    read_at(&tool, 11, json!({ "url": url })).await.unwrap();
    assert_eq!(world.urls().len(), 7);
}

#[tokio::test]
async fn words_are_found_and_their_page_is_shown() {
    let page = long_page(60, 50, "The Night Ferry");
    let world = World::answering([Ok(Answer::html(&page))]);
    let tool = registry(world).get("web_read").unwrap().clone();
    let find = async |find: &str, page: u64| {
        read_at(&tool, 0, json!({ "url": "https://l.example/", "find": find, "page": page })).await
    };
    let said = find("night ferry", 1).await.unwrap();
    assert!(said.contains("Page 3 of 3.\n") && said.contains("Paragraph 50 The Night Ferry"), "{said}");
    let said = find("ordinary words", 2).await.unwrap();
    assert!(said.contains("Page 2 of 3. \"ordinary words\" stands on these pages, too: 3.\n"), "{said}");
    let none = find("submarine", 1).await.unwrap();
    assert!(none.starts_with("\"submarine\" does not stand in the text (3 pages). Try a shorter piece"), "{none}");
    let none = find("Paragraph 1 ", 2).await.unwrap();
    assert!(none.contains("does not stand in the text from page 2 on (3 pages)"), "{none}");
}

#[tokio::test]
async fn other_charsets_and_a_pdf_are_read() {
    let gbk = [
        b"<html><head><meta charset=gbk><title>".as_slice(),
        b"\xD6\xD0\xCE\xC4",
        b"</title></head><body><p>",
        &b"\xC4\xE3\xBA\xC3".repeat(40),
        b"</p></body></html>",
    ];
    let said =
        read(&World::answering([Ok(Answer::page("text/html", gbk.concat()))]), json!({ "url": "https://a.example/" }))
            .await
            .unwrap();
    assert!(said.starts_with("中文\nhttps://a.example/\n") && said.contains("你好你好"), "{said}");
    let said = read(
        &World::answering([Ok(Answer::page("application/pdf", pdf("Seven ferries a day")))]),
        json!({ "url": "https://a.example/x.pdf" }),
    )
    .await
    .unwrap();
    assert!(said.contains("Seven ferries a day"), "{said}");
    let said = read(
        &World::answering([Ok(Answer::page("text/plain", "just <b>text</b>"))]),
        json!({ "url": "https://a.example/x.txt" }),
    )
    .await
    .unwrap();
    assert!(said.ends_with("just <b>text</b>") && !said.contains("little text"), "{said}");
}

#[tokio::test]
async fn a_page_that_is_not_there_is_told_with_what_to_do() {
    let later = || Answer { retry_after: Some(90), ..Answer::status(429) };
    let busy = || Answer { retry_after: Some(5), ..Answer::status(503) };
    let script = "<html><head><title>App</title></head><body><div id=root></div><script>start()</script></body></html>";
    for (answer, said) in [
        (
            Ok(Answer::status(404)),
            "a.example has no page at this address (HTTP 404). Check the address for mistakes, or look for the page with web_search",
        ),
        (Ok(Answer::status(410)), "(HTTP 410)"),
        (Ok(Answer::status(401)), "only to people who are logged in (HTTP 401). Look for another source"),
        (Ok(Answer::status(403)), "does not let Bailey read this (HTTP 403)"),
        (Ok(later()), "asked too often (HTTP 429). Use another source, or try again in 90 s"),
        (Ok(busy()), "not available right now (HTTP 503). Use another source, or try again in 5 s"),
        (Ok(Answer::status(503)), "a fault of its own (HTTP 503). Try once more"),
        (Ok(Answer::status(418)), "answered with HTTP 418"),
        (Ok(Answer::html(script)), "holds no text: it is empty, or it is drawn by a script or behind a login"),
        (Ok(Answer::html("")), "holds no text"),
        (
            Ok(Answer::page("image/png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01".to_vec())),
            "a.example sent what can't be read (image/png). This is a picture, not a text. Download it",
        ),
        (Err(WebError::TooLarge("more".into())), "larger than 20.0 MiB and can't be read"),
    ] {
        // A result: the tool is not broken for it.
        let told = read(&World::answering([answer]), json!({ "url": "https://a.example/x" })).await.unwrap();
        assert!(told.contains(said) && told.ends_with('.'), "{told}");
    }
    let late = vec![Err(WebError::TimedOut("it took longer than 40 s".into()))];
    for (answer, said) in [
        (Err(WebError::Refused("this address is not public".into())), "this address is not public"),
        (Ok(Answer { body: late, ..Answer::html("") }), "it took longer than 40 s"),
    ] {
        let failure = read(&World::answering([answer]), json!({ "url": "https://a.example/x" })).await.unwrap_err();
        assert_eq!(failure, said);
    }
    let little =
        read(&World::answering([Ok(Answer::html("<p>Loading the app</p>"))]), json!({ "url": "https://a.example/" }))
            .await
            .unwrap();
    assert!(little.contains("There is little text") && little.ends_with("\n\nLoading the app"), "{little}");
}
