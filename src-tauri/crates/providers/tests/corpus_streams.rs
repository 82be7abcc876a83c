// SPDX-License-Identifier: Apache-2.0
//! Recorded streams of real services: each parses to what an independent script takes from it, and to the same replies
//! however its bytes are split and whatever a network does to them that does not change their meaning.
//!
//! The folder is `BAILEY_STREAMS`, else `../shared/data/streams` beside the repository; a few samples live here.

mod streams;

use bailey_protocol::ProviderKind;
use bailey_protocol::RunErrorKind as Kind;
use bailey_protocol::model::Reply;
use std::io::Write;
use streams::said::{Said, independently};
use streams::{Answer, DONE, Random, Recording, Replies, corpus, samples};

/// Files below this size are split at every byte.
const SMALL: usize = 20_000;
/// The others so often at random.
const ROUNDS: usize = 1_000;
/// And so often in many pieces at once.
const PIECES: usize = 20;

/// All that there is to run, and a loud word when that is not much.
fn everything() -> Vec<Recording> {
    let mut all = samples();
    let own = all.len();
    let word = match corpus() {
        Some(recorded) => {
            let count = recorded.len();
            all.extend(recorded);
            format!("corpus_streams: {count} recorded streams and {own} samples\n")
        }
        None => format!("corpus_streams: ONLY the repo's own {own} samples ran; no recordings found\n"),
    };
    // Past the harness, which keeps what a passing test prints.
    std::io::stderr().write_all(word.as_bytes()).unwrap();
    all
}

/// Runs this for each answer, two at a time, the largest first.
fn each_answer(recordings: &[Recording], check: impl Fn(&str, &Answer) + Sync) {
    let mut all: Vec<(String, &Answer)> = Vec::new();
    for recording in recordings {
        for (at, answer) in recording.answers.iter().enumerate() {
            all.push((format!("{} answer {at}", recording.path.display()), answer));
        }
    }
    all.sort_by_key(|(_, answer)| std::cmp::Reverse(answer.lines.iter().map(String::len).sum::<usize>()));
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        while let Some((name, answer)) = all.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            check(name, answer);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
}

