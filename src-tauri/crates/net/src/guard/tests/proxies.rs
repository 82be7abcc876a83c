// SPDX-License-Identifier: Apache-2.0
use super::world::{Way, World, head, listen, ok, says};
use crate::{NetworkOptions, ProxyOptions};
use bailey_ports::{Web, WebError, WebRequest};
use std::io::Write;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, channel};

/// A proxy that answers everything by itself and tells the first line of what it is asked.
fn http_proxy() -> (SocketAddr, Receiver<String>) {
    let (tell, told) = channel();
    let proxy = listen(move |mut socket| {
        let head = head(&mut socket)?;
        tell.send(head.lines().next().unwrap().to_owned()).map_err(std::io::Error::other)?;
        socket.write_all(ok("by the proxy").as_bytes())
    });
    (proxy, told)
}

fn through(world: &World, proxy: &str) {
    let proxy = Some(ProxyOptions::parse(proxy).unwrap());
    world.web.0.clients.configure(NetworkOptions { proxy, extra_roots_pem: None }).unwrap();
}

#[tokio::test]
async fn a_proxy_is_asked_for_what_passed_only() {
    let world = World::new(says(|_| ok("direct")));
    world.answers("home.example", &[&["192.168.1.1"]]);
    let ask = async |url: &str| {
        Ok::<_, WebError>(String::from_utf8(world.web.fetch(WebRequest::get(url)).await?.bytes().await?).unwrap())
    };
    assert_eq!(ask("http://a.example/x").await.as_deref(), Ok("direct"));
    assert_eq!(world.dialled().len(), 1);

    let (proxy, asked) = http_proxy();
    through(&world, &format!("http://{proxy}"));
    assert_eq!(ask("http://a.example/x").await.as_deref(), Ok("by the proxy"));
    assert_eq!(asked.recv().unwrap(), "GET http://a.example/x HTTP/1.1");
    assert_eq!(ask("http://93.184.215.14/x").await.as_deref(), Ok("by the proxy"));
    assert_eq!(asked.recv().unwrap(), "GET http://93.184.215.14/x HTTP/1.1");
    for url in [
        "http://127.0.0.1/",
        "http://home.example/",
        "http://localhost/",
        "http://printer.local/",
        "https://home.example/",
        "http://198.18.0.1/",
        "http://router/",
    ] {
        assert!(matches!(ask(url).await, Err(WebError::Refused(_))), "{url}");
    }
    // Names that only the proxy knows can't be judged.
    assert!(matches!(ask("http://unknown.invalid/").await, Err(WebError::Unreachable(_))));
    assert!(asked.try_recv().is_err(), "it was asked for nothing else");

    world.web.0.clients.configure(NetworkOptions::default()).unwrap();
    assert_eq!(ask("http://a.example/x").await.as_deref(), Ok("direct"));
}

#[tokio::test]
async fn the_proxy_itself_may_be_at_home_and_is_open_to_no_request() {
    let world = World::new(says(|_| ok("direct")));
    let (proxy, asked) = http_proxy();
    world.answers("proxy.lan", &[&["127.0.0.1"]]);
    through(&world, &format!("http://proxy.lan:{}", proxy.port()));
    let ask = async |url: &str| world.web.fetch(WebRequest::get(url)).await.map(|response| response.status);
    assert_eq!(ask("http://a.example/").await, Ok(200));
    assert_eq!(asked.recv().unwrap(), "GET http://a.example/ HTTP/1.1");
    for url in [
        format!("http://proxy.lan:{}/", proxy.port()),
        format!("http://proxy.lan.:{}/", proxy.port()),
        format!("http://{proxy}/"),
    ] {
        assert!(matches!(ask(&url).await, Err(WebError::Refused(_))), "{url}");
    }
    assert!(asked.try_recv().is_err());
}

#[tokio::test]
async fn a_socks_proxy_gets_the_checked_address() {
    let names = ["a.example".to_owned()];
    let world = World::made(Way::Socks, &names, says(|asked| ok(&asked.url)));
    for url in ["http://a.example/", "https://a.example/"] {
        let response = world.web.fetch(WebRequest::get(url)).await.unwrap();
        assert_eq!(response.bytes().await.unwrap(), url.as_bytes());
        assert_eq!(world.dialled(), ["93.184.215.14"]);
    }
    // Where it looks names up itself, it gets the name, once that has passed here.
    through(&world, &format!("socks5h://{}", world.origin));
    world.looked_up();
    let response = world.web.fetch(WebRequest::get("http://a.example/")).await.unwrap();
    assert_eq!(response.status, 200);
    assert_eq!(
        (world.dialled(), world.looked_up()),
        (vec!["the name a.example".to_owned()], vec!["a.example".to_owned()])
    );
    world.answers("home.example", &[&["10.0.0.1"]]);
    assert!(matches!(world.web.fetch(WebRequest::get("http://home.example/")).await, Err(WebError::Refused(_))));
    assert_eq!(world.dialled(), Vec::<String>::new());
}
