// SPDX-License-Identifier: Apache-2.0
//! From what people and models write to what the calculator reads.
//!
//! The calculator takes almost any text for something (`gcd(4,6)` for 46 of a unit, `sqrt 2 * pi` one way of two), has
//! functions that call themselves and a shift that fills the memory. So only what is known here gets through, and what
//! could be read in two ways is refused.

mod chinese;

/// An expression the calculator reads as it was meant.
#[derive(Debug, PartialEq)]
pub(super) struct Expression {
    /// The text.
    pub(super) text: String,
    /// How many tokens it has; its evaluation nests no deeper by much.
    pub(super) tokens: usize,
}

const MOST_TOKENS: usize = 500;
const DEEPEST: usize = 50;
/// Roots, logarithms and the like are known to about 15 digits; ten are safe to tell.
const SAFE_PLACES: u32 = 10;
const MOST_PLACES: u32 = 1000;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(String),
    Word(String),
    Symbol(char),
}

/// Full-width characters, typographic operators and signs in the plain form; the question mark or equals sign at the
/// end removed.
pub(super) fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{ff01}'..='\u{ff5e}' => out.push(char::from_u32(c as u32 - 0xfee0).unwrap_or(c)),
            '×' | '✕' | '✖' | '·' | '⋅' | '∙' | '∗' => out.push('*'),
            '÷' | '∕' | '⁄' => out.push('/'),
            '−' | '–' | '—' | '﹣' => out.push('-'),
            '√' => out.push_str(" sqrt "),
            '²' => out.push_str("^2"),
            '³' => out.push_str("^3"),
            '½' => out.push_str("(1/2)"),
            '¼' => out.push_str("(1/4)"),
            '¾' => out.push_str("(3/4)"),
            '℃' => out.push_str(" celsius"),
            '℉' => out.push_str(" fahrenheit"),
            '′' | '’' => out.push('\''),
            '″' | '”' => out.push('"'),
            c if c.is_whitespace() => out.push(' '),
            c => out.push(c),
        }
    }
    let mut out = out.trim().trim_end_matches(['=', '?', '。', ' ']).to_owned();
    for begin in ["what is ", "what's ", "calculate ", "compute ", "计算"] {
        if out.get(..begin.len()).is_some_and(|b| b.eq_ignore_ascii_case(begin)) {
            out.drain(..begin.len());
        }
    }
    out
}

/// The expression for the calculator, or what is wrong with it and what to do instead.
pub(super) fn translate(normal: &str) -> Result<Expression, String> {
    let tokens = words(tokenise(&chinese::translate(normal))?)?;
    if tokens.is_empty() {
        return Err("the expression is empty. Write one calculation, such as 12 * (3 + 4)".into());
    }
    if tokens.len() > MOST_TOKENS {
        return Err("the expression is too long. Calculate it in parts".into());
    }
    check_places(&tokens)?;
    let mut writer = Writer { tokens: &tokens, at: 0, depth: 0 };
    let text = writer.sequence()?;
    if writer.at < tokens.len() {
        return Err("a bracket is closed that was not opened. Correct the brackets and call again".into());
    }
    Ok(Expression { text, tokens: tokens.len() })
}

fn tokenise(text: &str) -> Result<Vec<Token>, String> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    // For each open bracket, whether it belongs to a function.
    let mut calls: Vec<bool> = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        if c == ' ' {
            at += 1;
        } else if c.is_ascii_digit() || c == '.' {
            let (number, comma) = number(&chars, &mut at)?;
            if comma && calls.contains(&true) {
                return Err(one_argument());
            }
            tokens.push(Token::Number(number));
        } else if c.is_alphabetic() || "°µ_$€£¥".contains(c) {
            let begin = at;
            at += 1;
            while at < chars.len() && (chars[at].is_alphanumeric() || chars[at] == '_') && c != '°' {
                at += 1;
            }
            tokens.push(Token::Word(chars[begin..at].iter().collect()));
        } else if c == '*' && chars.get(at + 1) == Some(&'*') {
            tokens.push(Token::Symbol('^'));
            at += 2;
        } else if "+-*/^()!%'\"".contains(c) {
            match c {
                '(' => calls.push(matches!(tokens.last(), Some(Token::Word(w)) if !is_operator(w))),
                ')' => {
                    calls.pop();
                }
                _ => {}
            }
            tokens.push(Token::Symbol(c));
            at += 1;
        } else if c == ',' {
            return Err(if calls.contains(&true) {
                one_argument()
            } else {
                "a comma only separates thousands (1,234); use . for decimals, and one calculation a call".into()
            });
        } else {
            return Err(format!(
                "compute does not understand {:?}. It takes one expression of numbers, + - * / ^ ! % ( ), functions with one argument and units; no variables, comparisons or several statements",
                c.to_string()
            ));
        }
    }
    Ok(tokens)
}

