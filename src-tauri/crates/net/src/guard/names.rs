// SPDX-License-Identifier: Apache-2.0
use super::GuardOptions;
use super::address::{check_answers, check_literal, check_name, shortened};
use crate::cause;
use crate::client::Lookup;
use bailey_ports::WebError;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, SocketAddr};

/// Looks names up and hands the client nothing but addresses that passed.
#[derive(Clone)]
pub(super) struct Names {
    pub(super) lookup: Lookup,
    pub(super) options: GuardOptions,
    /// The name of the proxy that the person set, which may be at home.
    pub(super) proxy: Option<String>,
    /// Where connections to a checked address really go, for tests.
    #[cfg(test)]
    pub(super) divert: super::tests::Divert,
}

impl Names {
    /// The addresses of a host, all of them public; never none.
    ///
    /// Errors: one of them is not public, or there are none.
    pub(super) async fn checked(&self, host: &str) -> Result<Vec<IpAddr>, WebError> {
        // The client asks for addresses, too, when it hands them to a SOCKS proxy.
        if let Ok(ip) = host.trim_start_matches('[').trim_end_matches(']').parse() {
            return check_literal(ip).map(|()| vec![ip]);
        }
        check_name(host)?;
        let found = self.found(host).await?;
        check_answers(host, &found, self.options.fake_ip)?;
        Ok(found)
    }

    async fn found(&self, name: &str) -> Result<Vec<IpAddr>, WebError> {
        let unknown = |reason: &str| {
            let name = shortened(name);
            WebError::Unreachable(format!("{name} can't be found ({reason}). Check the address, or search for another"))
        };
        match (self.lookup)(name.to_owned()).await {
            // Given none, the client would leave the name to a SOCKS proxy.
            Ok(found) if found.is_empty() => Err(unknown("it has no address")),
            Ok(found) => Ok(found),
            Err(error) => Err(unknown(cause(&error).trim_start_matches("failed to lookup address information: "))),
        }
    }
}

impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        let (names, name) = (self.clone(), name.as_str().to_owned());
        Box::pin(async move {
            let found = if names.proxy.as_ref() == Some(&name) {
                names.found(&name).await?
            } else {
                names.checked(&name).await?
            };
            let addresses = found.into_iter().map(move |ip| {
                #[cfg(test)]
                if let Some(address) = (names.divert)(ip) {
                    return address;
                }
                SocketAddr::new(ip, 0)
            });
            Ok(Box::new(addresses) as Addrs)
        })
    }
}
