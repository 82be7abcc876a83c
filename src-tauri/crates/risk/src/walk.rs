// SPDX-License-Identifier: Apache-2.0
//! Walks all that a command could run.

use crate::words::Arg;
use bailey_protocol::{Danger, ShellEffect, ShellEffectKind as Kind, ShellRisk};
use brush_parser::ast::{
    AndOr, Assignment, AssignmentName, AssignmentValue, Command, CommandPrefixOrSuffixItem as Item, CompoundCommand,
    CompoundList, IoFileRedirectKind, IoFileRedirectTarget, IoRedirect, Pipeline, Program, SimpleCommand,
};
use brush_parser::{ParserOptions, Token, parse_tokens, uncached_tokenize_str};

/// How deep scripts within scripts are followed (`sh -c "sh -c …"`).
const DEEPEST: usize = 12;
/// How often the grammar may have to try two ways. Each one that is not closed doubles the time.
const MOST_TRIES: usize = 10;
/// How many things that can't be read are looked into: they take the longest, and change nothing more.
pub(crate) const MOST_FAULTS: usize = 5;
/// How many commands are looked at.
const MOST_COMMANDS: usize = 4_000;
/// How many effects are told.
const MOST_EFFECTS: usize = 40;
/// How many characters of a command an effect quotes.
const LONGEST_QUOTE: usize = 160;

/// What was found so far.
pub(crate) struct Walk {
    found: Vec<(Danger, ShellEffect)>,
    parsed: bool,
    /// How many things could not be read.
    pub(crate) faults: usize,
    depth: usize,
    commands: usize,
    /// How many programs stand before the one looked at.
    pub(crate) wrappers: usize,
    /// Whether the working folder may be another one than at the start: then a relative path may lead anywhere.
    pub(crate) moved: bool,
    /// What is written by relative paths.
    pub(crate) relative: Vec<String>,
}

/// How commands are read. Extended globs are off, as they are in a shell that was not told: with them `!(rm x)` would be
/// a pattern.
pub(crate) fn grammar() -> ParserOptions {
    ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() }
}

/// A command, short enough to be shown.
pub(crate) fn cut(command: &str) -> String {
    let command = command.trim();
    match command.char_indices().nth(LONGEST_QUOTE) {
        Some((at, _)) => format!("{}…", &command[..at]),
        None => command.to_owned(),
    }
}

/// How often the grammar has to try two ways: `((` is arithmetic or brackets, and `case` and `<(` are read twice, too.
fn tries(tokens: &[Token]) -> usize {
    let follow = |two: &[Token]| match (two[0].to_str(), two[1].to_str()) {
        ("(", "(") => 2,
        ("<" | ">", "(") | ("case", _) => 1,
        _ => 0,
    };
    tokens.windows(2).map(follow).sum()
}

impl Walk {
    pub(crate) fn rate(command: &str) -> ShellRisk {
        let mut walk = Walk {
            found: Vec::new(),
            parsed: true,
            faults: 0,
            depth: 0,
            commands: 0,
            wrappers: 0,
            moved: false,
            relative: Vec::new(),
        };
        walk.script(command);
        if walk.moved {
            for command in std::mem::take(&mut walk.relative) {
                walk.note(Danger::High, Kind::Writes, &command, "it writes in a folder that is changed to");
            }
        }
        if walk.found.is_empty() {
            walk.note(Danger::Low, Kind::Reads, command, "it runs nothing");
        }
        walk.found.sort_by_key(|(level, _)| std::cmp::Reverse(*level));
        let level = walk.found.first().map_or(Danger::High, |(level, _)| *level);
        let effects = walk.found.into_iter().map(|(_, effect)| effect).take(MOST_EFFECTS).collect();
        ShellRisk { level, parsed: walk.parsed, effects }
    }

    /// Remembers what a part of the command does.
    pub(crate) fn note(&mut self, level: Danger, kind: Kind, command: &str, why: impl Into<String>) {
        let effect = ShellEffect { kind, command: cut(command), why: why.into() };
        if !self.found.iter().any(|(other, known)| *other == level && *known == effect) {
            self.found.push((level, effect));
        }
    }

    /// As `note`, for what is not known to be harmless.
    pub(crate) fn doubt(&mut self, command: &str, why: impl Into<String>) {
        self.note(Danger::High, Kind::Unknown, command, why);
    }