#[test]
fn streams_say_what_an_independent_script_takes_from_them() {
    let recordings = everything();
    let mut wrong = Vec::new();
    for (recording, expected) in recordings.iter().zip(independently(&recordings)) {
        let name = recording.path.display();
        assert_eq!(recording.answers.len(), expected.len(), "{name}");
        for (at, (answer, expected)) in recording.answers.iter().zip(expected).enumerate() {
            let replies = answer.decode(&[answer.stream().as_bytes()]);
            if let Some(broken) = replies.iter().find_map(|reply| reply.as_ref().err()) {
                wrong.push(format!("{name} answer {at}: {broken:?}"));
                continue;
            }
            wrong.extend(
                Said::of(&replies).differences(&expected).into_iter().map(|what| format!("{name} answer {at}: {what}")),
            );
            assert!(matches!(replies.last(), Some(Ok(Reply::Finish { .. }))), "{name} answer {at}");
            let natives = replies.iter().filter(|reply| matches!(reply, Ok(Reply::Native { .. }))).count();
            let place = replies.iter().rev().nth(1);
            assert!(
                natives == 0 || natives == 1 && matches!(place, Some(Ok(Reply::Native { .. }))),
                "{name}: {natives}"
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn streams_say_the_same_however_they_are_split() {
    each_answer(&everything(), |name, answer| {
        let stream = answer.stream();
        let bytes = stream.as_bytes();
        let whole = answer.decode(&[bytes]);
        let mut random = Random::new(bytes.len());
        let points: Vec<usize> = if bytes.len() < SMALL {
            (0..=bytes.len()).collect()
        } else {
            let mut points: Vec<usize> = (0..ROUNDS).map(|_| random.below(bytes.len())).collect();
            points.sort_unstable();
            points
        };
        // The head is decoded once: at each point a copy goes on with the rest.
        let (mut head, mut read, mut said) = (answer.decoder(), 0, 0);
        for at in points {
            let replies = head.push(&bytes[read..at]);
            assert!(whole[said..].starts_with(&replies), "{name}: the first {at} bytes");
            (read, said) = (at, said + replies.len());
            let mut tail = head.clone();
            let mut replies = tail.push(&bytes[at..]);
            replies.extend(tail.end());
            assert!(replies == whole[said..], "{name}: split at {at}");
        }
        for round in 0..PIECES {
            let count = 2 + random.below(if round % 2 == 0 { 10 } else { bytes.len() / 3 });
            let mut at: Vec<usize> = (0..count).map(|_| random.below(bytes.len())).collect();
            at.extend([0, bytes.len()]);
            at.sort_unstable();
            let pieces: Vec<&[u8]> = at.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
            assert!(answer.decode(&pieces) == whole, "{name}: round {round}");
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert!(answer.decode(&single) == whole, "{name}: byte by byte");
    });
}

#[test]
fn what_changes_no_meaning_changes_nothing() {
    each_answer(&everything(), |name, answer| {
        let stream = answer.stream();
        let whole = answer.decode(&[stream.as_bytes()]);
        let same = |what: &str, changed: &str| {
            assert!(answer.decode(&[changed.as_bytes()]) == whole, "{name}: {what}");
            // And in pieces, for what was changed may be cut as well.
            let pieces: Vec<&[u8]> = changed.as_bytes().chunks(7).collect();
            assert!(answer.decode(&pieces) == whole, "{name}: {what}, in pieces");
        };
        same("CRLF", &stream.replace('\n', "\r\n"));
        same("CR", &stream.replace('\n', "\r"));
        same("a byte order mark", &format!("\u{FEFF}{stream}"));
        same("blank lines", &format!("\n\r\n\n{}", stream.replace("\n\n", "\n\n\n\n")));
        same("comments", &format!(": hi\n\n{}", stream.replace("\n\n", "\n: keep-alive\n\n:\n\n")));
        same("comments inside", &stream.replace("data: ", ": x\nid: 7\nretry: 3\ndata: "));
        same("no space", &stream.replace("\ndata: ", "\ndata:"));
        same("no last blank line", stream.trim_end());
        same("a last line end", &format!("{}\n", stream.trim_end()));
        same("[DONE]", &format!("{}{DONE}", stream.trim_end_matches(DONE)));
        same("no [DONE]", stream.trim_end_matches(DONE));
        same("no [DONE], no last blank line", stream.trim_end_matches(DONE).trim_end());
        // Google's streams have no last event.
        if answer.kind != ProviderKind::Gemini {
            same("something after the end", &format!("{stream}data: {{\"late\":true}}\n\n"));
        }
        if matches!(answer.kind, ProviderKind::OpenaiChat | ProviderKind::Anthropic) {
            same("keep-alive events", &stream.replace("\n\n", "\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n"));
        }
        // JSON in place of a stream: values one after another, and Google's list of them.
        if matches!(answer.kind, ProviderKind::OpenaiChat | ProviderKind::Gemini) {
            same("JSON lines", &answer.lines.join("\n"));
            same("a JSON list", &format!("[{}]", answer.lines.join(",\r\n")));
        }
        // The type stands in the event itself; two recordings lost their last brace and have it in the name only.
        if answer.lines.iter().all(|line| serde_json::from_str::<serde::de::IgnoredAny>(line).is_ok()) {
            let unnamed: String = answer.lines.iter().map(|line| format!("data: {line}\n\n")).collect();
            same("no names", &unnamed);
        }
    });
}

/// What is there when a stream ends or fails too early: no half call, and one error that is the last of all.
fn cut_short(name: &str, whole: &Replies, cut: &Replies, kinds: &[Kind]) {
    let began_anew = whole.iter().any(|reply| matches!(reply, Ok(Reply::Retry { .. })));
    let whole = Said::of(whole);
    let ended = cut.iter().any(|reply| matches!(reply, Ok(Reply::Finish { .. })));
    let broken: Vec<Kind> = cut.iter().filter_map(|reply| Some(reply.as_ref().err()?.kind)).collect();
    if ended {
        // What is missing came after the reason to stop.
        assert!(broken.is_empty(), "{name}: {broken:?}");
        assert!(Said::of(cut).calls == whole.calls, "{name}");
        return;
    }
    assert!(broken.len() == 1 && kinds.contains(&broken[0]), "{name}: {broken:?}");
    assert!(cut.last().is_some_and(Result::is_err), "{name}");
    let said: Replies = cut[..cut.len() - 1].to_vec();
    let said = Said::of(&said);
    if began_anew {
        assert!(said.calls.iter().all(|call| whole.calls.contains(call)), "{name}: half a call");
        return;
    }
    assert!(whole.text.starts_with(&said.text) && whole.reasoning.starts_with(&said.reasoning), "{name}");
    assert!(said.calls.iter().all(|call| whole.calls.contains(call)), "{name}: half a call");
    assert!(said.items.iter().all(|item| whole.items.contains(item)), "{name}: half an item");
}

#[test]
fn a_stream_that_is_cut_off_is_an_interruption_without_half_a_call() {
    each_answer(&everything(), |name, answer| {
        let stream = answer.stream();
        let bytes = stream.as_bytes();
        let whole = answer.decode(&[bytes]);
        let mut random = Random::new(bytes.len());
        let mut points: Vec<usize> = (0..200).map(|_| random.below(bytes.len())).collect();
        // And between events, which is where servers stop.
        let ends = answer.events().into_iter().scan(0, |end, event| {
            *end += event.len();
            Some(*end)
        });
        points.extend(ends);
        points.push(0);
        points.sort_unstable();
        let (mut head, mut read, mut said) = (answer.decoder(), 0, Replies::new());
        for at in points {
            said.extend(head.push(&bytes[read..at]));
            read = at;
            let mut cut = said.clone();
            cut.extend(head.clone().end());
            cut_short(&format!("{name} cut at {at}"), &whole, &cut, &[Kind::Interrupted]);
        }
    });
}

/// An error as each protocol sends it in the middle of a stream, and its kind.
fn errors(kind: ProviderKind) -> Vec<(&'static str, Kind)> {
    match kind {
        ProviderKind::OpenaiResponses => vec![
            (
                "event: error\ndata: {\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"Rate limit reached\",\"param\":null}\n\n",
                Kind::Rate,
            ),
            (
                "event: response.failed\ndata: {\"type\":\"response.failed\",\"response\":{\"id\":\"r\",\"status\":\"failed\",\"error\":{\"code\":\"server_error\",\"message\":\"The model failed\"},\"output\":[]}}\n\n",
                Kind::Server,
            ),
            ("data: {\"error\":{\"message\":\"insufficient_quota\",\"code\":\"insufficient_quota\"}}\n\n", Kind::Quota),
        ],
        ProviderKind::Anthropic => vec![
            (
                "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
                Kind::Overloaded,
            ),
            (
                "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"This request would exceed your rate limit\"}}\n\n",
                Kind::Rate,
            ),
            (
                "data: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"Internal server error\"}}\n\n",
                Kind::Server,
            ),
        ],
        ProviderKind::Gemini => vec![
            (
                "data: {\"error\":{\"code\":503,\"message\":\"The model is overloaded. Please try again later.\",\"status\":\"UNAVAILABLE\"}}\n\n",
                Kind::Overloaded,
            ),
            (
                "data: [{\"error\":{\"code\":500,\"message\":\"An internal error has occurred.\",\"status\":\"INTERNAL\"}}]\n\n",
                Kind::Server,
            ),
        ],
        _ => vec![
            ("data: {\"error\":{\"message\":\"Overloaded\",\"code\":529}}\n\n", Kind::Overloaded),
            (
                "data: {\"error\":{\"message\":\"Provider returned error\",\"code\":429,\"metadata\":{\"raw\":\"{\\\"error\\\":{\\\"message\\\":\\\"Rate limit reached\\\"}}\"}}}\n\n",
                Kind::Rate,
            ),
            ("event: error\ndata: {\"message\":\"upstream went away\"}\n\n", Kind::Server),
        ],
    }
}

#[test]
fn an_error_in_the_middle_is_an_error_with_the_providers_words() {
    each_answer(&everything(), |name, answer| {
        let events = answer.events();
        let whole = answer.decode(&[answer.stream().as_bytes()]);
        for (error, kind) in errors(answer.kind) {
            for at in [0, 1, events.len() / 2] {
                let broken = format!("{}{error}{}", events[..at].concat(), events[at..].concat());
                let replies = answer.decode(&[broken.as_bytes()]);
                let name = format!("{name}: {error} after {at} events");
                cut_short(&name, &whole, &replies, &[kind]);
                let pieces: Vec<&[u8]> = broken.as_bytes().chunks(5).collect();
                assert!(answer.decode(&pieces) == replies, "{name}, in pieces");
                if let Some(Err(error)) = replies.last() {
                    assert!(error.details.as_deref().is_some_and(|details| details.len() > 4), "{name}: {error:?}");
                }
            }
        }
    });
}

#[test]
fn nothing_and_nonsense_are_errors() {
    for kind in [ProviderKind::OpenaiChat, ProviderKind::OpenaiResponses, ProviderKind::Anthropic, ProviderKind::Gemini]
    {
        for (body, expected) in [
            ("", Kind::Interrupted),
            ("\r\n\r\n", Kind::Interrupted),
            (": keep-alive\n\n", Kind::Interrupted),
            (DONE, Kind::Interrupted),
            ("data: upstream timed out\n\n", Kind::Interrupted),
            ("<!doctype html><title>Sign in</title>", Kind::Invalid),
            (r#"{"detail":"Not Found"}"#, Kind::Invalid),
            (r#"{"hello":"world"}"#, Kind::Invalid),
            (r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#, Kind::Auth),
            (
                r#"[{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}]"#,
                Kind::Rate,
            ),
        ] {
            let replies = streams::decode(kind, &[body.as_bytes()]);
            let kinds: Vec<Kind> = replies.iter().map(|reply| reply.clone().unwrap_err().kind).collect();
            assert_eq!(kinds, [expected], "{kind:?}: {body}: {replies:?}");
        }
    }
}
