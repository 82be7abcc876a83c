// SPDX-License-Identifier: Apache-2.0
//! Who is let in, over real HTTP.

mod common;

use bailey_store::DataFolder;
use common::{Server, all_bytes, bailey, cookie, holds, output};
use reqwest::StatusCode;
use reqwest::header::{ACCEPT_LANGUAGE, CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE};
use serde_json::{Value, json};
use std::process::Stdio;

/// Header lines.
type Lines = Vec<(String, String)>;

const BODY: &str = r#"{"name":"settings_get","params":{}}"#;

#[tokio::test]
async fn only_who_was_let_in_and_asks_from_the_right_place_is_served() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let cookie = server.let_in().await;
    let (name, value) = cookie.split_once('=').unwrap();
    let wrong_cookie = format!("{name}={}", value.chars().rev().collect::<String>());
    let bearer = format!("Bearer {}", server.token);
    let wrong_bearer = format!("{bearer}0");
    let basic = format!("Basic {}", server.token);
    let host = format!("127.0.0.1:{}", server.port);
    let localhost = format!("localhost:{}", server.port);
    let origin = format!("http://{host}");
    let cookie_of_others = format!("other=1; {cookie}; more=2");

    // The header lines beside Content-Type, and what a POST and a GET with them are answered with.
    let page: &[(&str, &str)] = &[("cookie", &cookie), ("x-bailey", "1")];
    let with =
        |more: &[(&str, &str)]| [page, more].concat().iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let lines = |lines: &[(&str, &str)]| lines.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let table: Vec<(&str, Lines, u16, u16)> = vec![
        ("nothing", lines(&[("x-bailey", "1")]), 401, 401),
        ("a wrong cookie", lines(&[("cookie", &wrong_cookie), ("x-bailey", "1")]), 401, 401),
        ("the value under another name", lines(&[("cookie", &format!("x={value}")), ("x-bailey", "1")]), 401, 401),
        ("the page itself", with(&[("origin", &origin), ("sec-fetch-site", "same-origin")]), 200, 200),
        ("the page, no Origin", with(&[("sec-fetch-site", "same-origin")]), 200, 200),
        ("an older browser, no Origin", with(&[]), 200, 200),
        ("the cookie among others", lines(&[("cookie", &cookie_of_others), ("x-bailey", "1")]), 200, 200),
        ("no mark, no Origin", lines(&[("cookie", &cookie)]), 403, 200),
        ("a wrong mark", lines(&[("cookie", &cookie), ("x-bailey", "2")]), 403, 200),
        ("no mark but the right Origin", lines(&[("cookie", &cookie), ("origin", &origin)]), 200, 200),
        ("typed into the address bar", with(&[("sec-fetch-site", "none")]), 403, 200),
        ("a foreign page", with(&[("sec-fetch-site", "cross-site")]), 403, 403),
        ("a page of another port", with(&[("sec-fetch-site", "same-site")]), 403, 403),
        ("an unknown kind of site", with(&[("sec-fetch-site", "nearby")]), 403, 403),
        ("a foreign Origin", with(&[("origin", "https://example.org")]), 403, 403),
        ("no Origin to speak of", with(&[("origin", "null")]), 403, 403),
        ("the Origin of another port", with(&[("origin", "http://127.0.0.1:1")]), 403, 403),
        ("the Origin with https", with(&[("origin", &format!("https://{host}"))]), 403, 403),
        ("the Origin by another name", with(&[("origin", &format!("http://{localhost}"))]), 403, 403),
        ("by the name localhost", with(&[("host", &localhost), ("origin", &format!("http://{localhost}"))]), 200, 200),
        ("DNS rebinding", with(&[("host", &format!("rebound.example:{}", server.port))]), 403, 403),
        (
            "DNS rebinding, Origin alike",
            with(&[("host", "rebound.example"), ("origin", "http://rebound.example")]),
            403,
            403,
        ),
        ("the right name without the port", with(&[("host", "127.0.0.1")]), 403, 403),
        ("another port", with(&[("host", "127.0.0.1:80")]), 403, 403),
        ("the address of IPv6", with(&[("host", &format!("[::1]:{}", server.port))]), 403, 403),
        ("a local tool", lines(&[("authorization", &bearer)]), 200, 200),
        ("a local tool's wrong token", lines(&[("authorization", &wrong_bearer)]), 401, 401),
        ("a wrong token beside the cookie", with(&[("authorization", &wrong_bearer)]), 401, 401),
        ("the token in another scheme", lines(&[("authorization", &basic)]), 401, 401),
        (
            "the token from a foreign page",
            lines(&[("authorization", &bearer), ("origin", "https://example.org")]),
            403,
            403,
        ),
        ("the token under a foreign name", lines(&[("authorization", &bearer), ("host", "rebound.example")]), 403, 403),
    ];
    for (what, headers, post, get) in table {
        let sent = |mut request: reqwest::RequestBuilder| {
            for (name, value) in &headers {
                request = request.header(name.as_str(), value.as_str());
            }
            request.send()
        };
        let request =
            server.client.post(server.url("/api/command")).header(CONTENT_TYPE, "application/json").body(BODY);
        let response = sent(request).await.unwrap();
        assert_eq!(response.status().as_u16(), post, "POST, {what}");
        let body: Value = response.json().await.unwrap();
        if post == 200 {
            assert_eq!(body["default_mode"], "chat_plus", "{what}");
        } else {
            let message = body["message"].as_str().unwrap();
            assert!(body["code"].is_string() && message.ends_with('.') && message.contains(' '), "{what}: {body}");
            assert_eq!(body.as_object().unwrap().len(), 2, "{what}: {body}");
        }
        let response = sent(server.client.get(server.url("/api/events"))).await.unwrap();
        assert_eq!(response.status().as_u16(), get, "GET, {what}");
    }

    // Twice the same header is a trick.
    for lines in [format!("Host: {host}\r\nHost: rebound.example"), format!("Host: rebound.example\r\nHost: {host}")] {
        let answer = server.raw(&format!(
            "GET /api/events HTTP/1.1\r\n{lines}\r\nAuthorization: {bearer}\r\nConnection: close\r\n\r\n"
        ));
        assert!(answer.starts_with("HTTP/1.1 40"), "{answer}");
    }
}

