// SPDX-License-Identifier: Apache-2.0
//! Holds a program's words against the options that are known to be harmless.
//!
//! They are written as in `"bnE s: T:U: --number --lines= --color? # @1"`: letters without a value, letters with one
//! (each followed by `:`), long options without a value, with one (`=`) and with one that may be left out (`?`). `#` is
//! a number as an option (`-5`), `@1` the most operands there may be, and `*` says that no option does harm.
//!
//! A long option counts only when it is written out: what an abbreviation stands for depends on the version.

use crate::words::Arg;

/// Options that are known.
pub(crate) struct Known<'a> {
    flags: String,
    valued: String,
    long: Vec<&'a str>,
    numbers: bool,
    most: usize,
    any: bool,
}

impl<'a> Known<'a> {
    pub(crate) fn new(written: &'a str) -> Self {
        let mut known = Known {
            flags: String::new(),
            valued: String::new(),
            long: Vec::new(),
            numbers: false,
            most: usize::MAX,
            any: false,
        };
        for word in written.split_whitespace() {
            match word.as_bytes() {
                b"*" => known.any = true,
                b"#" => known.numbers = true,
                [b'@', ..] => known.most = word[1..].parse().unwrap_or(0),
                [b'-', b'-', ..] => known.long.push(word),
                _ if word.ends_with(':') => known.valued.extend(word.chars().filter(|c| *c != ':')),
                _ => known.flags.push_str(word),
            }
        }
        known
    }

    /// The operands, when each option is known; else what is wrong.
    pub(crate) fn operands<'b>(&self, args: &'b [Arg]) -> Result<Vec<&'b Arg>, String> {
        let mut operands = Vec::new();
        let mut rest = args;
        while let Some((arg, after)) = rest.split_first() {
            if arg.text() == Some("--") {
                operands.extend(after);
                break;
            }
            if !arg.may_be_option() || arg.text() == Some("-") {
                operands.push(arg);
                rest = after;
            } else if self.any {
                if arg.is_one() && arg.text().is_some() {
                    rest = after;
                } else {
                    operands.push(arg);
                    rest = after;
                }
            } else {
                rest = &after[self.option(arg, after)?..];
            }
        }
        if operands.len() > self.most || (self.most < usize::MAX && operands.iter().any(|arg| !arg.is_one())) {
            return Err(format!("only {} of these words would be read; with more it may do something else", self.most));
        }
        Ok(operands)
    }

    /// Where the first word is that is not an option, and where the options may end.
    pub(crate) fn leading(&self, args: &[Arg]) -> Result<usize, String> {
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            if arg.text() == Some("--") {
                return Ok(at + 1);
            }
            if !arg.may_be_option() || arg.text() == Some("-") {
                break;
            }
            at += 1;
            at += self.option(arg, &args[at..])?;
        }
        Ok(at)
    }

    /// How many words after this option are its value.
    fn option(&self, arg: &Arg, after: &[Arg]) -> Result<usize, String> {
        let shown = arg.beginning();
        if !arg.is_one() || shown.is_empty() {
            return Err("a word that becomes known only when it runs could become an option".to_owned());
        }
        let unknown = || Err(format!("it is not known what its option {shown} does"));
        let whole = arg.text().is_some();
        let value = |needed: bool| match after.first() {
            _ if !needed => Ok(0),
            Some(value) if value.is_one() && !value.may_be_option() => Ok(1),
            _ => Err(format!("the value of its option {shown} can't be told from an option")),
        };
        if let Some(name) = shown.strip_prefix("--") {
            let (name, attached) = name.split_once('=').map_or((name, false), |(name, _)| (name, true));
            let form = |end: &str| self.long.iter().any(|long| long[2..].strip_suffix(end) == Some(name));
            return match (attached, whole) {
                (true, _) if form("=") || form("?") => Ok(0),
                (false, true) if form("=") => value(true),
                (false, true) if form("?") || self.long.iter().any(|long| &long[2..] == name) => Ok(0),
                _ => unknown(),
            };
        }
        if self.numbers && whole && shown[1..].bytes().all(|b| b.is_ascii_digit()) {
            return Ok(0);
        }
        for (at, letter) in shown.char_indices().skip(1) {
            if self.valued.contains(letter) {
                return value(at + letter.len_utf8() == shown.len() && whole);
            }
            if !self.flags.contains(letter) {
                return unknown();
            }
        }
        if whole { Ok(0) } else { unknown() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operands(known: &str, words: &[&str]) -> Result<Vec<String>, String> {
        let args: Vec<Arg> = words.iter().map(|word| Arg::whole(word)).collect();
        let operands = Known::new(known).operands(&args)?;
        Ok(operands.iter().filter_map(|arg| arg.text()).map(str::to_owned).collect())
    }

    #[test]
    fn known_options_pass_and_others_do_not() {
        let known = "rn k:t: --reverse --key= --color? # @1";
        for (words, expected) in [
            (&["-rn", "a"][..], "a"),
            (&["-k", "2", "-t,", "a"], "a"),
            (&["-rk2"], ""),
            (&["-5", "a"], "a"),
            (&["--key", "2", "--reverse", "--color", "--color=x"], ""),
            (&["--", "-o"], "-o"),
            (&["-"], "-"),
        ] {
            assert_eq!(operands(known, words).unwrap().join(" "), expected, "{words:?}");
        }
        for words in [
            &["-o", "a"][..],
            &["-ro"],
            &["--out=a"],
            &["--rev"],
            &["-k", "-o"],
            &["a", "-o"],
            &["a", "b"],
            &["--reverse=1"],
            &["-k"],
        ] {
            assert!(operands(known, words).is_err(), "{words:?}");
        }
    }

    #[test]
    fn options_end_at_the_first_operand() {
        let args = ["-n", "5", "ls", "-l"].map(Arg::whole);
        assert_eq!(Known::new("n:").leading(&args), Ok(2));
        assert_eq!(Known::new("n:").leading(&["--", "-x"].map(Arg::whole)), Ok(1));
        assert!(Known::new("n:").leading(&[Arg::anything()]).is_err());
    }
}
