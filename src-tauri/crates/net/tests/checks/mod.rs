// SPDX-License-Identifier: Apache-2.0
//! What must hold of any text that is to be opened. The fuzz target looks for one of which it does not, and a test replays
//! what was found.
//!
//! An input is an address; after a byte that UTF-8 does not have, 0xff, comes what its host redirects to.

use bailey_net::open_url;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

/// Opens an address and follows its redirect.
pub fn url(data: &[u8]) {
    let mut parts = data.splitn(2, |byte| *byte == 0xff).map(String::from_utf8_lossy);
    let Some(from) = parts.next().and_then(|text| open(&text)) else { return };
    if let Some(to) = parts.next().and_then(|location| from.join(&location).ok()) {
        open(to.as_str());
    }
}

fn open(text: &str) -> Option<Url> {
    let url = open_url(text).ok()?;
    assert!(matches!(url.scheme(), "http" | "https"), "{url}");
    assert!(url.username().is_empty() && url.password().is_none(), "{url}");
    assert_eq!(Url::parse(url.as_str()).as_ref(), Ok(&url), "it is the same when it is read again");
    assert_eq!(open_url(url.as_str()).as_ref(), Ok(&url), "and judged the same");
    // What the client dials: it reads the text once more, by other rules.
    let uri: http::Uri = url.as_str().parse().unwrap_or_else(|error| panic!("{url}: {error}"));
    assert_eq!(uri.scheme_str(), Some(url.scheme()), "{url}");
    assert_eq!(uri.port_u16(), url.port(), "{url}");
    let host = uri.host().unwrap_or_else(|| panic!("{url} has no host to dial"));
    match (url.host()?, host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>()) {
        (Host::Ipv4(ip), Ok(dialled)) => assert!(dialled == IpAddr::from(ip) && is_public_v4(ip), "{url}"),
        (Host::Ipv6(ip), Ok(dialled)) => assert!(dialled == IpAddr::from(ip) && is_public_v6(ip), "{url}"),
        (Host::Domain(name), Err(_)) => assert!(name == host && is_public_name(name), "{url}"),
        (judged, dialled) => panic!("{judged:?} was judged, {dialled:?} is dialled"),
    }
    Some(url)
}

/// By the standard library's word, and that of no table of the guard.
fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, ..] = ip.octets();
    let special = ip.is_private() || ip.is_loopback() || ip.is_link_local() || ip.is_documentation();
    !special && a != 0 && a < 224 && !(a == 100 && b & 0xc0 == 64) && !(a == 198 && b & 0xfe == 18)
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let segments = ip.segments();
    segments[0] & 0xe000 == 0x2000 && segments[0] != 0x2002 && !matches!(segments[..2], [0x2001, 0 | 0xdb8])
}

/// At least two labels, and none of the local zones last.
fn is_public_name(name: &str) -> bool {
    let labels: Vec<&str> = name.split('.').filter(|label| !label.is_empty()).collect();
    match labels.as_slice() {
        [.., "home", "arpa"] => false,
        [.., _, last] => !["localhost", "local", "internal"].contains(last),
        _ => false,
    }
}
