// SPDX-License-Identifier: Apache-2.0
//! A question to the person as text, and what they type as an answer.

use bailey_protocol::{
    Answer, Ask, AskKind, Danger, Doubt, DoubtKind, Labels, Mode, NodeClass, Reason, Source, SpendScope,
};
use serde_json::Value;
use std::fmt::Write as _;

/// The question, complete: the exact arguments, why it is asked and what can be typed. Ends in the middle of a line.
pub(crate) fn text(ask: &Ask) -> String {
    let mut out = describe(ask);
    match &ask.kind {
        AskKind::Confirm { grantable, reasons, .. } => {
            if let Some(left) = ask.left_ms {
                let _ = writeln!(out, "  Without an answer it is denied in {} s.", left.div_ceil(1000));
            }
            out.push_str("[d]eny  [o]nce");
            if *grantable {
                out.push_str("  [c]hat: allow this tool in this conversation");
            }
            if asks_for_app(reasons) {
                out.push_str("  [a]pp: in this run, scroll, open and fill in there without asking");
            }
        }
        AskKind::Question { question, .. } => {
            for (i, choice) in question.choices.iter().enumerate() {
                let _ = writeln!(out, "  {}. {choice}", i + 1);
            }
            out.push_str(match question.choices.is_empty() {
                true => "Your answer (nothing: it decides)",
                false => "A number, or your own words (nothing: it decides)",
            });
        }
        AskKind::Spend { .. } => {
            if let Some(left) = ask.left_ms {
                let _ = writeln!(out, "  Without an answer the run ends in {} s.", left.div_ceil(1000));
            }
            out.push_str("[y]es  [n]o");
        }
        AskKind::Recovery { .. } => out.push_str("[y] it happened  [n] it did not  [?] I don't know"),
    }
    out.push_str(" > ");
    out
}

fn asks_for_app(reasons: &[Reason]) -> bool {
    reasons.iter().any(|reason| matches!(reason, Reason::DriveApp { .. }))
}

/// What is asked and why, without what can be typed.
pub(crate) fn describe(ask: &Ask) -> String {
    let mut out = String::new();
    match &ask.kind {
        AskKind::Confirm { tool, danger, leaves, arguments, risk, target, reasons, .. } => {
            let danger = match danger {
                Danger::Low => "little danger",
                Danger::Medium => "some danger",
                Danger::High => "high danger",
            };
            let leaves = if *leaves { ", can carry data out" } else { "" };
            let _ = writeln!(out, "May {tool} run? ({danger}{leaves})");
            write_origin(&mut out, ask);
            write_arguments(&mut out, arguments);
            if let Some(target) = target {
                let json = |text: &String| Value::String(text.clone());
                let _ = writeln!(
                    out,
                    "  It would touch the {} {} in {} ({}).",
                    target.role,
                    json(&target.label),
                    json(&target.app_name),
                    target.app
                );
            }
            if let Some(risk) = risk {
                if !risk.parsed {
                    let _ = writeln!(out, "  Not all of this command could be read: take it for dangerous.");
                }
                for effect in &risk.effects {
                    let _ = writeln!(out, "  {}: {}", Value::String(effect.command.clone()), effect.why);
                }
            }
            for reason in reasons {
                let _ = writeln!(out, "  It is asked because {}.", why(reason));
                for doubt in doubts(reason) {
                    let _ = writeln!(out, "    {}", in_doubt(doubt));
                }
            }
        }
        AskKind::Question { question, labels } => {
            let _ = writeln!(out, "Bailey asks: {}", question.question);
            write_origin(&mut out, ask);
            if labels.is_tainted() {
                let _ = writeln!(out, "  (It had read text from outside: {}.)", sources(&labels.outside));
            }
        }
        AskKind::Spend { scope, spent, cap, next } => {
            let what = match scope {
                SpendScope::Run => "this run",
                SpendScope::Day => "today",
            };
            let _ = writeln!(
                out,
                "{} was spent {what}, of the {} you allow. The next request may cost up to {}. Spend up to {} more?",
                dollars(*spent),
                dollars(*cap),
                dollars(*next),
                dollars((*cap).max(*next)),
            );
        }
        AskKind::Recovery { tool, arguments } => {
            let _ = writeln!(out, "Bailey was closed while {tool} ran. Did it happen? It is not run again by itself.");
            write_origin(&mut out, ask);
            write_arguments(&mut out, arguments);
        }
    }
    out
}

