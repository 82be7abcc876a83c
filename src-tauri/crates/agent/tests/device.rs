// SPDX-License-Identifier: Apache-2.0
//! The device beside the agent: what it shows of runs, what the person does there, and how its channels stand.

mod common;

use bailey_agent::Agent;
use bailey_ports::device::{Channel, Device, Fault};
use bailey_protocol::{AskAnswerParams, CallState, ChannelRef, Mode, PermissionRef, RunState};
use bailey_testkit::phone::{Consent, Effect, Phone, packages};
use common::*;
use std::sync::Arc;
use std::time::Duration;

fn tags(phone: &Phone) -> (Vec<String>, Vec<String>) {
    let (mut posted, mut withdrawn) = (Vec::new(), Vec::new());
    for effect in phone.effects() {
        match effect {
            Effect::Posted { tag } => posted.push(tag),
            Effect::Withdrawn { tag } => withdrawn.push(tag),
            _ => {}
        }
    }
    (posted, withdrawn)
}
