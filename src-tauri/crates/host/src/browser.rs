// SPDX-License-Identifier: Apache-2.0
use std::env;
use url::{Host, Url};

/// An address that was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is not an address of the kind that may be opened this way.
    #[error("this address is not opened in a browser: {0}")]
    Address(&'static str),
    /// The system did not do it.
    #[error("the browser could not be opened ({0}). Open the address yourself")]
    System(#[from] opener::OpenError),
}

/// Whether there is a screen with a person before it, as far as one can tell.
pub fn has_desktop() -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    if set("SSH_CONNECTION") || set("SSH_TTY") {
        return false;
    }
    cfg!(any(windows, target_os = "macos")) || set("WAYLAND_DISPLAY") || set("DISPLAY")
}

/// Opens Bailey's own page in the person's browser: an http address on this machine and nothing else, so that what comes
/// in here can at worst show a local page.
pub fn open_in_browser(address: &str) -> Result<(), OpenError> {
    let url = loopback(address)?;
    Ok(opener::open_browser(url.as_str())?)
}

/// Opens a link the person clicked in their browser. Only web addresses: a file or an app's own scheme could start a
/// program.
pub fn open_link(link: &str) -> Result<(), OpenError> {
    let url = web(link)?;
    Ok(opener::open_browser(url.as_str())?)
}

fn web(address: &str) -> Result<Url, OpenError> {
    let url = Url::parse(address).map_err(|_| OpenError::Address("it can't be read"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(OpenError::Address("only http and https are"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(OpenError::Address("it holds a user name"));
    }
    Ok(url)
}

fn loopback(address: &str) -> Result<Url, OpenError> {
    let url = web(address)?;
    let local = match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    };
    if url.scheme() != "http" || !local {
        return Err(OpenError::Address("only http addresses on this machine are"));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_on_this_machine_are_opened_by_the_server() {
        for address in
            ["http://127.0.0.1:4173/?code=abc", "http://localhost:4173/", "http://[::1]:80/", "http://127.1/"]
        {
            assert!(loopback(address).is_ok(), "{address}");
        }
        for address in [
            "https://127.0.0.1/",
            "http://example.com/",
            "http://localhost.example.com/",
            "http://127.0.0.1@example.com/",
            "http://user@127.0.0.1/",
            "http://192.168.1.2/",
            "http://0.0.0.0/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "--help",
            "",
        ] {
            assert!(matches!(loopback(address), Err(OpenError::Address(_))), "{address}");
            assert!(matches!(open_in_browser(address), Err(OpenError::Address(_))), "{address}");
        }
    }

    #[test]
    fn only_web_links_are_opened() {
        assert_eq!(web("HTTPS://example.com/a b?q=\"x\"").unwrap().as_str(), "https://example.com/a%20b?q=%22x%22");
        for link in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "smb://host/share",
            "C:\\x.exe",
            "http://a:b@example.com/",
            "",
        ] {
            assert!(matches!(open_link(link), Err(OpenError::Address(_))), "{link}");
        }
    }
}
