// SPDX-License-Identifier: Apache-2.0
//! Programs that run the program that follows them.

use crate::options::Known;
use crate::walk::Walk;
use crate::words::Arg;
use bailey_protocol::{Danger, ShellEffectKind as Kind};

/// Wrappers, their options, and how many operands stand before the command.
const WRAPPERS: &[(&str, &str, usize)] = &[
    ("builtin", "", 0),
    ("busybox", "", 0),
    ("caffeinate", "dimsu t:", 0),
    ("chroot", "--userspec= --groups= --skip-chdir", 1),
    ("command", "p", 0),
    ("doas", "ns u:C:", 0),
    ("exec", "cl", 0),
    ("ionice", "t c:n: --class= --classdata= --ignore", 0),
    ("nice", "n: # --adjustment=", 0),
    ("noglob", "", 0),
    ("nohup", "", 0),
    ("setsid", "cfw --ctty --fork --wait", 0),
    ("stdbuf", "i:o:e: --input= --output= --error=", 0),
    ("sudo", "nHEkbASis u:g:C:D:h:p:r:t:T:U:", 0),
    ("taskset", "ac --all-tasks --cpu-list", 1),
    ("time", "pvq f: --portability --verbose --format=", 0),
    ("timeout", "pvf k:s: --kill-after= --signal= --foreground --preserve-status --verbose", 1),
    ("toybox", "", 0),
];

/// Whether a program runs the one that follows it.
pub(crate) fn is_wrapper(name: &str) -> bool {
    ["env", "xargs", "watch"].contains(&name) || WRAPPERS.iter().any(|(known, ..)| *known == name)
}

impl Walk {
    /// Whether it is a wrapper; then what it runs is rated, too.
    pub(crate) fn wrapped(&mut self, name: &str, args: &[Arg], shown: &str) -> bool {
        match name {
            "env" => self.env(args, shown),
            "xargs" => self.xargs(args, shown),
            "watch" => self.watch(args, shown),
            "command" if args.first().is_some_and(|arg| matches!(arg.text(), Some("-v" | "-V"))) => {
                self.note(Danger::Low, Kind::Reads, shown, "it tells which program a name stands for");
            }
            _ => {
                let Some((_, options, operands)) = WRAPPERS.iter().find(|(known, ..)| *known == name) else {
                    return false;
                };
                self.wrapper(name, options, *operands, args, shown);
            }
        }
        true
    }

    fn wrapper(&mut self, name: &str, options: &str, operands: usize, args: &[Arg], shown: &str) {
        let rights = "it acts with other rights, or in another system";
        if matches!(name, "sudo" | "doas" | "chroot") {
            self.note(Danger::High, Kind::Privilege, shown, rights);
        }
        let start = match Known::new(options).leading(args) {
            Ok(start) => start,
            Err(why) => return self.doubt(shown, why),
        };
        let skipped = args.get(start..).unwrap_or_default();
        if skipped.iter().take(operands).any(|arg| !arg.is_one()) {
            return self.doubt(shown, "which program it runs becomes known only when it runs");
        }
        match skipped.get(operands..).unwrap_or_default() {
            [] => self.note(Danger::Low, Kind::Reads, shown, "it runs nothing"),
            command if name == "sudo" => self.with_variables(command, shown),
            command => self.run(command, shown),
        }
    }

    /// Settings of variables, and the command they are for.
    fn with_variables(&mut self, mut words: &[Arg], shown: &str) {
        while let Some((word, rest)) = words.split_first() {
            let Some((name, _)) = word.beginning().split_once('=') else { break };
            self.variable(name, word.is_one().then(|| word.after(name.len() + 1)).as_ref(), shown);
            if !word.is_one() {
                return self.doubt(shown, "which program it runs becomes known only when it runs");
            }
            words = rest;
        }
        if words.is_empty() {
            self.note(Danger::Low, Kind::Reads, shown, "it prints variables");
        } else {
            self.run(words, shown);
        }
    }

    fn env(&mut self, args: &[Arg], shown: &str) {
        // What is left out: `-S` takes a command line apart by rules of its own.
        let known = Known::new("i0 u:C: --ignore-environment --null --unset= --chdir=");
        let start = match known.leading(args) {
            Ok(start) => start,
            Err(why) => return self.note(Danger::High, Kind::RunsCode, shown, why),
        };
        self.moved |=
            args[..start].iter().any(|arg| arg.beginning().starts_with("-C") || arg.beginning().starts_with("--ch"));
        let mut rest = &args[start..];
        // A dash alone is `-i`.
        while let Some((arg, after)) = rest.split_first()
            && arg.text() == Some("-")
        {
            rest = after;
        }
        self.with_variables(rest, shown);
    }

    fn xargs(&mut self, args: &[Arg], shown: &str) {
        let known = Known::new(
            "0rtxo n:P:L:s:d:E:a:I: --null --no-run-if-empty --max-args= --max-procs= --max-lines= --delimiter=
             --arg-file= --verbose --replace= --exit --open-tty",
        );
        let start = match known.leading(args) {
            Ok(start) => start,
            Err(why) => return self.note(Danger::High, Kind::RunsCode, shown, why),
        };
        let (options, command) = args.split_at(start);
        let mark = |(at, arg): (usize, &Arg)| {
            let attached = arg.text()?.strip_prefix("--replace=").or_else(|| arg.text()?.strip_prefix("-I"))?;
            Some(if attached.is_empty() { options.get(at + 1)?.text()?.to_owned() } else { attached.to_owned() })
        };
        let replaces =
            options.iter().any(|arg| arg.beginning().contains('I') || arg.beginning().starts_with("--replace"));
        let command: Vec<Arg> = match (replaces, options.iter().enumerate().find_map(mark)) {
            (false, _) => command.iter().cloned().chain([Arg::anything()]).collect(),
            (true, Some(mark)) if !mark.is_empty() => {
                // A line of the input, as one word.
                command.iter().map(|arg| arg.filled(&mark, &Arg::begins(""))).collect()
            }
            (true, _) => {
                return self.note(Danger::High, Kind::RunsCode, shown, "what it puts into the command can't be read");
            }
        };
        if start == args.len() {
            return self.note(Danger::Low, Kind::Reads, shown, "it prints what it reads");
        }
        self.run(&command, shown);
    }

    fn watch(&mut self, args: &[Arg], shown: &str) {
        let known =
            Known::new("tdbegcx n: --no-title --differences? --interval= --errexit --chgexit --color --exec --precise");
        match known.leading(args) {
            Ok(start) => {
                let exec = |arg: &Arg| {
                    arg.text() == Some("--exec")
                        || (!arg.beginning().starts_with("--") && arg.beginning().contains('x'))
                };
                if args[..start].iter().any(exec) {
                    self.run(&args[start..], shown);
                }
                // Also when it says otherwise: an `x` may be part of a value.
                self.joined(&args[start..], shown);
            }
            Err(why) => self.note(Danger::High, Kind::RunsCode, shown, why),
        }
    }
}