/// Reads an answer; `None` when this is none, and the question is put again.
pub(crate) fn answer(ask: &Ask, line: &str) -> Option<Answer> {
    let line = line.trim();
    let word = line.to_lowercase();
    match &ask.kind {
        AskKind::Confirm { grantable, reasons, .. } => match word.as_str() {
            "a" | "app" if asks_for_app(reasons) => Some(Answer::AllowApp),
            "d" | "deny" => Some(Answer::Deny),
            "o" | "once" => Some(Answer::AllowOnce),
            "c" | "chat" if *grantable => Some(Answer::AllowChat),
            _ => None,
        },
        AskKind::Question { question, .. } => Some(match line.parse::<usize>() {
            _ if line.is_empty() => Answer::YouDecide,
            Ok(n) if (1..=question.choices.len()).contains(&n) => Answer::Choice { index: n as u32 - 1 },
            _ => match question.choices.iter().position(|c| c.trim() == line) {
                Some(index) => Answer::Choice { index: index as u32 },
                None => Answer::Text { text: line.to_owned() },
            },
        }),
        AskKind::Spend { .. } => match word.as_str() {
            "y" | "yes" => Some(Answer::AllowOnce),
            "n" | "no" => Some(Answer::Deny),
            _ => None,
        },
        AskKind::Recovery { .. } => match word.as_str() {
            "y" | "yes" => Some(Answer::Choice { index: 0 }),
            "n" | "no" => Some(Answer::Choice { index: 1 }),
            "?" => Some(Answer::Choice { index: 2 }),
            _ => None,
        },
    }
}

/// Micro-dollars as people write them, to the hundredth of a cent.
fn dollars(micros: u64) -> String {
    format!("${}.{:04}", micros / 1_000_000, micros % 1_000_000 / 100)
}

/// Who asks, when it is not the run that the person started.
fn write_origin(out: &mut String, ask: &Ask) {
    if let Some(origin) = &ask.origin {
        let whose = if origin.depth > 1 { "a sub-agent of a sub-agent" } else { "a sub-agent" };
        let _ = writeln!(out, "  Asked by {whose}, which was told: {}", Value::String(origin.task.clone()));
    }
}

/// Arguments on one line each; text in it stands as JSON writes it, so that nothing hides.
pub(crate) fn write_arguments(out: &mut String, arguments: &Value) {
    match arguments {
        Value::Object(members) => {
            for (name, value) in members {
                let _ = writeln!(out, "  {name}: {value}");
            }
        }
        other => {
            let _ = writeln!(out, "  {other}");
        }
    }
}

fn why(reason: &Reason) -> String {
    match reason {
        Reason::Mode { mode: Mode::Act } => "in the mode act each call is confirmed".to_owned(),
        Reason::Mode { mode } => format!("the mode {} asks", mode.name()),
        Reason::OutsideHigh { sources: s } => {
            format!("text from outside ({}) was read and this tool is dangerous", sources(s))
        }
        Reason::OutsideActs { sources: s, .. } => {
            format!("text from outside ({}) was read and not all of this is known to come from you", sources(s))
        }
        Reason::DriveApp { name, .. } => {
            format!("it would be the first touch in {} in this run", Value::String(name.clone()))
        }
        Reason::Touches { class } => touches(*class).to_owned(),
        Reason::PrivateMayLeave { sources: s, .. } => format!("your own data ({}) would leave with it", sources(s)),
    }
}

fn touches(class: NodeClass) -> &'static str {
    match class {
        NodeClass::Send => "it would send or publish something",
        NodeClass::Pay => "it would pay or order something",
        NodeClass::Delete => "it would delete something",
        NodeClass::Install => "it would install or remove an app",
        NodeClass::Permission => "it would change a permission or what protects the device",
        NodeClass::Leave => "it would lead to another app",
        NodeClass::Account => "it concerns an account",
        NodeClass::Scroll | NodeClass::Navigate | NodeClass::Field | NodeClass::Unknown => {
            "nobody can tell what touching it does"
        }
    }
}

