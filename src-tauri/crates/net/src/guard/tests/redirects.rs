// SPDX-License-Identifier: Apache-2.0
use super::world::{Trap, Way, World, ok, redirect, says};
use bailey_ports::{Secret, Web, WebError, WebRequest};
use std::sync::mpsc::{Receiver, channel};

/// A world where `/n/3` redirects to `/n/2`, and so on to `/n/0`.
fn counting(status: u16) -> World {
    World::new(says(move |asked| match asked.url.rsplit_once("/n/").unwrap() {
        (_, "0") => ok("there"),
        (_, number) => redirect(status, &format!("/n/{}", number.parse::<u32>().unwrap() - 1)),
    }))
}

#[tokio::test]
async fn ten_redirects_are_followed_and_no_more() {
    for status in [301, 302, 303, 307, 308] {
        let world = counting(status);
        let response = world.web.fetch(WebRequest::get("http://a.example/n/10#part")).await.unwrap();
        assert_eq!((response.status, &*response.url), (200, "http://a.example/n/0#part"), "{status}");
        assert_eq!(world.dialled().len(), 11);
        let error = world.web.fetch(WebRequest::get("http://a.example/n/11")).await.unwrap_err();
        assert!(
            matches!(&error, WebError::Redirects(why) if why.contains("a.example redirects more than 10 times")),
            "{error:?}"
        );
        assert_eq!(world.dialled().len(), 11);
    }
}

#[tokio::test]
async fn what_is_no_redirect_is_a_response() {
    let world = World::new(says(|asked| match asked.url.as_str() {
        "http://a.example/300" => redirect(300, "/elsewhere"),
        "http://a.example/304" => redirect(304, "/elsewhere"),
        "http://a.example/201" => redirect(201, "/elsewhere"),
        "http://a.example/302" => "HTTP/1.1 302 Found\r\nContent-Length: 4\r\nConnection: close\r\n\r\nhere".to_owned(),
        _ => ok("elsewhere"),
    }));
    for status in [300, 304, 201, 302] {
        let response = world.web.fetch(WebRequest::get(format!("http://a.example/{status}"))).await.unwrap();
        assert_eq!((response.status, &*response.url), (status, &*format!("http://a.example/{status}")));
    }
}

#[tokio::test]
async fn every_hop_is_judged_before_it_is_opened() {
    let trap = Trap::new();
    let port = trap.port();
    let targets = [
        (format!("http://127.0.0.1:{port}/"), true),
        (format!("//127.0.0.1:{port}/"), true),
        (format!("\\\\127.0.0.1:{port}\\"), true),
        (format!("http://[::ffff:127.0.0.1]:{port}/"), true),
        (format!("http://localhost:{port}/"), true),
        (format!("http://2130706433:{port}/"), true),
        ("http://inner.example/".to_owned(), true),
        (format!("http://user@127.0.0.1:{port}/"), false),
        ("https://user:word@a.example/".to_owned(), false),
        ("file:///etc/hosts".to_owned(), false),
        ("data:text/html,hi".to_owned(), false),
        ("http://[::1".to_owned(), false),
        ("http://".to_owned(), false),
    ];
    for (target, refused) in targets {
        let to = target.clone();
        let world = World::new(says(move |asked| match asked.url.as_str() {
            "http://a.example/" => redirect(302, "http://b.example/"),
            _ => redirect(302, &to),
        }));
        world.answers("inner.example", &[&["192.168.1.1"]]);
        let error = world.web.fetch(WebRequest::get("http://a.example/")).await.unwrap_err();
        match &error {
            WebError::Refused(_) => assert!(refused, "{target}: {error:?}"),
            WebError::Redirects(why) => assert!(!refused && why.contains("b.example"), "{target}: {error:?}"),
            _ => panic!("{target}: {error:?}"),
        }
        assert_eq!(world.dialled().len(), 2, "{target}");
        assert_eq!(trap.count(), 0, "{target}");
    }
}

/// A world that tells what it is asked, and redirects `/from` to a place.
fn telling(certified: &[&str], to: &'static str) -> (World, Receiver<(String, String, String)>) {
    let (tell, told) = channel();
    let certified: Vec<String> = certified.iter().map(|name| (*name).to_owned()).collect();
    let world = World::made(
        Way::Direct,
        &certified,
        says(move |asked| {
            tell.send((asked.url.clone(), asked.head.clone(), asked.body.clone())).unwrap();
            if asked.url.ends_with("/from") { redirect(307, to) } else { ok("there") }
        }),
    );
    (world, told)
}

