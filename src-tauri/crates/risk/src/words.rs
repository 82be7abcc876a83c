// SPDX-License-Identifier: Apache-2.0
//! What is known of a word before it is expanded.

use crate::walk::{MOST_FAULTS, Walk, grammar};
use bailey_protocol::{Danger, ShellEffectKind as Kind};
use brush_parser::uncached_tokenize_str;
use brush_parser::word::{
    self, Parameter, ParameterExpr, ParameterTransformOp, SpecialParameter, TildeExpr, WordPiece, WordPieceWithSource,
};

/// How many expansions may be in one word.
const MOST_EXPANSIONS: usize = 7;

/// A word as a program will get it, as far as it is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arg {
    /// How it begins.
    known: String,
    /// Whether that is all of it.
    whole: bool,
    /// Whether it may become several words that begin like this, or none: a glob, a brace expansion.
    many: bool,
    /// Whether it may become any words at all: an expansion that is not quoted.
    loose: bool,
}

impl Arg {
    /// A word that is known.
    #[cfg(test)]
    pub(crate) fn whole(text: &str) -> Arg {
        Arg { known: text.to_owned(), whole: true, ..Arg::default() }
    }

    /// A word of which the beginning is known.
    pub(crate) fn begins(text: &str) -> Arg {
        Arg { known: text.to_owned(), ..Arg::default() }
    }

    /// Any number of words that nobody knows.
    pub(crate) fn anything() -> Arg {
        Arg { loose: true, ..Arg::default() }
    }

    /// Its text, if it is one word and all of it is known.
    pub(crate) fn text(&self) -> Option<&str> {
        (self.whole && !self.many && !self.loose).then_some(&*self.known)
    }

    /// How it begins for certain.
    pub(crate) fn beginning(&self) -> &str {
        &self.known
    }

    /// Whether it is exactly one word.
    pub(crate) fn is_one(&self) -> bool {
        !self.many && !self.loose
    }

    /// Whether a program could take it, or a word it becomes, for an option.
    pub(crate) fn may_be_option(&self) -> bool {
        self.loose || self.known.starts_with('-') || (self.known.is_empty() && !self.whole)
    }

    /// The same, any number of times.
    pub(crate) fn several(self) -> Arg {
        Arg { many: true, ..self }
    }

    /// The word with what the shell puts in place of `{}`; `find` does it, and `xargs -I{}`.
    pub(crate) fn filled(&self, mark: &str, with: &Arg) -> Arg {
        match self.text() {
            Some(text) if text == mark => with.clone(),
            Some(text) => match text.find(mark) {
                Some(at) if !mark.is_empty() => Arg::begins(&text[..at]),
                _ => self.clone(),
            },
            None => Arg { loose: self.loose, many: self.many, ..Arg::default() },
        }
    }

    /// What is left after its first `length` bytes.
    pub(crate) fn after(&self, length: usize) -> Arg {
        Arg { known: self.known.get(length..).unwrap_or_default().to_owned(), ..self.clone() }
    }

    fn push(&mut self, text: &str) {
        if self.whole {
            self.known.push_str(text);
        }
    }

    fn open(&mut self) {
        self.whole = false;
    }
}

impl Walk {
    /// Reads a word, and walks what it runs.
    pub(crate) fn arg(&mut self, raw: &str) -> Arg {
        let mut arg = Arg { whole: true, ..Arg::default() };
        if self.is_heavy(raw) {
            return Arg::anything();
        }
        match word::parse(raw, &grammar()) {
            Ok(pieces) => self.pieces(&pieces, false, raw, &mut arg),
            Err(_) => {
                self.unread(raw, "a word in it can't be read");
                arg.open();
                arg.loose = true;
            }
        }
        arg
    }

    /// Whether a word is left alone: one that nests much takes the grammar four times as long for each level that is not
    /// closed.
    fn is_heavy(&mut self, raw: &str) -> bool {
        if self.faults > MOST_FAULTS {
            return true;
        }
        let expansions = ["$(", "${", "$[", "`"].iter().map(|opener| raw.matches(opener).count()).sum::<usize>();
        if expansions > MOST_EXPANSIONS {
            self.unread(raw, "a word in it holds too much to be read");
            return true;
        }
        false
    }

    /// Walks what the text of a here-document runs.
    pub(crate) fn here_document(&mut self, text: &str) {
        if self.is_heavy(text) {
            return;
        }
        match word::parse_heredoc(text, &grammar()) {
            Ok(pieces) => self.pieces(&pieces, true, text, &mut Arg::default()),
            Err(_) => self.unread(text, "a here-document in it can't be read"),
        }
    }

