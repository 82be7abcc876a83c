// SPDX-License-Identifier: Apache-2.0
//! The URL cases of the WHATWG, from the sources of the very `url` crate that is linked: what the guard decides on is what
//! the client dials.

use crate::guard::address::{check_literal, open_url};
use serde_json::Value;
use std::net::IpAddr;
use std::path::Path;
use std::process::Command;
use url::{Host, Url};

/// `tests/urltestdata.json` of the `url` crate, whose cases are its objects.
fn cases() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version=1",
            "--locked",
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
        ])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let manifests: Vec<_> = packages
        .iter()
        .filter(|package| package["name"] == "url")
        .map(|package| package["manifest_path"].as_str().unwrap())
        .collect();
    assert_eq!(manifests.len(), 1, "one version is linked: {manifests:?}");
    let text =
        std::fs::read_to_string(Path::new(manifests[0]).with_file_name("tests").join("urltestdata.json")).unwrap();
    let all: Vec<Value> = serde_json::from_str(&text).unwrap();
    all.into_iter().filter(Value::is_object).collect()
}

/// The host, port and scheme that the client takes from a URL, by the way it takes them: as an `http::Uri`, with an
/// address where the host reads as one.
fn dialled(url: &Url) -> (String, Result<IpAddr, String>, u16) {
    let uri: http::Uri = url.as_str().parse().unwrap_or_else(|error| panic!("{url}: {error}"));
    let host = uri.host().unwrap();
    let scheme = uri.scheme_str().unwrap().to_owned();
    let port = uri.port_u16().unwrap_or(if scheme == "https" { 443 } else { 80 });
    (scheme, host.trim_start_matches('[').trim_end_matches(']').parse().map_err(|_| host.to_owned()), port)
}

/// A name as hosts on the internet have them.
fn is_public(name: &str) -> bool {
    let labels: Vec<&str> = name.strip_suffix('.').unwrap_or(name).split('.').collect();
    let is_common = |label: &&str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    labels.len() > 1 && labels.iter().all(is_common) && labels.last() != Some(&"localhost")
}

#[test]
fn what_is_judged_is_what_is_dialled() {
    let cases = cases();
    assert_eq!(cases.len(), 819);
    let (mut opened, mut refused) = (0, 0);
    for case in &cases {
        let text = case["input"].as_str().unwrap();
        // With a base it is what a redirect says.
        let parsed = match case["base"].as_str() {
            Some(base) => Url::parse(base).and_then(|base| base.join(text)),
            None => Url::parse(text),
        };
        let outcome = match (&parsed, case["base"].is_null()) {
            (_, true) => open_url(text),
            (Ok(url), false) => open_url(url.as_str()),
            (Err(_), false) => open_url(""),
        };
        let web = matches!(case["protocol"].as_str(), Some("http:" | "https:"));
        let credentials = case["username"].as_str().is_some_and(|name| !name.is_empty())
            || case["password"].as_str().is_some_and(|word| !word.is_empty());
        if !web || credentials {
            assert!(outcome.is_err(), "{case}: {outcome:?}");
            continue;
        }
        let url = match outcome {
            Ok(url) => url,
            Err(error) => {
                refused += 1;
                // Nothing that is public is refused.
                let host = parsed.unwrap().host().unwrap().to_owned();
                match host {
                    Host::Domain(name) => assert!(!is_public(&name), "{case}: {error}"),
                    Host::Ipv4(ip) => assert!(check_literal(ip.into()).is_err(), "{case}: {error}"),
                    Host::Ipv6(ip) => assert!(check_literal(ip.into()).is_err(), "{case}: {error}"),
                }
                continue;
            }
        };
        opened += 1;
        // As the standard has it …
        assert_eq!(url.as_str(), case["href"].as_str().unwrap(), "{case}");
        assert_eq!(url.host_str().unwrap(), case["hostname"].as_str().unwrap(), "{case}");
        // … and as the client has it.
        let (scheme, host, port) = dialled(&url);
        assert_eq!((scheme.as_str(), port), (url.scheme(), url.port_or_known_default().unwrap()), "{case}");
        match (url.host().unwrap(), host) {
            (Host::Ipv4(judged), Ok(dialled)) => assert_eq!(IpAddr::from(judged), dialled, "{case}"),
            (Host::Ipv6(judged), Ok(dialled)) => assert_eq!(IpAddr::from(judged), dialled, "{case}"),
            (Host::Domain(judged), Err(dialled)) => assert_eq!(judged, dialled, "{case}"),
            (judged, dialled) => panic!("{case}: judged {judged:?}, dialled {dialled:?}"),
        }
    }
    assert!(opened > 100 && refused > 20, "{opened} opened, {refused} refused");
}