    /// What can't be read.
    pub(crate) fn unread(&mut self, command: &str, why: &str) {
        self.parsed = false;
        self.faults += 1;
        self.doubt(command, why);
    }

    /// A whole script: the command itself, or what a part of it hands to another shell.
    pub(crate) fn script(&mut self, source: &str) {
        if self.faults > MOST_FAULTS {
            return;
        }
        if self.depth >= DEEPEST {
            return self.unread(source, "too much is nested in it to be read");
        }
        // The grammar takes the number before a redirect for one that fits.
        let number = |before: &str| before.bytes().rev().take_while(u8::is_ascii_digit).count();
        if source.match_indices(['<', '>']).any(|(at, _)| number(&source[..at]) > 9) {
            return self.unread(source, "a number in it is too long to be read");
        }
        let grammar = grammar();
        let parsed = uncached_tokenize_str(source, &grammar.tokenizer_options())
            .ok()
            .filter(|tokens| tries(tokens) <= MOST_TRIES)
            .and_then(|tokens| parse_tokens(&tokens, &grammar).ok());
        let Some(program) = parsed else { return self.unread(source, "it is not a whole command of the shell") };
        self.depth += 1;
        self.lists(&program);
        self.depth -= 1;
    }

    fn lists(&mut self, program: &Program) {
        for list in &program.complete_commands {
            self.list(list);
        }
    }

    fn list(&mut self, list: &CompoundList) {
        for item in &list.0 {
            self.pipeline(&item.0.first);
            for AndOr::And(pipeline) | AndOr::Or(pipeline) in &item.0.additional {
                self.pipeline(pipeline);
            }
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        for command in &pipeline.seq {
            self.commands += 1;
            if self.commands > MOST_COMMANDS {
                return self.unread("", "it holds too many commands to be read");
            }
            match command {
                Command::Simple(simple) => self.simple(simple),
                Command::Compound(compound, redirects) => {
                    self.compound(compound);
                    self.redirects(redirects.as_ref().map_or(&[], |list| &list.0));
                }
                Command::Function(function) => {
                    let name = &function.fname.value;
                    if crate::programs::is_known(name) || !crate::names::is_variable(name) {
                        let why = "it makes a function that hides a program of this name";
                        self.note(Danger::High, Kind::RunsCode, &format!("{name}()"), why);
                    }
                    self.compound(&function.body.0);
                    self.redirects(function.body.1.as_ref().map_or(&[], |list| &list.0));
                }
                Command::ExtendedTest(test, redirects) => {
                    // Other shells look for a program named `[[`, and read `<`, `>` and `&&` in it as their own.
                    self.doubt(&format!("[[ {} ]]", test.expr), "shells differ in what [[ does");
                    self.redirects(redirects.as_ref().map_or(&[], |list| &list.0));
                }
            }
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(group) => self.list(&group.list),
            CompoundCommand::ForClause(clause) => {
                self.variable(&clause.variable_name, None, &format!("for {}", clause.variable_name));
                for word in clause.values.iter().flatten() {
                    self.arg(&word.value);
                }
                self.list(&clause.body.list);
            }
            CompoundCommand::CaseClause(clause) => {
                self.arg(&clause.value.value);
                for case in &clause.cases {
                    for pattern in &case.patterns {
                        self.arg(&pattern.value);
                    }
                    if let Some(list) = &case.cmd {
                        self.list(list);
                    }
                }
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition);
                self.list(&clause.then);
                for other in clause.elses.iter().flatten() {
                    if let Some(condition) = &other.condition {
                        self.list(condition);
                    }
                    self.list(&other.body);
                }
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.list(&clause.0);
                self.list(&clause.1.list);
            }
            CompoundCommand::Arithmetic(_) | CompoundCommand::ArithmeticForClause(_) => {
                self.doubt(&compound.to_string(), "shells differ in what (( does");
            }
            CompoundCommand::Coprocess(_) => self.doubt(&compound.to_string(), "shells differ in what coproc does"),
        }
    }