fn one_argument() -> String {
    "functions take one argument here, and numbers inside a function no thousands separators. For max, min, gcd and the like compare or divide yourself".into()
}

/// A number at this place, thousands separators removed, and whether it had any.
fn number(chars: &[char], at: &mut usize) -> Result<(String, bool), String> {
    let digit = |i: usize| chars.get(i).is_some_and(char::is_ascii_digit);
    let begin = *at;
    let mut out = String::new();
    if chars[begin] == '0' && chars.get(begin + 1).is_some_and(|c| "xXbBoO".contains(*c)) {
        out.extend(['0', chars[begin + 1].to_ascii_lowercase()]);
        *at += 2;
        while chars.get(*at).is_some_and(char::is_ascii_hexdigit) {
            out.push(chars[*at]);
            *at += 1;
        }
        return Ok((out, false));
    }
    let mut comma = false;
    while digit(*at) {
        out.push(chars[*at]);
        *at += 1;
        let group = digit(*at + 1) && digit(*at + 2) && digit(*at + 3) && !digit(*at + 4);
        let separator = chars.get(*at);
        if separator == Some(&',') && group && (comma || out.len() <= 3) || separator == Some(&'_') && digit(*at + 1) {
            comma |= separator == Some(&',');
            *at += 1;
        }
    }
    if chars.get(*at) == Some(&'.') {
        if !digit(*at + 1) {
            return Err("a number ends in a point. Write its decimals, or leave the point out".into());
        }
        if out.is_empty() {
            out.push('0');
        }
        out.push('.');
        *at += 1;
        while digit(*at) {
            out.push(chars[*at]);
            *at += 1;
        }
        if chars.get(*at) == Some(&'.') {
            return Err("a number has two points. Write numbers like 1234.5".into());
        }
    }
    if chars.get(*at).is_some_and(|c| "eE".contains(*c)) {
        let signed = usize::from(chars.get(*at + 1).is_some_and(|c| "+-".contains(*c)));
        if digit(*at + 1 + signed) {
            out.push('e');
            out.extend(&chars[*at + 1..*at + 1 + signed]);
            *at += 1 + signed;
            while digit(*at) {
                out.push(chars[*at]);
                *at += 1;
            }
        }
    }
    Ok((out, comma))
}

fn is_operator(word: &str) -> bool {
    matches!(
        word,
        "to" | "as" | "in" | "of" | "mod" | "per" | "nCr" | "choose" | "nPr" | "permute" | "and" | "or" | "xor"
    )
}

fn is_conversion(token: Option<&Token>) -> bool {
    matches!(token, Some(Token::Word(w)) if matches!(w.as_str(), "to" | "as" | "in"))
}

fn is_function(word: &str) -> bool {
    const FUNCTIONS: &[&str] = &[
        "sqrt",
        "cbrt",
        "ln",
        "log",
        "log2",
        "log10",
        "exp",
        "abs",
        "floor",
        "ceil",
        "round",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "fib",
        "fibonacci",
    ];
    FUNCTIONS.contains(&word)
}