#[tokio::test]
async fn commands_are_json_known_and_not_endless() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let post = |body: String, kind: &'static str| {
        let request = server.client.post(server.url("/api/command")).bearer_auth(&server.token);
        request.header(CONTENT_TYPE, kind).body(body).send()
    };
    let long = |n: usize| format!(r#"{{"name":"conversation_list","params":{{"query":"{}"}}}}"#, "x".repeat(n));
    for (body, kind, wanted) in [
        (BODY.to_owned(), "application/json; charset=utf-8", 200),
        (r#"{"name":"settings_get"}"#.to_owned(), "application/json", 200),
        (long(1024 * 1024), "application/json", 200),
        (BODY.to_owned(), "text/plain", 415),
        (BODY.to_owned(), "application/x-www-form-urlencoded", 415),
        (long(bailey_server::BODY_LIMIT), "application/json", 413),
        ("{".to_owned(), "application/json", 400),
        ("[]".to_owned(), "application/json", 400),
        (r#"{"name":"no_such_command","params":{}}"#.to_owned(), "application/json", 400),
        (r#"{"name":"send","params":{"text":5}}"#.to_owned(), "application/json", 400),
        (r#"{"name":"conversation_open","params":{"conversation":"gone"}}"#.to_owned(), "application/json", 404),
    ] {
        let what = body.chars().take(60).collect::<String>();
        let response = post(body, kind).await.unwrap();
        assert_eq!(response.status().as_u16(), wanted, "{what}");
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["message"].is_string(), wanted != 200, "{what}: {body}");
    }
    let response = server.get("/api/nothing").send().await.unwrap();
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
    assert!(response.json::<Value>().await.unwrap()["message"].is_string());
    let response = server.get("/api/command").send().await.unwrap();
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    for query in ["?epoch=a", "?since=x", "?epoch=a&since=-1", "?epoch=a&since=x"] {
        let response = server.get(&format!("/api/events{query}")).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{query}");
    }
}

#[tokio::test]
async fn a_code_opens_one_browser_once_and_its_cookie_survives_a_restart_and_a_second_tab() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    // Looking whether it answers does not use it up.
    let head = server.client.head(&server.address).send().await.unwrap();
    assert_eq!(head.status(), StatusCode::METHOD_NOT_ALLOWED);
    let first = server.client.get(&server.address).send().await.unwrap();
    assert_eq!(first.status(), StatusCode::SEE_OTHER);
    assert_eq!(first.headers()[LOCATION], "/");
    let line = first.headers()[SET_COOKIE].to_str().unwrap();
    for attribute in ["; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age=7776000"] {
        assert!(line.contains(attribute), "{line}");
    }
    let cookie = cookie(&first);

    let again = server.client.get(&server.address).header(ACCEPT_LANGUAGE, "en").send().await.unwrap();
    assert_eq!(again.status(), StatusCode::FORBIDDEN);
    assert!(!again.headers().contains_key(SET_COOKIE));
    assert!(again.text().await.unwrap().contains("bailey serve"), "the page says how to get a new one");
    let chinese = server.client.get(&server.address).header(ACCEPT_LANGUAGE, "zh-CN").send().await.unwrap();
    let chinese = chinese.text().await.unwrap();
    assert!(chinese.contains("lang=\"zh-Hans\"") && chinese.contains("地址"), "{chinese}");
    for wrong in ["/open", "/open?code=", "/open?code=0123456789abcdef0123456789abcdef", "/open?code=a&code=b"] {
        let response = server.client.get(server.url(wrong)).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::FORBIDDEN, "{wrong}");
    }
    let history = server.client.get(&server.address).header(COOKIE, &cookie).send().await.unwrap();
    assert_eq!(history.status(), StatusCode::SEE_OTHER, "a browser that is in may go back to it");

    let ask = async |server: &Server| {
        let request = server.client.post(server.url("/api/command")).header(COOKIE, &cookie).header("X-Bailey", "1");
        let request = request.header(CONTENT_TYPE, "application/json").body(BODY);
        request.send().await.unwrap().status()
    };
    assert_eq!(ask(&server).await, StatusCode::OK);
    assert_eq!(ask(&server).await, StatusCode::OK, "a second tab");
    let (address, token) = (server.address.clone(), server.token.clone());
    drop(server);

    let server = Server::start(data.path());
    assert_eq!(ask(&server).await, StatusCode::OK, "another process on the same data");
    assert_ne!(server.token, token);
    let old_code = address.split_once("/open").unwrap().1;
    let response = server.client.get(server.url(&format!("/open{old_code}"))).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
    let elsewhere = tempfile::tempdir().unwrap();
    assert_eq!(ask(&Server::start(elsewhere.path())).await, StatusCode::UNAUTHORIZED, "other data, other sessions");
}

#[tokio::test]
async fn only_local_tools_get_new_codes() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let cookie = server.let_in().await;
    let post = || server.client.post(server.url("/api/code")).json(&json!({}));
    let origin = format!("http://127.0.0.1:{}", server.port);
    let browser = post().header(COOKIE, cookie).header(ORIGIN, origin).send().await.unwrap();
    assert_eq!(browser.status(), StatusCode::FORBIDDEN);
    let tool: Value = post().bearer_auth(&server.token).send().await.unwrap().json().await.unwrap();
    let address = tool["address"].as_str().unwrap();
    assert_ne!(address, server.address);
    assert_eq!(server.client.get(address).send().await.unwrap().status(), StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_second_start_finds_the_first_and_prints_a_new_address_of_it() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let second = output(bailey(data.path(), &["serve", "--port", "0", "--no-open"])).await;
    assert_eq!(second.status.code(), Some(0));
    let address = String::from_utf8(second.stdout).unwrap();
    assert_eq!(address.lines().count(), 1);
    assert!(address.starts_with(&server.url("/open?code=")) && address.trim_end() != server.address, "{address}");
    assert!(String::from_utf8_lossy(&second.stderr).contains("already"));
    assert_eq!(server.client.get(address.trim_end()).send().await.unwrap().status(), StatusCode::SEE_OTHER);
    assert_eq!(
        server.client.get(&server.address).send().await.unwrap().status(),
        StatusCode::SEE_OTHER,
        "the first is good still"
    );

    let ask = output(bailey(data.path(), &["ask", "hello"])).await;
    assert_eq!(ask.status.code(), Some(1));
    let said = String::from_utf8_lossy(&ask.stderr);
    assert!(said.contains("bailey serve") && said.contains("--data-dir"), "{said}");
}

#[tokio::test]
async fn a_start_waits_for_one_that_is_just_ending() {
    let data = tempfile::tempdir().unwrap();
    let ending = DataFolder::lock(data.path()).unwrap();
    // What a server that was killed leaves behind.
    ending.write_address(r#"{"holder":"server","port":1,"token":"0"}"#).unwrap();
    let ends = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(200));
        drop(ending);
    });
    let server = Server::start(data.path());
    server.command("settings_get", json!({})).await;
    ends.join().unwrap();
}

