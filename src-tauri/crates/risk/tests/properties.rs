// SPDX-License-Identifier: Apache-2.0
//! What holds for every command: nothing around one makes it less dangerous, and any text at all is rated.

use bailey_protocol::{Danger, ShellRisk};
use bailey_risk::{Dialect, rate};
use proptest::prelude::*;

fn level(command: &str) -> Danger {
    rate(command, Dialect::Posix).level
}

/// Commands of all levels.
fn command() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(
        &[
            "ls",
            "cat a b",
            "echo \"$x\"",
            "sort -n a",
            "find . -name a",
            "sed -n 1p a",
            "true",
            "grep x a | wc -l",
            "x=1",
            "(pwd)",
            "mkdir a",
            "ls > out",
            "touch a",
            "git status",
            "echo a | tee b",
            "for f in a; do cat \"$f\"; done",
            "rm a",
            "curl x",
            "$x",
            "sort -o a b",
            "echo $(rm a)",
            "find . -delete",
            "sudo ls",
            "frobnicate",
            "cat > /etc/a",
            "./a",
            "PATH=. ls",
            "eval \"$x\"",
            "sed -i p a",
            "awk 'BEGIN{system(1)}'",
            "cat < /dev/tcp/a/1",
            "xargs rm",
            "if",
            "echo 'a",
            "r\\m a",
        ][..],
    )
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Bits of shell, in any order.
fn text() -> impl Strategy<Value = String> {
    let bits = &[
        "ls", "rm", "echo", " ", "\n", ";", "|", "&", "(", ")", "{", "}", "<", ">", "'", "\"", "`", "$", "$(", "${",
        "$((", "\\", "#", "*", "if", "then", "fi", "while", "do", "done", "case", "in", "esac", "for", "x=", "<<E\n",
        "E\n", "sh -c ", "eval ", "env ", "xargs ", "find . ", "-exec ", "{} ", "sed ", "awk ", "s/a/b/", "é", "[",
        "]", "!", "~", "-", "--", "=", ":", "\t", "function", "[[", "]]", "time",
    ][..];
    proptest::collection::vec(
        prop_oneof![4 => proptest::sample::select(bits).prop_map(str::to_owned), 1 => "\\PC{0,3}"],
        0..40,
    )
    .prop_map(|bits| bits.concat())
}

fn sound(risk: &ShellRisk) {
    assert!(!risk.effects.is_empty());
    assert!(risk.parsed || risk.level == Danger::High);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn together_they_are_no_less_than_each(a in command(), b in command()) {
        // Two halves may make a whole.
        prop_assume!(rate(a, Dialect::Posix).parsed && rate(b, Dialect::Posix).parsed);
        let least = level(a).max(level(b));
        for joined in ["\n", "; ", " && ", " || ", " | ", " & "] {
            prop_assert!(level(&format!("{a}{joined}{b}")) >= least, "{a}{joined}{b}");
        }
    }

    #[test]
    fn wrapping_lowers_nothing(a in command()) {
        let least = level(a);
        let whole = rate(a, Dialect::Posix).parsed;
        let mut wrapped = vec![
            format!("sh -c {}", quoted(a)), format!("bash -c {}", quoted(a)), format!("env sh -c {}", quoted(a)),
            format!("eval {}", quoted(a)), format!("nice timeout 5 sh -ec {}", quoted(a)), format!("watch {}", quoted(a)),
            format!("trap {} EXIT", quoted(a)), format!("xargs sh -c {} _", quoted(a)), format!("find . -exec sh -c {} _ {{}} +", quoted(a)),
            format!("({a})"), format!("{{ {a}\n}}"), format!("! {a}"), format!("time {a}"), format!("if true; then {a}\nfi"),
            format!("while {a}\ndo true; done"), format!("f() {{ {a}\n}}"), format!("echo $({a})"), format!("echo \"$({a})\""),
            format!("x=$({a})"), format!("cat <({a})"), format!("cat <<E\n$({a})\nE"), format!("echo ${{y:-$({a})}}"), format!("case $({a}) in z) ls;; esac"),
        ];
        // A builtin or a compound command is none to these, so that they are no less all the same.
        if whole {
            wrapped.extend(["env ", "nice ", "nohup ", "setsid ", "timeout 5 ", "stdbuf -oL ", "command ", "exec ", "busybox ", "env -i nice "].map(|by| format!("{by}{a}")));
        }
        for wrapped in wrapped {
            prop_assert!(level(&wrapped) >= least, "{wrapped}");
        }
    }

    #[test]
    fn any_text_is_rated(text in text()) {
        sound(&rate(&text, Dialect::Posix));
    }

    #[test]
    fn what_is_quoted_is_only_text(text in "[^\\p{C}\\p{Z}\\x00]{0,20}") {
        // Unless it holds what can't be seen, or so many brackets that it is not read.
        let risk = rate(&format!("echo {}", quoted(&text)), Dialect::Posix);
        prop_assert!(risk.level == Danger::Low || !risk.parsed, "{text}: {risk:?}");
    }
}

