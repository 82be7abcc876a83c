// SPDX-License-Identifier: Apache-2.0
//! How long reading a screen of 1 500 nodes takes: `cargo run --release -p bailey-screen --example speed`.

#[path = "../tests/common/mod.rs"]
mod common;

use bailey_ports::device::Screen;
use std::io::Write as _;
use std::time::{Duration, Instant};

fn main() -> std::io::Result<()> {
    // Windows of real dumps above each other until there are enough nodes.
    let mut big = Screen { width: 1080, height: 2400, ..Screen::default() };
    let mut nodes = 0;
    for (_, screen) in common::screens().into_iter().cycle() {
        nodes += screen.windows.iter().map(|w| w.nodes.len()).sum::<usize>();
        big.windows.extend(screen.windows);
        if nodes >= 1_500 {
            break;
        }
    }
    let mut best = Duration::MAX;
    for _ in 0..50 {
        let from = Instant::now();
        std::hint::black_box(bailey_screen::read(std::hint::black_box(&big)));
        best = best.min(from.elapsed());
    }
    writeln!(std::io::stdout(), "{nodes} nodes: {:.2} ms", best.as_secs_f64() * 1_000.0)
}
