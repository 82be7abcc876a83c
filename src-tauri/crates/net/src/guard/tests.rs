// SPDX-License-Identifier: Apache-2.0
//! The guard over real sockets. A test's world answers for the whole internet: it looks names up, and what is dialled
//! after the checks ends at a listener on this machine.

mod exchange;
mod proxies;
mod redirects;
mod ssrf;
mod whatwg;
mod world;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// Where a connection to a checked address goes instead.
pub(super) type Divert = Arc<dyn Fn(IpAddr) -> Option<SocketAddr> + Send + Sync>;