#[tokio::test]
async fn a_port_that_is_taken_is_said_so() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let data = tempfile::tempdir().unwrap();
    let output = output(bailey(data.path(), &["serve", "--port", &port, "--no-open"])).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(&format!("Port {port} is taken")) && said.contains("--port"), "{said}");
}

#[tokio::test]
async fn every_answer_carries_the_headers_that_keep_foreign_content_out() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let get = |path: &str| server.client.get(server.url(path));
    let requests = [
        get("/"),
        get("/chat/1"),
        get("/assets/gone.js"),
        get("/.hidden"),
        get("/open?code=wrong"),
        get("/api/events"),
        get("/api/gone"),
        get("/").header(HOST, "rebound.example"),
        server.get("/api/events"),
        server
            .client
            .post(server.url("/api/command"))
            .bearer_auth(&server.token)
            .json(&json!({"name": "settings_get"})),
        server.client.post(server.url("/api/command")).bearer_auth(&server.token).json(&json!({"name": "?"})),
        server.client.delete(server.url("/")),
        get(&server.address[server.url("").len()..]),
    ];
    for request in requests {
        let response = request.send().await.unwrap();
        let (url, status, headers) = (response.url().path().to_owned(), response.status(), response.headers());
        assert_eq!(
            headers["content-security-policy"],
            "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
             connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; \
             form-action 'none'",
            "{url} {status}"
        );
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(headers[name], value, "{url} {status}");
        }
        assert!(headers.contains_key("permissions-policy") && headers.contains_key("cache-control"), "{url} {status}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn it_ends_when_asked_though_streams_are_open_and_frees_the_folder() {
    for signal in ["-INT", "-TERM"] {
        let data = tempfile::tempdir().unwrap();
        let mut server = Server::start(data.path());
        let mut events = server.events("").await;
        assert!(events.next().await.is_some());
        assert_eq!(server.end(signal), Some(0), "{signal}");
        while events.next().await.is_some() {}
        assert!(!data.path().join("server.json").exists(), "nobody is there, and nobody says so");
        Server::start(data.path());
    }
}

