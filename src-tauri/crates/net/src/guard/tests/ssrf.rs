// SPDX-License-Identifier: Apache-2.0
//! Addresses that must be refused and addresses that must not: `BAILEY_SSRF`, else `../shared/data/ssrf.json` beside the
//! repository; a sample of our own lives in `tests/samples`.

use super::world::{PUBLIC, Trap, Way, World, ok, redirect, says};
use crate::guard::address::{check_literal, open_url};
use bailey_ports::{Web, WebError, WebRequest};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use url::{Host, Url};

fn corpora() -> Vec<Value> {
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut found = vec![read(here.join("tests/samples/ssrf.json"))];
    let beside = here.join("../../../../shared/data/ssrf.json");
    match std::env::var_os("BAILEY_SSRF").map(PathBuf::from).or_else(|| beside.exists().then_some(beside)) {
        Some(path) => found.push(read(path)),
        // Past the harness, which keeps what a passing test prints.
        None => std::io::stderr().write_all(b"ssrf: ONLY the repo's own sample ran\n").unwrap(),
    }
    found
}

struct Case {
    url: String,
    allowed: bool,
    why: String,
    /// The answers of each name, one after the other.
    dns: BTreeMap<String, Vec<Vec<String>>>,
    redirects: BTreeMap<String, String>,
    /// The answers change.
    rebinds: bool,
}

fn cases() -> Vec<Case> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let texts = |value: &Value| value.as_array().unwrap().iter().map(text).collect::<Vec<_>>();
    let object = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let mut all = Vec::new();
    for case in corpora().iter().flat_map(|corpus| corpus["cases"].as_array().unwrap()) {
        let expect = text(&case["expect"]);
        assert!(["allow", "block"].contains(&&*expect), "{case}");
        let mut dns: BTreeMap<_, _> =
            object(&case["dns"]).iter().map(|(name, ips)| (name.clone(), vec![texts(ips)])).collect();
        dns.extend(
            object(&case["dns_sequence"])
                .iter()
                .map(|(name, turns)| (name.clone(), turns.as_array().unwrap().iter().map(texts).collect())),
        );
        all.push(Case {
            url: text(&case["url"]),
            allowed: expect == "allow",
            why: text(&case["why"]),
            dns,
            redirects: object(&case["redirects"]).iter().map(|(from, to)| (from.clone(), text(to))).collect(),
            rebinds: case.get("dns_sequence").is_some(),
        });
    }
    assert!(all.len() >= 20);
    all
}

impl Case {
    fn enter(&self, world: &World) {
        for (name, turns) in &self.dns {
            let turns: Vec<Vec<&str>> = turns.iter().map(|ips| ips.iter().map(String::as_str).collect()).collect();
            world.answers(name, &turns.iter().map(Vec::as_slice).collect::<Vec<_>>());
        }
        world.dialled();
    }

    fn hosts(&self) -> Vec<String> {
        let urls = std::iter::once(&self.url).chain(self.redirects.keys()).chain(self.redirects.values());
        urls.filter_map(|url| Url::parse(url).ok()).filter_map(|url| url.host_str().map(bare)).collect()
    }
}

fn bare(host: &str) -> String {
    host.trim_matches(['[', ']', '.']).to_owned()
}

/// All cases, where every single connection is seen with its address.
#[tokio::test]
async fn what_must_be_refused_is_and_nothing_else_is() {
    let cases = cases();
    let certified: BTreeSet<String> = cases.iter().filter(|case| case.allowed).flat_map(Case::hosts).collect();
    let redirects = Arc::new(Mutex::new(BTreeMap::<String, String>::new()));
    let handler = {
        let redirects = redirects.clone();
        says(move |asked| match redirects.lock().unwrap().get(&asked.url) {
            Some(to) => redirect(302, to),
            None => ok("public"),
        })
    };
    let world = World::made(Way::Socks, &certified.into_iter().collect::<Vec<_>>(), handler);
    for case in &cases {
        case.enter(&world);
        redirects.lock().unwrap().clone_from(&case.redirects);
        // Behind a proxy the HTTP library can't tell TLS about an IPv6 address; what is dialled shows without it.
        let url =
            if case.url.starts_with("https://[") { case.url.replacen("https", "http", 1) } else { case.url.clone() };
        let outcome = world.web.fetch(WebRequest::get(url)).await;
        let dialled = world.dialled();
        let about = format!("{} ({}): {outcome:?}, dialled {dialled:?}", case.url, case.why);
        if case.allowed {
            let response = outcome.unwrap_or_else(|_| panic!("{about}"));
            assert_eq!(response.status, 200, "{about}");
            assert_eq!(response.bytes().await.unwrap(), b"public", "{about}");
            let first = open_url(&case.url).unwrap();
            let expected = match first.host().unwrap() {
                Host::Domain(name) => case.dns[bare(name).as_str()][0][0].clone(),
                Host::Ipv4(ip) => ip.to_string(),
                Host::Ipv6(ip) => ip.to_string(),
            };
            assert_eq!(dialled, vec![expected; 1 + case.redirects.len()], "{about}");
        } else {
            assert!(outcome.is_err(), "{about}");
            // A proxy makes for two lookups, so that here a changed answer is seen and refused.
            assert_eq!(dialled, vec![PUBLIC.to_string(); case.redirects.len()], "{about}");
        }
    }
}

