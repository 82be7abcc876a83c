// SPDX-License-Identifier: Apache-2.0
//! Which endpoints a model may have, the guard before the open web, and the one place that makes HTTP clients.

mod client;
mod endpoint;
mod guard;
mod network;

pub use client::{Clients, NotPrivate, Redirected, cause};
pub use endpoint::{
    EndpointError, check_endpoint, endpoint_url, is_at_home, is_loopback, is_private, normalize_base_url,
};
pub use guard::{GuardOptions, GuardedWeb, open_url};
pub use network::{NetworkOptions, ProxyOptions};
