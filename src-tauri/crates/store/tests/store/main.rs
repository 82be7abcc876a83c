// SPDX-License-Identifier: Apache-2.0
//! The store through its public face, over real files.

mod append;
mod children;
mod conversations;
mod durability;
mod files;
mod lock;
mod migrations;
mod notes;
mod open;
mod purge;
mod rebuild;
mod records;
mod requests;
mod rest;
mod search;
mod tree;