#[test]
fn what_is_nested_deep_is_rated() {
    for (open, inner, close) in [
        ("(", "ls", ")"),
        ("{ ", "ls;", "}"),
        ("echo $(", "ls", ")"),
        ("echo \"$(", "ls", ")\""),
        ("if ", "ls;", " then ls; fi;"),
        ("echo $((", "1", "))"),
        ("echo ${x:-", "a", "}"),
        ("while ", "ls;", " do ls; done;"),
        ("case a in b) ", "ls", " ;; esac"),
        ("f() { ", "ls", "\n}"),
        ("! ", "ls", ""),
        ("cat <(", "ls", ")"),
        ("((", "1", "))"),
        ("[[ ( ", "a", " ) ]]"),
        ("`", "ls", "`"),
        ("eval ", "ls", ""),
        ("for i in a; do ", "ls;", " done;"),
        ("env ", "ls", ""),
        ("find . -exec ", "ls", " ;"),
        ("nice xargs ", "ls", ""),
        ("$(", "", ""),
        ("${", "", ""),
        ("\"$(", "", ""),
        ("<<E ", "", ""),
        ("! ! [[ ! ", "a", ""),
        ("{a,", "b", "}"),
        ("x=(", "a", ")"),
    ] {
        for depth in [1, 10, 60, 100, 190, 1_000, 4_000] {
            sound(&rate(&format!("{}{inner}{}", open.repeat(depth), close.repeat(depth)), Dialect::Posix));
        }
    }
    for (open, close) in [("(pwd; ", ")"), ("echo $(", ")"), ("{ ", ";}")] {
        let command = format!("{}ls{}", open.repeat(6), close.repeat(6));
        assert_eq!(level(&command), Danger::Low, "{command}");
        let command = format!("{}rm a{}", open.repeat(60), close.repeat(60));
        assert_eq!(level(&command), Danger::High, "{command}");
    }
}

/// Where one more level took the grammar several times as long; without a bound these would not come to an end.
#[test]
fn what_is_not_closed_is_rated() {
    let openers = [
        "(",
        "( ",
        "((",
        "for ((",
        "echo $(",
        "echo \"$(",
        "echo $((",
        "echo ${x:-",
        "`",
        "$(",
        "cat <<E\n$(",
        "cat <(",
        "x=$(",
        "case a in b) ",
        "if ",
        "while ",
        "for i in a; do ",
        "f() { ",
        "function f { ",
        "{ ",
        "[[ ( ",
        "[[ ! ",
        "[[ a && ",
        "x=(",
        "coproc ",
        "select x in a; do ",
        "echo ${x/",
        "( a ; ( b ; ",
        "if a; then b; else ",
        "$((",
        "${",
    ];
    for open in openers {
        for tail in ["", "ls", "ls )", "1 ))", "\"", "\nE"] {
            let command = format!("{}{tail}", open.repeat(45));
            assert_eq!(level(&command), Danger::High, "{command}");
        }
    }
    let many = format!("cat <<E\n{}\nE\n", "$(".repeat(7)).repeat(200);
    assert!(!rate(&many, Dialect::Posix).parsed);
    let here = format!("cat <<E\n{}\nE\n", "$(".repeat(60));
    assert!(!rate(&here, Dialect::Posix).parsed);
}

#[test]
fn what_is_long_is_rated() {
    assert_eq!(level(&"ls; ".repeat(3_000)), Danger::Low);
    assert_eq!(level(&format!("{}rm a", "ls; ".repeat(3_000))), Danger::High);
    assert!(!rate(&"ls; ".repeat(9_000), Dialect::Posix).parsed);
    assert!(!rate(&"ls; ".repeat(5_000), Dialect::Posix).parsed, "more commands than are looked at");
    assert_eq!(level(&format!("echo '{}'", "x".repeat(30_000))), Danger::Low);
    let effects = rate(&(0..1_000).map(|n| format!("rm {n}; ")).collect::<String>(), Dialect::Posix).effects;
    assert_eq!(effects.len(), 40);
}
