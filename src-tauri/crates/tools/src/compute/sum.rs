// SPDX-License-Identifier: Apache-2.0
//! Runs a translated expression within limits of time, stack and output.

use super::expression::Expression;
use fend_core::{Context, Interrupt, evaluate_with_interrupt};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What is answered at once, on the thread that asks.
const AT_ONCE: Duration = Duration::from_millis(5);
/// What anything may take.
const LONGEST: Duration = Duration::from_millis(800);
/// Longer results are told by their first digits, in characters.
const OUTPUT: usize = 2000;
/// Each token may nest one level deeper; a debug build needs up to this much stack for one, in bytes.
const STACK_PER_TOKEN: usize = 192 * 1024;
/// So few tokens fit any thread's stack.
const FEW_TOKENS: usize = 7;

struct Limit {
    until: Instant,
    dropped: Arc<AtomicBool>,
}

impl Interrupt for Limit {
    fn should_interrupt(&self) -> bool {
        self.dropped.load(Ordering::Relaxed) || Instant::now() > self.until
    }
}

/// Tells the thread to end when the call is cancelled.
struct OnDrop(Arc<AtomicBool>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The result, or what is wrong and what to do instead.
pub(super) async fn evaluate(expression: Expression) -> Result<String, String> {
    let dropped = Arc::new(AtomicBool::new(false));
    if expression.tokens <= FEW_TOKENS {
        let limit = Limit { until: Instant::now() + AT_ONCE, dropped: dropped.clone() };
        match run(&expression.text, &limit) {
            Err(e) if e == INTERRUPTED => {}
            done => return finish(done),
        }
    }
    let _guard = OnDrop(dropped.clone());
    let (send, receive) = tokio::sync::oneshot::channel();
    let stack = 1024 * 1024 + expression.tokens * STACK_PER_TOKEN;
    let work = move || {
        let limit = Limit { until: Instant::now() + LONGEST, dropped };
        let _ = send.send(run(&expression.text, &limit));
    };
    let started = std::thread::Builder::new().name("compute".into()).stack_size(stack).spawn(work);
    started.map_err(|e| format!("the calculation could not be started ({e}). Try a shorter expression"))?;
    // A step inside the library that does not look at the clock must not hold up the run.
    match tokio::time::timeout(LONGEST * 3, receive).await {
        Ok(Ok(done)) => finish(done),
        Ok(Err(_)) => Err("the calculation failed. Write it in smaller steps".into()),
        Err(_) => finish(Err(INTERRUPTED.into())),
    }
}

/// What the library says when it was stopped.
const INTERRUPTED: &str = "interrupted";

fn run(text: &str, limit: &Limit) -> Result<String, String> {
    // A context without a source of random numbers and without exchange rates: such expressions fail.
    let mut context = Context::new();
    evaluate_with_interrupt(text, &mut context, limit).map(|result| result.get_main_result().to_owned())
}

fn finish(result: Result<String, String>) -> Result<String, String> {
    match result {
        Ok(text) if text.trim().is_empty() => Err("the expression has no value. Write one calculation".into()),
        Ok(text) => Ok(shorten(text)),
        Err(e) if e == INTERRUPTED => Err(
            "the calculation takes too long or its result is too large. Use smaller numbers, or a logarithm such as log10"
                .into(),
        ),
        Err(e) if e.contains("exchange rate") => Err(format!(
            "{e}. compute knows no exchange rates: find the rate another way and multiply by it"
        )),
        Err(e) if e.starts_with("unknown identifier") => {
            Err(format!("{e}. Use numbers, the usual functions with one argument, and English or SI names of units"))
        }
        Err(e) => {
            let e: String = e.chars().take(200).collect();
            Err(format!("{e}. Correct the expression and call again"))
        }
    }
}

fn shorten(text: String) -> String {
    let length = text.chars().count();
    if length <= OUTPUT {
        return text;
    }
    let begin: String = text.chars().take(60).collect();
    let end: String = text.chars().skip(length - 20).collect();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    format!("{begin}…{end} ({digits} digits in all)")
}
