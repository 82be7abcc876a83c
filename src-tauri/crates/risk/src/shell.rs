// SPDX-License-Identifier: Apache-2.0
//! What shells have built in.

use crate::names;
use crate::scripts::is_quiet_setting;
use crate::walk::Walk;
use crate::words::Arg;
use bailey_protocol::{Danger, ShellEffectKind as Kind};

impl Walk {
    /// Builtins with rules of their own, and shells; whether this is one.
    pub(crate) fn builtin(&mut self, name: &str, args: &[Arg], shown: &str) -> bool {
        match name {
            "sh" | "bash" | "dash" | "ash" => self.shell(args, shown),
            "eval" => self.joined(args, shown),
            "trap" => self.trap(args, shown),
            "set" => self.set(args, shown),
            "read" => self.read(args, shown),
            "export" | "readonly" | "local" | "unset" => self.declares(name, args, shown),
            "exit" | "return" | "break" | "continue" | "shift" => self.number(args, shown),
            "test" | "[" => self.test(args, shown),
            "printf" => self.printf(args, shown),
            _ => return false,
        }
        true
    }

    fn prints(&mut self, shown: &str) {
        self.note(Danger::Low, Kind::Reads, shown, "it changes nothing outside the shell");
    }

    fn set(&mut self, args: &[Arg], shown: &str) {
        let mut words = args.iter();
        while let Some(arg) = words.next() {
            match arg.text() {
                // All that follows are parameters, which stay unknown wherever they are used.
                Some("--") => break,
                Some("-o" | "+o") => match words.next().map(|setting| setting.text().is_some_and(is_quiet_setting)) {
                    Some(true) | None => {}
                    Some(false) => return self.doubt(shown, "it changes how the shell works"),
                },
                Some(text) if text.starts_with(['-', '+']) && text.len() > 1 => {
                    let quiet = text[1..].strip_suffix('o').unwrap_or(&text[1..]);
                    if !quiet.chars().all(|c| "eufC".contains(c)) {
                        return self.doubt(shown, "it changes how the shell works");
                    }
                    if text.ends_with('o') && !words.next().and_then(Arg::text).is_some_and(is_quiet_setting) {
                        return self.doubt(shown, "it changes how the shell works");
                    }
                }
                _ if arg.may_be_option() || arg.beginning().is_empty() => {
                    return self.doubt(shown, "a word that becomes known only when it runs could become an option");
                }
                _ => {}
            }
        }
        self.prints(shown);
    }

    fn read(&mut self, args: &[Arg], shown: &str) {
        for arg in args {
            match arg.text() {
                Some("-r") => {}
                Some(name) if names::is_variable(name) => self.variable(name, None, shown),
                _ => return self.doubt(shown, "it is not known what it reads into"),
            }
        }
        self.prints(shown);
    }

    /// Variables that are set for other programs, too, or taken away.
    fn declares(&mut self, command: &str, args: &[Arg], shown: &str) {
        for arg in args {
            match arg.text() {
                Some("-p") if command != "unset" => continue,
                Some("-v") if command == "unset" => continue,
                _ => {}
            }
            let (name, value) = match arg.beginning().split_once('=') {
                Some((name, _)) => (name, arg.is_one().then(|| arg.after(name.len() + 1))),
                None if arg.text().is_some() => (arg.beginning(), None),
                None => return self.doubt(shown, "which variable it sets becomes known only when it runs"),
            };
            if !arg.is_one() {
                return self.doubt(shown, "which variables it sets becomes known only when it runs");
            }
            self.variable(name, value.as_ref(), shown);
        }
        self.prints(shown);
    }

    fn number(&mut self, args: &[Arg], shown: &str) {
        // Some shells take an expression here.
        let plain = |arg: &Arg| arg.text().is_some_and(|text| text.bytes().all(|b| b.is_ascii_digit()));
        if args.iter().all(plain) {
            self.prints(shown);
        } else {
            self.doubt(shown, "it is given something other than a number");
        }
    }

    fn test(&mut self, args: &[Arg], shown: &str) {
        // With `-v` the name of a variable can hold a command that is run, and some shells calculate what they compare.
        const CALCULATED: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
        let unsure = |arg: &Arg| arg.may_be_option() && arg.text().is_none();
        let index = |arg: &Arg| arg.beginning().contains('[') && arg.text() != Some("[");
        let loose = args.iter().any(|arg| !arg.is_one());
        let names = args.iter().any(|arg| matches!(arg.text(), Some("-v" | "-R")));
        let pair = args.windows(2).any(|pair| unsure(&pair[0]) && (pair[1].text().is_none() || index(&pair[1])));
        let calculates = args.iter().any(|arg| arg.text().is_some_and(|text| CALCULATED.contains(&text)));
        let number = |arg: &Arg| arg.text().is_some_and(|text| !text.contains('['));
        if loose || names || pair || (calculates && !args.iter().all(number)) {
            self.note(
                Danger::High,
                Kind::RunsCode,
                shown,
                "a test of a variable's name or value can run what it holds",
            );
        } else {
            self.prints(shown);
        }
    }

    fn printf(&mut self, args: &[Arg], shown: &str) {
        // `-v` and `%n` set a variable, and a variable's name can hold a command that is run.
        let format = match args.first().and_then(Arg::text) {
            Some("--") => args.get(1),
            _ => args.first().filter(|format| !format.may_be_option()),
        };
        match format.and_then(Arg::text) {
            Some(format) if !format.split('%').skip(1).any(sets) => self.prints(shown),
            _ => self.doubt(shown, "what it prints could set a variable"),
        }
    }
}

/// Whether a conversion of `printf`, without its `%`, stores into a variable.
fn sets(conversion: &str) -> bool {
    conversion.trim_start_matches(|c: char| "-+ #'.*hlLqjzt".contains(c) || c.is_ascii_digit()).starts_with('n')
}
