// SPDX-License-Identifier: Apache-2.0
//! `sed` and `awk`: programs that bring a language, of which only a part is harmless.

use crate::options::Known;
use crate::walk::Walk;
use crate::words::Arg;
use bailey_protocol::{Danger, ShellEffectKind as Kind};

impl Walk {
    pub(crate) fn sed(&mut self, args: &[Arg], shown: &str) {
        let mut scripts = Vec::new();
        let mut rest: Vec<Arg> = Vec::new();
        let mut words = args.iter();
        while let Some(arg) = words.next() {
            match arg.beginning() {
                "-e" | "-ne" | "-Ee" | "-nEe" | "-Ene" | "-re" | "-nre" | "--expression" if arg.text().is_some() => {
                    match words.next() {
                        Some(script) => scripts.push(script.clone()),
                        None => return self.doubt(shown, "its script is missing"),
                    }
                }
                text if text.starts_with("--expression=") => scripts.push(arg.after("--expression=".len())),
                _ => rest.push(arg.clone()),
            }
        }
        let known = Known::new(
            "nErsuz --quiet --silent --regexp-extended --separate --null-data --unbuffered --posix --sandbox",
        );
        let mut operands = match known.operands(&rest) {
            Ok(operands) => operands.into_iter(),
            Err(why) => return self.note(Danger::High, Kind::Writes, shown, format!("{why}; sed can change files")),
        };
        if scripts.is_empty() {
            scripts.extend(operands.next().cloned());
        }
        let harmless = |script: &Arg| script.text().is_some_and(|text| sed_only_prints(text).is_some());
        if scripts.is_empty() || !scripts.iter().all(harmless) {
            return self.note(
                Danger::High,
                Kind::RunsCode,
                shown,
                "its script can write files or run programs, or can't be read",
            );
        }
        for file in operands {
            self.opens(file, shown);
        }
        self.note(Danger::Low, Kind::Reads, shown, "it prints text, changed");
    }

    pub(crate) fn awk(&mut self, args: &[Arg], shown: &str) {
        let operands = match Known::new("F:v:").operands(args) {
            Ok(operands) => operands,
            Err(why) => return self.note(Danger::High, Kind::RunsCode, shown, format!("{why}; awk can run programs")),
        };
        // Only options before the program are awk's own; the same holds for gawk's long ones, none of which is known.
        let Some((program, files)) = operands.split_first() else { return self.doubt(shown, "its program is missing") };
        if !program.text().is_some_and(awk_only_prints) {
            let why = "its program can write files or run programs, or can't be read";
            return self.note(Danger::High, Kind::RunsCode, shown, why);
        }
        if files.iter().any(|file| file.beginning().starts_with("/inet") || file.beginning().is_empty()) {
            return self.note(Danger::High, Kind::Network, shown, "it can open a connection");
        }
        for file in files {
            self.opens(file, shown);
        }
        self.note(Danger::Low, Kind::Reads, shown, "it prints text, changed");
    }
}

/// Whether an awk program has nothing in it by which it could write, run or load: neither as code nor as text, for telling
/// these apart takes a grammar.
fn awk_only_prints(program: &str) -> bool {
    let code = program.replace("||", "  ").replace(">=", "  ");
    let forbidden = ["system", "getline", "|", ">", "@", "\\\n", "extension", "fflush", "close"];
    !forbidden.iter().any(|word| code.contains(word))
}

/// Reads a sed script to its end; `None` when a command in it is not known to only print.
fn sed_only_prints(script: &str) -> Option<()> {
    let mut rest = script;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', ';', '{', '}']);
        if rest.is_empty() {
            return Some(());
        }
        rest = address(rest)?;
        rest = rest.trim_start_matches([' ', '\t']);
        if let Some(after) = rest.strip_prefix(',') {
            rest = address(after.trim_start_matches([' ', '\t']).trim_start_matches(['+', '~']))?;
        }
        rest = rest.trim_start_matches([' ', '\t', '!']);
        let Some(command) = rest.chars().next() else { return Some(()) };
        rest = &rest[command.len_utf8()..];
        rest = match command {
            '{' | '}' => rest,
            'p' | 'P' | 'd' | 'D' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | '=' | 'F' | 'z' => end(rest)?,
            'q' | 'Q' | 'l' | 'L' => end(rest.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()))?,
            'b' | 't' | 'T' | ':' => {
                let label = rest.trim_start_matches([' ', '\t']);
                end(label.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_'))?
            }
            's' => {
                let after = parts(rest, 2)?;
                end(after.trim_start_matches(|c: char| "gpiI".contains(c) || c.is_ascii_digit()))?
            }
            'y' => end(parts(rest, 2)?)?,
            // Text up to the end of the line; shells and versions differ in how it goes on after a backslash.
            'a' | 'i' | 'c' if !rest.contains(['\n', '\\', '}']) => return Some(()),
            '#' => rest.split_once('\n').map_or("", |(_, after)| after),
            _ => return None,
        };
    }
}