/// The cases without a proxy, against a listener on loopback that counts.
#[tokio::test]
async fn no_socket_is_opened_to_this_machine() {
    let trap = Trap::new();
    let port = trap.port();
    let trapped = move |url: &str| match Url::parse(url) {
        Ok(mut url) if matches!(url.host(), Some(Host::Ipv4(_) | Host::Ipv6(_))) => {
            let _ = url.set_port(Some(port));
            url.to_string()
        }
        _ => url.to_owned(),
    };
    // It would be seen.
    std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    assert_eq!(trap.count(), 1);
    for case in cases().iter().filter(|case| !case.allowed) {
        let redirects: BTreeMap<_, _> = case.redirects.iter().map(|(from, to)| (from.clone(), trapped(to))).collect();
        let world = World::new(says(move |asked| match redirects.get(&asked.url) {
            Some(to) => redirect(307, to),
            None => ok("public"),
        }));
        case.enter(&world);
        let outcome = world.web.fetch(WebRequest::get(trapped(&case.url))).await;
        let about = format!("{} ({}): {outcome:?}", case.url, case.why);
        if case.rebinds {
            // One lookup a connection: what was checked is what is dialled, and the next answer is checked as well.
            assert_eq!(outcome.unwrap().bytes().await.unwrap(), b"public", "{about}");
            assert_eq!(world.dialled(), [PUBLIC.to_string()], "{about}");
            let again = world.web.fetch(WebRequest::get(&case.url)).await;
            assert!(matches!(again, Err(WebError::Refused(_))), "{about}, then {again:?}");
            assert_eq!(world.dialled(), Vec::<String>::new(), "{about}");
        } else {
            assert!(outcome.is_err(), "{about}");
            assert_eq!(world.dialled(), vec![PUBLIC.to_string(); case.redirects.len()], "{about}");
        }
        assert_eq!(trap.count(), 0, "{about}");
    }
}

/// Spellings of this machine, each with the port of a listener that is really there.
#[tokio::test]
async fn this_machine_is_not_reached_in_any_spelling() {
    let trap = Trap::new();
    let port = trap.port();
    let world = World::new(says(|_| ok("public")));
    world.answers("loop.example", &[&["127.0.0.1"]]);
    world.answers("mixed.example", &[&["93.184.215.14", "::1"]]);
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "0x7f.1",
        "127.0.0.1.",
        "127.255.255.254",
        "0",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[0:0:0:0:0:ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "[::ffff:0:127.0.0.1]",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "a.localhost",
        "①②⑦.⓪.⓪.①",
        "127。0。0。1",
        "%31%32%37.0.0.1",
        "loop.example",
        "mixed.example",
    ] {
        for scheme in ["http", "https"] {
            let outcome = world.web.fetch(WebRequest::get(format!("{scheme}://{host}:{port}/"))).await;
            assert!(matches!(outcome, Err(WebError::Refused(_))), "{host}: {outcome:?}");
        }
    }
    assert_eq!(trap.count(), 0);
    assert_eq!(world.dialled(), Vec::<String>::new());
    assert!(!world.looked_up().iter().any(|name| name.contains("localhost")), "such names are never asked for");
}

fn neighbours(range: &str) -> (Vec<IpAddr>, Vec<IpAddr>) {
    let (net, bits) = range.split_once('/').unwrap();
    let bits: u32 = bits.parse().unwrap();
    match net.parse().unwrap() {
        IpAddr::V4(net) => {
            let (first, size) = (u32::from(net), u32::MAX.checked_shr(bits).unwrap_or(0));
            let ip = |bits: u32| IpAddr::V4(Ipv4Addr::from(bits));
            let inside = [first, first + size / 2, first + size];
            let outside = [first.checked_sub(1), (first + size).checked_add(1)];
            (inside.map(ip).into(), outside.into_iter().flatten().map(ip).collect())
        }
        IpAddr::V6(net) => {
            let (first, size) = (u128::from(net), u128::MAX.checked_shr(bits).unwrap_or(0));
            let ip = |bits: u128| IpAddr::V6(Ipv6Addr::from(bits));
            let inside = [first, first + size / 2, first + size];
            let outside = [first.checked_sub(1), (first + size).checked_add(1)];
            (inside.map(ip).into(), outside.into_iter().flatten().map(ip).collect())
        }
    }
}

#[test]
fn every_range_is_blocked_to_its_edges_and_no_further() {
    for corpus in corpora() {
        let ranges: Vec<String> = ["v4", "v6"]
            .iter()
            .flat_map(|kind| corpus["ranges"][kind].as_array().unwrap())
            .map(|range| range.as_str().unwrap().to_owned())
            .collect();
        let all: Vec<_> = ranges.iter().map(|range| neighbours(range)).collect();
        let listed = |ip: &IpAddr| {
            all.iter().any(|(inside, _)| inside[0].is_ipv4() == ip.is_ipv4() && inside[0] <= *ip && *ip <= inside[2])
        };
        let mut free = 0;
        for (range, (inside, outside)) in ranges.iter().zip(&all) {
            for ip in inside {
                assert!(check_literal(*ip).is_err(), "{ip} of {range}");
            }
            for ip in outside.iter().filter(|ip| !listed(ip)) {
                // Of IPv6 only 2000::/3 was ever handed out.
                let global = match ip {
                    IpAddr::V4(_) => true,
                    IpAddr::V6(v6) => v6.segments()[0] >> 13 == 1,
                };
                assert_eq!(check_literal(*ip).is_ok(), global, "{ip} beside {range}");
                free += usize::from(global);
            }
        }
        assert!(free >= 20, "{free}");
    }
}