#[tokio::test]
async fn a_key_is_sent_once_and_encrypted() {
    for to in ["/to", "https://b.example/to", "http://a.example/to"] {
        let (world, told) = telling(&["a.example", "b.example"], to);
        let secret = Some(("X-Subscription-Token".to_owned(), Secret::new("sk-canary")));
        let request = WebRequest { secret_header: secret, ..WebRequest::get("https://a.example/from") };
        assert_eq!(world.web.fetch(request).await.unwrap().status, 200);
        let (first, second) = (told.recv().unwrap(), told.recv().unwrap());
        assert!(first.1.to_lowercase().contains("x-subscription-token: sk-canary\r\n"), "{}", first.1);
        assert!(
            !second.1.contains("canary") && !second.1.to_lowercase().contains("x-subscription-token"),
            "{}",
            second.1
        );
    }
    let (world, _told) = telling(&[], "/to");
    for (url, name, value, holds) in [
        ("http://a.example/", "X-Token", "sk-canary", "https://"),
        ("https://a.example/", "X-Token", "sk-\ncanary", "Enter it anew"),
        ("https://a.example/", "X Token", "sk-canary", "Enter it anew"),
    ] {
        let secret = Some((name.to_owned(), Secret::new(value)));
        let error = world.web.fetch(WebRequest { secret_header: secret, ..WebRequest::get(url) }).await.unwrap_err();
        assert!(
            matches!(&error, WebError::Refused(why) if why.contains(holds) && !why.contains("canary")),
            "{error:?}"
        );
    }
    assert_eq!(world.dialled(), Vec::<String>::new());
}

#[tokio::test]
async fn a_form_is_posted_once() {
    let (world, told) = telling(&[], "http://b.example/to");
    let form = Some(vec![("q".to_owned(), "a b&c=ü".to_owned()), ("kl".to_owned(), String::new())]);
    let request = WebRequest {
        form,
        language: Some("de".to_owned()),
        accept: Some("text/html".to_owned()),
        ..WebRequest::get("http://a.example/from")
    };
    assert_eq!(world.web.fetch(request).await.unwrap().status, 200);
    let (url, head, body) = told.recv().unwrap();
    assert_eq!((url.as_str(), body.as_str()), ("http://a.example/from", "q=a+b%26c%3D%C3%BC&kl="));
    assert!(
        head.starts_with("POST ") && head.contains("content-type: application/x-www-form-urlencoded\r\n"),
        "{head}"
    );
    let (url, again, body) = told.recv().unwrap();
    assert_eq!((url.as_str(), body.as_str()), ("http://b.example/to", ""));
    assert!(
        again.starts_with("GET ") && !again.contains("content-type") && !again.contains("content-length"),
        "{again}"
    );
    for head in [head, again] {
        assert!(head.contains("accept: text/html\r\n") && head.contains("accept-language: de\r\n"), "{head}");
        assert!(!head.contains("cookie") && !head.contains("referer"), "{head}");
        assert!(head.contains(concat!("user-agent: Bailey/", env!("CARGO_PKG_VERSION"), "\r\n")), "{head}");
    }
}

#[tokio::test]
async fn json_is_posted_once() {
    let (world, told) = telling(&[], "http://b.example/to");
    let request = WebRequest { json: Some(r#"{"query":"ü"}"#.to_owned()), ..WebRequest::get("http://a.example/from") };
    assert_eq!(world.web.fetch(request).await.unwrap().status, 200);
    let (_, head, body) = told.recv().unwrap();
    assert!(head.starts_with("POST ") && head.contains("content-type: application/json\r\n"), "{head}");
    assert_eq!(body, r#"{"query":"ü"}"#);
    let (_, again, body) = told.recv().unwrap();
    assert!(again.starts_with("GET ") && body.is_empty(), "{again}");
}

#[tokio::test]
async fn a_place_is_read_as_servers_write_it() {
    for (location, url) in [
        ("b?x=1", "http://a.example/dir/b?x=1"),
        ("../up", "http://a.example/up"),
        ("?q", "http://a.example/dir/page?q"),
        ("//b.example:81/x", "http://b.example:81/x"),
        ("/中文 x", "http://a.example/%E4%B8%AD%E6%96%87%20x"),
        ("http:\\\\b.example\\x", "http://b.example/x"),
        ("/x#new", "http://a.example/x#new"),
    ] {
        let world =
            World::new(says(
                move |asked| if asked.url.ends_with("/dir/page") { redirect(301, location) } else { ok("there") },
            ));
        // With a port in the URL the world has no say in it.
        let expected = url::Url::parse(url).unwrap();
        let outcome = world.web.fetch(WebRequest::get("http://a.example/dir/page")).await;
        if expected.port().is_some() {
            assert_eq!(world.dialled().len(), 2, "{location}");
            assert!(matches!(outcome, Err(WebError::Unreachable(_))), "{location}: {outcome:?}");
        } else {
            assert_eq!(outcome.unwrap().url, url, "{location}");
        }
    }
}
