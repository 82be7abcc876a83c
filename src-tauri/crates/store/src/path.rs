// SPDX-License-Identifier: Apache-2.0
//! Which paths may be written: relative ones that mean the same on every system and look like what they are.

/// Characters of a path.
const LONGEST: usize = 200;
/// Bytes of a name that was tidied.
const LONGEST_NAME: usize = 150;

/// Checks a path; the error says what to do instead.
pub(crate) fn check(path: &str) -> Result<(), String> {
    let refuse =
        |why: &str| Err(format!("the path {path:?} can't be used: {why}. Give a relative path such as notes/plan.md"));
    if path.is_empty() {
        return refuse("it is empty");
    }
    if path.chars().count() > LONGEST {
        return Err(format!("the path is longer than {LONGEST} characters. Give a shorter one"));
    }
    if path.starts_with('/') {
        return refuse("it is absolute");
    }
    if let Some(c) = path.chars().find(|c| is_unseen(*c)) {
        return refuse(&format!("it holds the invisible character U+{:04X}", u32::from(c)));
    }
    if let Some(c) = path.chars().find(|c| is_forbidden(*c)) {
        return refuse(&format!("it holds {c}"));
    }
    for name in path.split('/') {
        match name {
            "" => return refuse("a name in it is empty"),
            "." | ".." => return refuse("it holds . or .."),
            _ if name.ends_with(['.', ' ']) || name.starts_with(' ') => {
                return refuse("a name in it begins or ends with a space, or ends with a dot");
            }
            _ if is_reserved(name) => return refuse(&format!("{name} is the name of a device on Windows")),
            _ => {}
        }
    }
    Ok(())
}

/// The name that is closest to this one and may stand in a path, of at most 150 bytes.
pub(crate) fn tidy(name: &str) -> String {
    let seen = |c: char| match c {
        '/' => Some('_'),
        c if is_forbidden(c) => Some('_'),
        c if c.is_whitespace() => Some(' '),
        c if is_unseen(c) => None,
        c => Some(c),
    };
    let name: String = name.chars().filter_map(seen).collect();
    let name = name.trim_start_matches([' ', '.']).trim_end_matches([' ', '.']);
    let (stem, ending) = split(name);
    let longest = LONGEST_NAME - ending.len();
    let cut = (0..=stem.len().min(longest)).rev().find(|&at| stem.is_char_boundary(at)).unwrap_or(0);
    let stem = stem[..cut].trim_end_matches([' ', '.']);
    match format!("{stem}{ending}") {
        name if name.is_empty() => "file".to_owned(),
        name if is_reserved(&name) => format!("_{name}"),
        name => name,
    }
}

/// The name with its number, from the second on: `report (2).pdf`.
pub(crate) fn numbered(name: &str, number: u32) -> String {
    if number < 2 {
        return name.to_owned();
    }
    let (stem, ending) = split(name);
    format!("{stem} ({number}){ending}")
}

/// A name without its ending, and the ending with its dot; empty where there is none.
fn split(name: &str) -> (&str, &str) {
    let at = name.rfind('.').filter(|&at| {
        let ending = &name[at + 1..];
        at > 0 && (1..=10).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphanumeric())
    });
    name.split_at(at.unwrap_or(name.len()))
}

fn is_forbidden(c: char) -> bool {
    matches!(c, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
}

/// Control characters, and those that change or hide what a path looks like.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
        || (c.is_whitespace() && c != ' ')
}

fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    match stem.as_str() {
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" => true,
        _ => {
            let port = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
            port.is_some_and(|n| {
                matches!(n, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn paths_that_may_be_written() {
        for path in
            ["a.txt", "notes/plan.md", ".hidden", "报告/第一章.md", "a b/c-d_e.f", "console.txt", "comet", "é.txt"]
        {
            assert_eq!(check(path), Ok(()), "{path:?}");
        }
        assert_eq!(check(&"汉".repeat(200)), Ok(()));
    }

    #[test]
    fn paths_that_may_not() {
        let table = [
            "",
            "/",
            "/etc/passwd",
            "..",
            "../a",
            "a/../b",
            "a/..",
            "./a",
            "a/.",
            "a//b",
            "a/",
            "a\\b",
            "..\\a",
            "C:/a",
            "C:a",
            "c:",
            "\\\\server\\share",
            "a\0b",
            "a\nb",
            "a\u{202E}txt.exe",
            "a\u{200B}",
            "\u{FEFF}a",
            "a\u{2028}",
            "con",
            "CON.txt",
            "a/nul",
            "Lpt1.md",
            "com¹",
            "COM0",
            "CONIN$",
            "a.",
            "a ",
            " a",
            "a./b",
            "a /b",
            "a:stream",
            "a*",
            "a?",
            "a|b",
            "<a>",
            "a\u{3000}b",
            "a\u{A0}",
            "\u{E0041}a",
        ];
        for path in table {
            assert!(check(path).is_err(), "{path:?}");
        }
        assert!(check(&"x".repeat(201)).is_err());
        assert!(check("con").unwrap_err().contains("notes/plan.md"));
    }

    #[test]
    fn names_are_tidied() {
        for (name, tidy_name) in [
            ("report.pdf", "report.pdf"),
            ("..", "file"),
            ("", "file"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("C:\\x\\y.txt", "C__x_y.txt"),
            (".bashrc", "bashrc"),
            ("a\u{202E}fdp.exe", "afdp.exe"),
            ("年报\u{3000}2025.pdf ", "年报 2025.pdf"),
            ("con.txt", "_con.txt"),
            ("a\nb?.md", "a b_.md"),
            ("no ending.", "no ending"),
        ] {
            assert_eq!(tidy(name), tidy_name, "{name:?}");
        }
        assert_eq!(tidy(&format!("{}.pdf", "汉".repeat(200))), format!("{}.pdf", "汉".repeat(48)));
        assert_eq!(numbered("report.pdf", 1), "report.pdf");
        assert_eq!(numbered("report.pdf", 2), "report (2).pdf");
        assert_eq!(numbered("v1.a longer text", 3), "v1.a longer text (3)");
    }

    proptest! {
        #[test]
        fn a_tidy_name_may_be_written(name in "\\PC{0,300}|[./: a\u{200B}\u{3000}]{0,20}", number in 1u32..1000) {
            let tidy = numbered(&tidy(&name), number);
            prop_assert_eq!(check(&tidy), Ok(()));
            prop_assert!(!tidy.contains('/') && tidy.len() <= 160);
        }

        #[test]
        fn what_is_taken_stays_in_its_folder(path in "[ab./\\\\: ]{0,12}") {
            if check(&path).is_ok() {
                let joined = std::path::Path::new("/root/files").join(&path);
                let inside = joined.strip_prefix("/root/files").map(|rest| rest.components().all(|c| matches!(c, std::path::Component::Normal(_))));
                prop_assert_eq!(inside, Ok(true));
            }
        }
    }
}