    fn pieces(&mut self, pieces: &[WordPieceWithSource], quoted: bool, raw: &str, arg: &mut Arg) {
        for (at, piece) in pieces.iter().enumerate() {
            if let (WordPiece::Text(text), Some(WordPiece::Text(next))) =
                (&piece.piece, pieces.get(at + 1).map(|next| &next.piece))
                && text.ends_with('$')
                && next.starts_with(expands)
            {
                self.unread(raw, "an expansion in it can't be read");
            }
            self.piece(&piece.piece, quoted, raw, arg);
        }
    }

    fn piece(&mut self, piece: &WordPiece, quoted: bool, raw: &str, arg: &mut Arg) {
        match piece {
            WordPiece::Text(text) if quoted => {
                self.literal(text, "`", raw);
                arg.push(text);
            }
            WordPiece::Text(text) => {
                self.literal(text, "`|&;()<> \t\n\"'", raw);
                unquoted(text, arg);
            }
            WordPiece::SingleQuotedText(text) => arg.push(text),
            WordPiece::AnsiCQuotedText(text) => {
                // Elsewhere it is a `$` and a quoted string, which ends at the first quote.
                if text.contains('\'') {
                    self.unread(raw, "shells differ in where a quotation in it ends");
                }
                arg.open();
            }
            WordPiece::DoubleQuotedSequence(pieces) | WordPiece::GettextDoubleQuotedSequence(pieces) => {
                if matches!(piece, WordPiece::GettextDoubleQuotedSequence(_)) {
                    arg.open();
                }
                self.pieces(pieces, true, raw, arg);
            }
            WordPiece::EscapeSequence(text) => match text.strip_prefix('\\') {
                Some("\n") => {}
                Some(escaped) => arg.push(escaped),
                None => arg.open(),
            },
            WordPiece::TildeExpansion(TildeExpr::Home) => arg.push("~"),
            WordPiece::TildeExpansion(TildeExpr::UserHome(user)) => {
                arg.push("~");
                arg.push(user);
            }
            WordPiece::TildeExpansion(_) => {
                // A folder of the stack of folders.
                arg.push("/");
                arg.open();
            }
            WordPiece::ParameterExpansion(expression) => {
                let several = self.parameter(expression, raw);
                arg.open();
                arg.loose |= !quoted || several;
            }
            WordPiece::CommandSubstitution(source) => {
                // The reader of words is less exact than that of commands: both must see the same end. Neither knows
                // that a bracket in a comment ends nothing.
                let again = uncached_tokenize_str(&format!("$({source})"), &grammar().tokenizer_options());
                match again {
                    Ok(tokens) if tokens.len() == 1 && !has_comment(source) => self.script(source),
                    _ => self.unread(source, "where it ends can't be told for certain"),
                }
                arg.open();
                arg.loose |= !quoted;
            }
            WordPiece::BackquotedCommandSubstitution(source) => {
                if source.contains('\\') {
                    self.unread(source, "a backslash between backquotes can't be read for certain");
                }
                self.script(source);
                arg.open();
                arg.loose |= !quoted;
            }
            WordPiece::ArithmeticExpression(expression) => {
                self.arithmetic(&expression.value, raw);
                arg.open();
                arg.loose |= !quoted && expression.value.contains(|c: char| !c.is_ascii_digit());
            }
        }
    }

    /// Text in which nothing is left that a shell would act on. Where there is, the grammar and the shell differ.
    fn literal(&mut self, text: &str, special: &str, raw: &str) {
        let acts = |(at, c): (usize, char)| special.contains(c) || (c == '$' && text[at + 1..].starts_with(expands));
        if text.char_indices().any(acts) {
            self.unread(raw, "a word in it can't be read for certain");
        }
    }