#[tokio::test]
async fn tokens_codes_and_cookies_stand_in_no_log_and_only_the_token_in_one_private_file() {
    let data = tempfile::tempdir().unwrap();
    let mut command = bailey(data.path(), &["serve", "--port", "0", "--no-open"]);
    command.env("BAILEY_LOG", "trace").stderr(Stdio::piped());
    let mut server = Server::spawn(command, data.path());
    let cookie = server.let_in().await;
    let value = cookie.split_once('=').unwrap().1.to_owned();
    let request = server.client.post(server.url("/api/command")).header(COOKIE, &cookie).header("X-Bailey", "1");
    assert_eq!(
        request.header(CONTENT_TYPE, "application/json").body(BODY).send().await.unwrap().status(),
        StatusCode::OK
    );
    server.command("conversation_list", json!({})).await;
    let fresh =
        server.client.post(server.url("/api/code")).bearer_auth(&server.token).json(&json!({})).send().await.unwrap();
    let fresh: Value = fresh.json().await.unwrap();
    let wrong =
        server.client.get(server.url("/open?code=feedfeedfeedfeed")).header(COOKIE, &cookie).send().await.unwrap();
    assert_eq!(wrong.status(), StatusCode::SEE_OTHER);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        for file in ["server.json", "sessions.json"] {
            let mode = std::fs::metadata(data.path().join(file)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{file}");
        }
    }
    std::fs::remove_file(data.path().join("server.json")).unwrap();
    server.child.kill().unwrap();
    let mut log = String::new();
    std::io::Read::read_to_string(&mut server.child.stderr.take().unwrap(), &mut log).unwrap();
    assert!(log.contains("/api/command") && log.contains("/open"), "the log tells of requests: {log}");
    let kept = all_bytes(data.path());
    let code = |address: &str| address.split_once("code=").unwrap().1.to_owned();
    let secrets = [server.token.clone(), value, code(&server.address), code(fresh["address"].as_str().unwrap())];
    for secret in secrets.iter().map(String::as_str).chain(["feedfeedfeedfeed"]) {
        assert!(secret.len() >= 16);
        assert!(!log.contains(secret), "{secret} in {log}");
        assert!(!holds(&kept, secret), "{secret} in the data folder");
    }
}
