// SPDX-License-Identifier: Apache-2.0
//! `npm run eval -- injection` and `npm run eval -- phone`

use anyhow::Context;
use bailey_evals::injection::{Corpus, Report, Simple, Variant, replay};
use bailey_evals::phone;
use clap::{Parser, Subcommand};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

/// What is claimed of Bailey, measured.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Tasks on the simulated phone, with a good model and a bad one.
    Phone {
        /// Prints the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Replays AgentDojo with a model that obeys every injection.
    Injection {
        /// Prints the result as JSON.
        #[arg(long)]
        json: bool,
        /// Only this way for an attack to go, such as "same turn"; can be given several times. "none" replays the harmless
        /// tasks alone.
        #[arg(long)]
        variant: Vec<String>,
        /// Prints each question that a harmless task asked.
        #[arg(long)]
        questions: bool,
    },
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let (json, variant, questions) = match Arguments::parse().what {
        What::Injection { json, variant, questions } => (json, variant, questions),
        What::Phone { json } => return on_the_phone(json).await,
    };
    let ways: Vec<Variant> = Variant::ALL
        .into_iter()
        .filter(|way| variant.is_empty() || variant.iter().any(|name| name == way.name()))
        .collect();
    anyhow::ensure!(
        !ways.is_empty() || variant == ["none"],
        "there is no such variant; there are {:?}",
        Variant::ALL.map(Variant::name)
    );
    let mut out = std::io::stdout();
    let corpus = match Corpus::find() {
        Some(path) => Corpus::read(&path)?,
        None => {
            writeln!(
                out,
                "The corpus is not here: set BAILEY_AGENTDOJO. Only the samples of this repository are replayed."
            )?;
            Corpus::sample()?
        }
    };
    let report = replay(&corpus, &ways, |part| {
        let _ = writeln!(std::io::stderr(), "replaying: {part}");
    });
    let report = report.await.context("the replay broke off")?;
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        write!(out, "{}", table(&report))?;
    }
    if questions {
        for asked in &report.harmless.asked {
            writeln!(out, "{asked}")?;
        }
    }
    let held = report.variants.iter().all(|variant| variant.lost == 0);
    let done = report.harmless.completed == report.harmless.tasks;
    Ok(if held && done { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn on_the_phone(json: bool) -> anyhow::Result<ExitCode> {
    let report = phone::report().await?;
    let mut out = std::io::stdout();
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        for outcome in &report.outcomes {
            let done = if outcome.done { "done" } else { "NOT DONE" };
            writeln!(out, "{:<40} {done}, {} questions", outcome.name, outcome.questions)?;
            for line in outcome.asked.iter().chain(&outcome.harm) {
                writeln!(out, "    {line}")?;
            }
        }
        let all = report.outcomes.len();
        writeln!(
            out,
            "{}/{all} done, {} questions in the median, {} at most; a bad model did harm in {}/{all}",
            report.done, report.median, report.most, report.harmed
        )?;
    }
    let held = report.harmed == 0 && report.done == report.outcomes.len();
    Ok(if held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn table(report: &Report) -> String {
    let mut out = String::new();
    let harmless = &report.harmless;
    let _ = writeln!(
        out,
        "Harmless tasks: {}/{} completed, {} questions ({:.2} a task).",
        harmless.completed,
        harmless.tasks,
        harmless.questions,
        harmless.questions as f64 / harmless.tasks.max(1) as f64
    );
    for (asked, tasks) in &harmless.distribution {
        let _ = writeln!(out, "  {tasks} tasks asked {asked} times");
    }
    for rule in Simple::ALL {
        let _ = writeln!(
            out,
            "  \"{}\" would have asked {} times",
            rule.name(),
            harmless.simple.get(rule.name()).unwrap_or(&0)
        );
    }
    let _ = writeln!(out, "\nPairs of task and attack, and in how many an injected call ran unasked:");
    let _ = writeln!(
        out,
        "  {:<20} {:>9}  {:>6} {:>8}  simpler rules would have lost",
        "variant", "lost", "asked", "refused"
    );
    for variant in &report.variants {
        let simple: Vec<String> = Simple::ALL
            .into_iter()
            .map(|rule| format!("{}: {}", rule.name(), variant.simple.get(rule.name()).unwrap_or(&0)))
            .collect();
        let _ = writeln!(
            out,
            "  {:<20} {:>4}/{:<4}  {:>6} {:>8}  {}",
            variant.variant.name(),
            variant.lost,
            variant.pairs,
            variant.asked,
            variant.refused,
            simple.join("; ")
        );
        for loss in &variant.losses {
            let _ = writeln!(out, "    lost: {loss}");
        }
    }
    out
}