    fn simple(&mut self, command: &SimpleCommand) {
        let shown = command.to_string();
        let prefix = command.prefix.iter().flat_map(|prefix| &prefix.0);
        let suffix = command.suffix.iter().flat_map(|suffix| &suffix.0);
        let mut args = Vec::new();
        let mut apart = None;
        for (before, item) in prefix.map(|item| (true, item)).chain(suffix.map(|item| (false, item))) {
            // The name stands between the two.
            if let (false, true, Some(name)) = (before, args.is_empty(), &command.word_or_name) {
                args.push(self.arg(&name.value));
            }
            match item {
                Item::IoRedirect(redirect) => {
                    if matches!(redirect, IoRedirect::OutputAndError(..)) {
                        apart.get_or_insert(args.len());
                    }
                    self.redirects(std::slice::from_ref(redirect));
                }
                Item::Word(word) => args.push(self.arg(&word.value)),
                Item::AssignmentWord(assignment, _) if before => self.assignment(assignment, &shown),
                // Here it is an argument that looks like an assignment: `dd of=x`, `export A=b`.
                Item::AssignmentWord(assignment, word) => {
                    if !matches!(assignment.value, AssignmentValue::Scalar(_)) {
                        self.doubt(&shown, "it fills an array");
                    }
                    args.push(self.arg(&word.value));
                }
                Item::ProcessSubstitution(_, inner) => {
                    self.list(&inner.list);
                    args.push(Arg::begins("/dev/fd/"));
                }
            }
        }
        if let (true, Some(name)) = (args.is_empty(), &command.word_or_name) {
            args.push(self.arg(&name.value));
        }
        if apart.is_some_and(|at| at < args.len()) {
            // Elsewhere the `&` ends a command, and what follows is the next one.
            self.doubt(&shown, "shells differ in what &> does");
        }
        if !args.is_empty() {
            self.run(&args, &shown);
        }
    }

    fn assignment(&mut self, assignment: &Assignment, shown: &str) {
        let AssignmentName::VariableName(name) = &assignment.name else {
            return self.doubt(shown, "it fills an array");
        };
        match &assignment.value {
            AssignmentValue::Scalar(word) => {
                let value = self.arg(&word.value);
                self.variable(name, Some(&value), shown);
            }
            AssignmentValue::Array(elements) => {
                for (key, element) in elements {
                    if key.is_some() {
                        self.doubt(shown, "it fills an array");
                    }
                    self.arg(&element.value);
                }
                self.variable(name, None, shown);
            }
        }
    }

    /// A variable that is set: most are a script's own, some decide what programs run or do.
    pub(crate) fn variable(&mut self, name: &str, value: Option<&Arg>, shown: &str) {
        if !crate::names::is_harmless_variable(name, value.and_then(Arg::text)) {
            let why = format!("setting {name} can change what programs do, or which ones run");
            self.note(Danger::High, Kind::RunsCode, shown, why);
        }
    }

    fn redirects(&mut self, redirects: &[IoRedirect]) {
        for redirect in redirects {
            let shown = redirect.to_string();
            match redirect {
                IoRedirect::HereDocument(_, document) => {
                    if document.requires_expansion {
                        self.here_document(&document.doc.value);
                    }
                }
                IoRedirect::HereString(_, word) => {
                    self.arg(&word.value);
                }
                IoRedirect::OutputAndError(word, _) => {
                    let target = self.arg(&word.value);
                    self.writes(&target, &shown);
                }
                IoRedirect::File(_, kind, target) => self.redirect(kind, target, &shown),
            }
        }
    }

    fn redirect(&mut self, kind: &IoFileRedirectKind, target: &IoFileRedirectTarget, shown: &str) {
        let target = match target {
            IoFileRedirectTarget::Fd(_) => return,
            IoFileRedirectTarget::ProcessSubstitution(_, inner) => return self.list(&inner.list),
            IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => self.arg(&word.value),
        };
        match kind {
            IoFileRedirectKind::Read => match target.text() {
                Some(path) => self.reads(path, shown),
                // `/dev/tcp/…` is a connection in some shells.
                None => self.doubt(shown, "what it reads becomes known only when it runs"),
            },
            IoFileRedirectKind::DuplicateInput | IoFileRedirectKind::DuplicateOutput => {
                let number = |text: &str| {
                    text == "-" || text.strip_suffix('-').unwrap_or(text).bytes().all(|b| b.is_ascii_digit())
                };
                if !target.text().is_some_and(number) {
                    self.writes(&target, shown);
                }
            }
            IoFileRedirectKind::Write
            | IoFileRedirectKind::Append
            | IoFileRedirectKind::Clobber
            | IoFileRedirectKind::ReadAndWrite => self.writes(&target, shown),
        }
    }
}