    /// An expansion of a variable; whether it can become several words even in quotes.
    fn parameter(&mut self, expression: &ParameterExpr, raw: &str) -> bool {
        use ParameterExpr as E;
        let (parameter, indirect, words): (&Parameter, bool, [Option<&String>; 2]) = match expression {
            E::Parameter { parameter, indirect } | E::ParameterLength { parameter, indirect } => {
                (parameter, *indirect, [None, None])
            }
            E::UseDefaultValues { parameter, indirect, default_value: word, .. }
            | E::IndicateErrorIfNullOrUnset { parameter, indirect, error_message: word, .. }
            | E::UseAlternativeValue { parameter, indirect, alternative_value: word, .. }
            | E::RemoveSmallestSuffixPattern { parameter, indirect, pattern: word }
            | E::RemoveLargestSuffixPattern { parameter, indirect, pattern: word }
            | E::RemoveSmallestPrefixPattern { parameter, indirect, pattern: word }
            | E::RemoveLargestPrefixPattern { parameter, indirect, pattern: word }
            | E::UppercaseFirstChar { parameter, indirect, pattern: word }
            | E::UppercasePattern { parameter, indirect, pattern: word }
            | E::LowercaseFirstChar { parameter, indirect, pattern: word }
            | E::LowercasePattern { parameter, indirect, pattern: word } => {
                (parameter, *indirect, [word.as_ref(), None])
            }
            E::AssignDefaultValues { parameter, indirect, default_value: word, .. } => {
                match parameter {
                    Parameter::Named(name) => self.variable(name, None, raw),
                    _ => self.doubt(raw, "it sets a variable that can't be read"),
                }
                (parameter, *indirect, [word.as_ref(), None])
            }
            E::Substring { parameter, indirect, offset, length } => {
                self.arithmetic(&offset.value, raw);
                if let Some(length) = length {
                    self.arithmetic(&length.value, raw);
                }
                (parameter, *indirect, [None, None])
            }
            E::ReplaceSubstring { parameter, indirect, pattern, replacement, .. } => {
                (parameter, *indirect, [Some(pattern), replacement.as_ref()])
            }
            E::Transform { parameter, indirect, op } => {
                if matches!(op, ParameterTransformOp::PromptExpand) {
                    self.note(Danger::High, Kind::RunsCode, raw, "it runs what is in a variable");
                }
                (parameter, *indirect, [None, None])
            }
            E::VariableNames { .. } | E::MemberKeys { .. } => {
                self.doubt(raw, "it names variables by other variables");
                return true;
            }
        };
        if indirect {
            self.doubt(raw, "it names variables by other variables");
        }
        for word in words.into_iter().flatten() {
            if word.contains(['\'', '"', '\\']) {
                self.unread(raw, "shells differ in how they read quotation marks between braces");
            }
            self.arg(word);
        }
        match parameter {
            Parameter::NamedWithIndex { index, .. } => {
                self.arithmetic(index, raw);
                false
            }
            Parameter::NamedWithAllIndices { concatenate, .. }
            | Parameter::Special(SpecialParameter::AllPositionalParameters { concatenate }) => !concatenate,
            _ => false,
        }
    }

    /// Arithmetic on numbers. A variable in it may hold an expression of its own, and that may run a command.
    fn arithmetic(&mut self, expression: &str, raw: &str) {
        let plain = |c: char| c.is_ascii_digit() || " \t+-*/%()<>=!&|^~?:,.".contains(c);
        if !expression.chars().all(plain) {
            self.note(Danger::High, Kind::RunsCode, raw, "arithmetic on a variable can run what the variable holds");
        }
    }
}

/// Whether there may be a comment in a script.
fn has_comment(source: &str) -> bool {
    let starts =
        |at: usize| source[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || ";&|()`<>".contains(c));
    source.match_indices('#').any(|(at, _)| starts(at))
}

/// What makes an expansion of a `$` before it.
fn expands(c: char) -> bool {
    c.is_ascii_alphanumeric() || "({[_@*#?!-".contains(c)
}

/// Text that is not quoted: globs and braces in it are expanded.
fn unquoted(text: &str, arg: &mut Arg) {
    let glob = text.find(['*', '?']).or_else(|| text.find('[').filter(|_| text.len() > 1));
    let brace = text.find('{').filter(|at| {
        let rest = &text[*at..];
        rest.contains('}') && (rest.contains(',') || rest.contains(".."))
    });
    // A brace that is closed only in a later piece.
    let half = text.find('{').filter(|at| !text[*at..].contains('}'));
    match [glob, brace, half].into_iter().flatten().min() {
        Some(at) => {
            arg.push(&text[..at]);
            arg.open();
            arg.many = true;
        }
        None => arg.push(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_and_braces_end_what_is_known() {
        for (text, known, whole) in [
            ("abc", "abc", true),
            ("dir/*", "dir/", false),
            ("*", "", false),
            ("a{b,c}", "a", false),
            ("{}", "{}", true),
            ("[", "[", true),
            ("a[b]", "a", false),
            ("{a", "", false),
        ] {
            let mut arg = Arg { whole: true, ..Arg::default() };
            unquoted(text, &mut arg);
            assert_eq!((arg.beginning(), arg.whole), (known, whole), "{text}");
        }
    }
}