/// Words in their plain form; those that are not for here are refused.
fn words(tokens: Vec<Token>) -> Result<Vec<Token>, String> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let Token::Word(word) = token else {
            out.push(token);
            continue;
        };
        let next_is_operand = matches!(tokens.peek(), Some(Token::Number(_) | Token::Symbol('(')));
        let after_operand = matches!(out.last(), Some(Token::Number(_) | Token::Symbol(')')));
        let plain = match word.as_str() {
            "x" | "X" if after_operand && next_is_operand => Token::Symbol('*'),
            "times" => Token::Symbol('*'),
            "plus" => Token::Symbol('+'),
            "minus" => Token::Symbol('-'),
            "divided" if tokens.peek() == Some(&Token::Word("by".into())) => {
                tokens.next();
                Token::Symbol('/')
            }
            "percent" if after_operand => Token::Symbol('%'),
            "degC" => Token::Word("celsius".into()),
            "degF" => Token::Word("fahrenheit".into()),
            "squared" => {
                out.push(Token::Symbol('^'));
                Token::Number("2".into())
            }
            "max" | "gcd" | "lcm" | "sum" | "avg" | "average" | "mean" | "median" => return Err(one_argument()),
            "min" if tokens.peek() == Some(&Token::Symbol('(')) => return Err(one_argument()),
            "roll" | "sample" | "random" | "rand" => {
                return Err("compute has no random numbers. Choose yourself".into());
            }
            "print" | "println" | "version" | "trans" | "earth" | "date" | "string" | "text" | "codepoint" | "char"
            | "character" | "bool" | "boolean" | "true" | "false" | "not" | "conjugate" | "today" | "tomorrow"
            | "yesterday" | "now" => {
                return Err(format!(
                    "compute does not take {word:?} in this place. Write numbers and units, or a date calculation such as days until 2027-01-01"
                ));
            }
            w if w.len() > 1 && w.starts_with('d') && w[1..].bytes().all(|b| b.is_ascii_digit()) => {
                return Err("compute has no dice. Write the numbers themselves".into());
            }
            _ => Token::Word(word),
        };
        out.push(plain);
    }
    Ok(out)
}

/// More places than are right are refused, for what is not a fraction.
fn check_places(tokens: &[Token]) -> Result<(), String> {
    for (i, token) in tokens.iter().enumerate() {
        if !matches!(token, Token::Word(w) if w == "dp" || w == "sf") {
            continue;
        }
        let places = match i.checked_sub(1).map(|i| &tokens[i]) {
            Some(Token::Number(n)) => n.parse().unwrap_or(u32::MAX),
            _ => continue,
        };
        let exact = tokens[..i].iter().enumerate().all(|(i, token)| match token {
            Token::Word(w) => w == "to",
            Token::Symbol('^') => matches!(&tokens[i + 1], Token::Number(n) if !n.contains(['.', 'e'])),
            _ => true,
        });
        if places > MOST_PLACES || places > SAFE_PLACES && !exact {
            return Err(format!(
                "so many places are not known: at most {MOST_PLACES} for fractions, {SAFE_PLACES} for roots, logarithms, pi and units"
            ));
        }
    }
    Ok(())
}

struct Writer<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
}