/// What follows a command must end it.
fn end(rest: &str) -> Option<&str> {
    let rest = rest.trim_start_matches([' ', '\t']);
    (rest.is_empty() || rest.starts_with([';', '\n', '}', '#'])).then_some(rest)
}

/// What follows an address, if there is one.
fn address(text: &str) -> Option<&str> {
    match text.chars().next() {
        Some('0'..='9') => Some(text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '~')),
        Some('$') => Some(&text[1..]),
        Some('/') => parts(text, 1).map(|rest| rest.trim_start_matches(['I', 'M'])),
        Some('\\') => parts(&text[1..], 1).map(|rest| rest.trim_start_matches(['I', 'M'])),
        _ => Some(text),
    }
}

/// What follows `count` parts, each ended by the first character. A bracket expression that would hold the end is refused:
/// versions differ in whether it ends there.
fn parts(text: &str, count: usize) -> Option<&str> {
    let delimiter = text.chars().next().filter(|c| c.is_ascii_punctuation() && *c != '\\' && *c != ';')?;
    let mut rest = &text[delimiter.len_utf8()..];
    for part in 0..count {
        let mut escaped = false;
        let at = rest.char_indices().find(|(_, c)| {
            let ends = !escaped && *c == delimiter;
            escaped = !escaped && *c == '\\';
            ends
        });
        let (at, _) = at?;
        let section = &rest[..at];
        if part == 0 && (!brackets_close(section) || section.contains('\n')) {
            return None;
        }
        rest = &rest[at + delimiter.len_utf8()..];
    }
    Some(rest)
}

/// Whether each bracket expression of a pattern ends in it.
fn brackets_close(pattern: &str) -> bool {
    let mut rest = pattern;
    while let Some(at) = rest.find(['[', '\\']) {
        if rest[at..].starts_with('\\') {
            rest = rest[at + 1..].strip_prefix(|_: char| true).unwrap_or_default();
            continue;
        }
        // A `]` that comes first is one of the characters.
        let mut inner = rest[at + 1..].trim_start_matches('^');
        inner = inner.strip_prefix(']').unwrap_or(inner);
        loop {
            let Some(next) = inner.find([']', '[']) else { return false };
            let class = ["[:", "[.", "[="].into_iter().find(|class| inner[next..].starts_with(class));
            inner = match class {
                Some(class) => match inner[next + 2..].split_once(&format!("{}]", &class[1..])) {
                    Some((_, after)) => after,
                    None => return false,
                },
                None => {
                    let closes = inner[next..].starts_with(']');
                    inner = &inner[next + 1..];
                    if closes {
                        break;
                    }
                    inner
                }
            };
        }
        rest = inner;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sed_scripts_that_print() {
        for script in [
            "p",
            "1,5p",
            "$d",
            "/a/,/b/p",
            "s/a/b/",
            "s|a|b|g",
            "s/a/b/2p",
            "s/[0-9]*//;s/x/y/",
            ":a;N;$!ba;s/\\n/ /g",
            "10q",
            "/^#/d",
            "s/\\//x/",
            "1!G;h;$!d",
            "{p;d}",
            "y/abc/def/",
            "",
            "a hello",
            "5,+2p",
            "\\,x,p",
            "s/a/b/;# w x\np",
        ] {
            assert!(sed_only_prints(script).is_some(), "{script}");
        }
        for script in [
            "w out",
            "e",
            "1e id",
            "s/a/b/e",
            "s/a/b/w out",
            "s/a/b/ge",
            "p;w x",
            "p\nw x",
            "r x\nw y",
            "s/[/]/x/w y/",
            "1,5w x",
            "s/a/b/;e id",
            "a\\\nx\nw y",
            "{e id}",
            "v;e",
            "s;a;b;e",
            "/[/]/w x/p",
            "W x",
            "R x",
            "}\ne",
            "s/a/b",
            "sxaxbx",
            "s/][/]/x/w y/",
            "s/[[:alpha:]/]/x/w y/",
        ] {
            assert!(sed_only_prints(script).is_none(), "{script}");
        }
    }

    #[test]
    fn awk_programs_that_print() {
        for program in ["{print $1}", "$3 >= 5 || /x/ {n++} END {print n}", "NR<5"] {
            assert!(awk_only_prints(program), "{program}");
        }
        for program in [
            "{system(\"id\")}",
            "{print > \"x\"}",
            "{print | \"sh\"}",
            "BEGIN{\"id\"|getline x}",
            "@load \"x\"",
            "{print |& \"x\"}",
            "a ||| b",
        ] {
            assert!(!awk_only_prints(program), "{program}");
        }
    }
}