fn doubts(reason: &Reason) -> &[Doubt] {
    match reason {
        Reason::OutsideActs { doubts, .. } | Reason::PrivateMayLeave { doubts, .. } => doubts,
        _ => &[],
    }
}

/// A value the person has to look at, as JSON writes it, so that nothing hides in it.
fn in_doubt(doubt: &Doubt) -> String {
    let value = Value::String(doubt.value.clone());
    let path = if doubt.path.is_empty() { "the call" } else { doubt.path.as_str() };
    let what = match doubt.kind {
        DoubtKind::Untraced if doubt.value.is_empty() => return format!("{path}: you did not say what it is for"),
        DoubtKind::Untraced => "you did not say this",
        DoubtKind::Link => "a link or an address that you did not give",
        DoubtKind::Private => "this is yours",
    };
    match &doubt.source {
        Some(source) => format!("{path} = {value}: {what}; it stands in {}", sources(std::slice::from_ref(source))),
        None => format!("{path} = {value}: {what}"),
    }
}

fn sources(sources: &[Source]) -> String {
    let mut names: Vec<String> = sources
        .iter()
        .map(|s| match &s.detail {
            Some(detail) => format!("{} {detail}", s.tool),
            None => s.tool.clone(),
        })
        .collect();
    if names.len() >= Labels::MAX_SOURCES {
        names.push("more".to_owned());
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailey_protocol::{
        AskId, CallId, ConversationId, Origin, Question, RunId, ShellEffect, ShellEffectKind, ShellRisk,
    };
    use serde_json::json;

    fn ask(kind: AskKind) -> Ask {
        Ask {
            id: AskId::from("a"),
            conversation: ConversationId::from("c"),
            run: RunId::from("r"),
            call: CallId::from("k"),
            kind,
            origin: None,
            asked: 0,
            left_ms: Some(299_500),
        }
    }

    fn confirm(grantable: bool) -> Ask {
        let source = Source { tool: "web_read".into(), detail: Some("example.org".into()) };
        let reasons = match grantable {
            true => vec![Reason::Mode { mode: Mode::Act }],
            false => vec![Reason::OutsideHigh { sources: vec![source, Source::tool("run_shell")] }],
        };
        ask(AskKind::Confirm {
            tool: "run_shell".into(),
            danger: Danger::High,
            leaves: true,
            arguments: json!({"command": "echo \"hi\"\n\u{1b}[2J", "timeout_s": 5}),
            risk: None,
            target: None,
            reasons,
            grantable,
        })
    }

    #[test]
    fn a_confirmation_shows_exact_arguments_reasons_and_only_possible_answers() {
        assert_eq!(
            text(&confirm(false)),
            "May run_shell run? (high danger, can carry data out)\n  \
             command: \"echo \\\"hi\\\"\\n\\u001b[2J\"\n  timeout_s: 5\n  \
             It is asked because text from outside (web_read example.org, run_shell) was read and this tool is dangerous.\n  \
             Without an answer it is denied in 300 s.\n[d]eny  [o]nce > "
        );
        assert!(text(&confirm(true)).ends_with("[d]eny  [o]nce  [c]hat: allow this tool in this conversation > "));
    }

    #[test]
    fn a_sub_agents_question_says_whose_it_is_what_is_in_doubt_and_what_the_command_does() {
        let source = Source { tool: "web_read".into(), detail: Some("example.org".into()) };
        let doubt =
            |path: &str, value: &str, kind, source| Doubt { path: path.into(), value: value.into(), kind, source };
        let mut asked = confirm(false);
        asked.origin = Some(Origin { conversation: "child".into(), task: "Look\nit up".into(), depth: 2 });
        let AskKind::Confirm { reasons, risk, .. } = &mut asked.kind else { unreachable!() };
        *risk = Some(ShellRisk {
            level: Danger::High,
            parsed: false,
            effects: vec![ShellEffect {
                kind: ShellEffectKind::Unknown,
                command: "echo \u{1b}".into(),
                why: "nobody can tell".into(),
            }],
        });
        *reasons = vec![
            Reason::OutsideActs {
                sources: vec![source.clone()],
                doubts: vec![
                    doubt("command", "echo \"hi\"", DoubtKind::Untraced, Some(source.clone())),
                    doubt("command", "http://a.example/", DoubtKind::Link, None),
                ],
            },
            Reason::PrivateMayLeave {
                sources: vec![Source::tool("diary")],
                doubts: vec![doubt("command", "83920174", DoubtKind::Private, Some(Source::tool("diary")))],
            },
        ];
        assert_eq!(
            describe(&asked),
            "May run_shell run? (high danger, can carry data out)\n  \
             Asked by a sub-agent of a sub-agent, which was told: \"Look\\nit up\"\n  \
             command: \"echo \\\"hi\\\"\\n\\u001b[2J\"\n  timeout_s: 5\n  \
             Not all of this command could be read: take it for dangerous.\n  \
             \"echo \\u001b\": nobody can tell\n  \
             It is asked because text from outside (web_read example.org) was read and not all of this is known to come from you.\n    \
             command = \"echo \\\"hi\\\"\": you did not say this; it stands in web_read example.org\n    \
             command = \"http://a.example/\": a link or an address that you did not give\n  \
             It is asked because your own data (diary) would leave with it.\n    \
             command = \"83920174\": this is yours; it stands in diary\n"
        );
        let mut question = ask(AskKind::Question {
            question: Question { question: "Which?".into(), choices: vec![] },
            labels: Labels::none(),
        });
        question.origin = Some(Origin { conversation: "child".into(), task: "Ask".into(), depth: 1 });
        assert_eq!(describe(&question), "Bailey asks: Which?\n  Asked by a sub-agent, which was told: \"Ask\"\n");
    }

    #[test]
    fn a_question_about_money_says_what_was_spent_and_what_a_yes_means() {
        let spend = ask(AskKind::Spend { scope: SpendScope::Day, spent: 1_480_000, cap: 1_500_000, next: 60_049 });
        assert_eq!(
            text(&spend),
            "$1.4800 was spent today, of the $1.5000 you allow. The next request may cost up to $0.0600. \
             Spend up to $1.5000 more?\n  Without an answer the run ends in 300 s.\n[y]es  [n]o > "
        );
        assert_eq!(answer(&spend, "Y"), Some(Answer::AllowOnce));
        assert_eq!(answer(&spend, "n"), Some(Answer::Deny));
        assert_eq!(answer(&spend, ""), None);
    }

    #[test]
    fn answers_are_taken_from_what_was_offered() {
        let question = ask(AskKind::Question {
            question: Question { question: "Which?".into(), choices: vec!["Red".into(), "Blue".into()] },
            labels: Labels::none(),
        });
        let recovery = ask(AskKind::Recovery { tool: "run_shell".into(), arguments: json!({}) });
        let text = |text: &str| Answer::Text { text: text.into() };
        for (ask, line, wanted) in [
            (&confirm(true), "d", Some(Answer::Deny)),
            (&confirm(true), " Once ", Some(Answer::AllowOnce)),
            (&confirm(true), "c", Some(Answer::AllowChat)),
            (&confirm(false), "c", None),
            (&confirm(true), "", None),
            (&confirm(true), "yes", None),
            (&question, "", Some(Answer::YouDecide)),
            (&question, "2", Some(Answer::Choice { index: 1 })),
            (&question, "Red", Some(Answer::Choice { index: 0 })),
            (&question, "3", Some(text("3"))),
            (&question, "0", Some(text("0"))),
            (&question, "green", Some(text("green"))),
            (&recovery, "y", Some(Answer::Choice { index: 0 })),
            (&recovery, "no", Some(Answer::Choice { index: 1 })),
            (&recovery, "?", Some(Answer::Choice { index: 2 })),
            (&recovery, "", None),
        ] {
            assert_eq!(answer(ask, line), wanted, "{line:?}");
        }
    }
}