impl Writer<'_> {
    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    /// Writes until the end or a closing bracket that was not opened here.
    fn sequence(&mut self) -> Result<String, String> {
        let mut out = String::new();
        // Where the last operand begins in `out`, and the last + or - between two operands before it.
        let mut operand: Option<usize> = None;
        let mut sign: Option<(usize, char)> = None;
        let (mut plain_terms, mut percent_term) = (false, false);
        while let Some(token) = self.peek(0).cloned() {
            if token == Token::Symbol(')') {
                break;
            }
            let after_operand = matches!(
                self.at.checked_sub(1).map(|i| &self.tokens[i]),
                Some(Token::Number(_) | Token::Symbol(')' | '!' | '%' | '\'' | '"'))
            ) || matches!(self.at.checked_sub(1).map(|i| &self.tokens[i]), Some(Token::Word(w)) if !is_operator(w));
            self.at += 1;
            match token {
                Token::Symbol('(') => {
                    // A function and its brackets are one operand.
                    let of_function = matches!(self.at.checked_sub(2).map(|i| &self.tokens[i]), Some(Token::Word(w)) if is_function(w));
                    if !of_function {
                        operand = operand.or(Some(out.len()));
                    }
                    self.depth += 1;
                    if self.depth > DEEPEST {
                        return Err("the brackets are nested too deeply. Calculate it in parts".into());
                    }
                    let inner = self.sequence()?;
                    if self.peek(0) != Some(&Token::Symbol(')')) || inner.is_empty() {
                        return Err("a bracket is not closed, or empty. Correct the brackets and call again".into());
                    }
                    self.at += 1;
                    self.depth -= 1;
                    out.push_str(&format!("({inner})"));
                }
                Token::Symbol('%') if is_conversion(self.tokens.get(self.at.wrapping_sub(2))) => out.push('%'),
                Token::Symbol('%') if self.is_modulo() => {
                    operand = None;
                    out.push_str(" mod ");
                }
                Token::Symbol('%') => {
                    let Some(begin) = operand else {
                        return Err("a % has no number before it. Write it like 20% of 50".into());
                    };
                    let amount = out.split_off(begin).trim().to_owned();
                    let ends = match self.peek(0) {
                        None | Some(Token::Symbol('+' | '-' | ')')) => true,
                        next => is_conversion(next),
                    };
                    match sign.take() {
                        Some((place, sign)) if ends && out[place..].trim() == sign.to_string() && plain_terms => {
                            // The percentage is one of what stands before it.
                            out.truncate(place);
                            out = format!("({}) * (1 {sign} {amount}/100)", out.trim());
                        }
                        before => {
                            sign = before;
                            percent_term = out[before.map_or(0, |(place, _)| place + 1)..].trim().is_empty();
                            out.push_str(&format!("({amount}/100)"));
                        }
                    }
                    if self.peek(0) == Some(&Token::Word("of".into())) {
                        self.at += 1;
                        operand = None;
                        percent_term = false;
                        out.push_str(" * ");
                    }
                }
                Token::Symbol(c @ ('+' | '-')) if after_operand => {
                    plain_terms |= !percent_term;
                    percent_term = false;
                    out.push(' ');
                    sign = Some((out.len(), c));
                    operand = None;
                    out.push(c);
                    out.push(' ');
                }
                Token::Symbol(c @ ('!' | '\'' | '"')) => out.push(c),
                Token::Symbol(c) => {
                    operand = None;
                    out.push(' ');
                    out.push(c);
                    out.push(' ');
                }
                Token::Number(number) => {
                    if after_operand && matches!(self.tokens.get(self.at.wrapping_sub(2)), Some(Token::Number(_))) {
                        return Err("two numbers stand side by side. Put an operator between them".into());
                    }
                    out.push(' ');
                    operand = Some(out.len());
                    out.push_str(&number);
                }
                Token::Word(word) => {
                    out.push(' ');
                    if is_operator(&word) {
                        operand = None;
                        out.push_str(&word);
                        out.push(' ');
                    } else {
                        operand = operand.or(Some(out.len()));
                        let text = if is_function(&word) { self.function(&word)? } else { word };
                        out.push_str(&text);
                    }
                }
            }
        }
        Ok(out.trim().to_owned())
    }

    /// Whether the % just passed stands between two operands.
    fn is_modulo(&self) -> bool {
        match self.peek(0) {
            Some(Token::Number(_) | Token::Symbol('(')) => true,
            Some(Token::Word(w)) => !is_operator(w),
            _ => false,
        }
    }

    /// A function's name, and its argument when that has no brackets: a single operand, or an angle with its unit.
    fn function(&mut self, name: &str) -> Result<String, String> {
        if self.peek(0) == Some(&Token::Symbol('(')) {
            return match self.after_group() {
                // fend reads sqrt(2)^2 as sqrt(2^2).
                Some(Token::Symbol('^' | '!')) => Err(brackets(name)),
                _ => Ok(name.to_owned()),
            };
        }
        let minus = usize::from(self.peek(0) == Some(&Token::Symbol('-')));
        let argument = match self.peek(minus) {
            Some(Token::Number(argument) | Token::Word(argument)) if !is_function(argument) => argument.clone(),
            _ => return Err(brackets(name)),
        };
        self.at += minus + 1;
        let minus = if minus == 1 { "-" } else { "" };
        match self.peek(0).cloned() {
            Some(Token::Word(unit))
                if matches!(unit.as_str(), "deg" | "degree" | "degrees" | "°" | "rad" | "radians") =>
            {
                self.at += 1;
                Ok(format!("{name}({minus}{argument} {unit})"))
            }
            Some(Token::Word(w)) if !is_operator(&w) => Err(brackets(name)),
            Some(Token::Number(_) | Token::Symbol('(' | '^' | '!' | '%' | '\'' | '"')) => Err(brackets(name)),
            _ => Ok(format!("{name}({minus}{argument})")),
        }
    }

    /// The token after the bracketed group that begins here.
    fn after_group(&self) -> Option<&Token> {
        let mut depth = 0;
        for (i, token) in self.tokens[self.at..].iter().enumerate() {
            match token {
                Token::Symbol('(') => depth += 1,
                Token::Symbol(')') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return self.peek(i + 1);
            }
        }
        None
    }
}

fn brackets(name: &str) -> String {
    format!(
        "it is not clear what belongs to {name}. Put brackets around the argument and around the function: ({name}(2))^2"
    )
}
