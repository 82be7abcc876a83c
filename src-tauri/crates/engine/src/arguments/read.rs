// SPDX-License-Identifier: Apache-2.0
//! Text to a tree that keeps numbers as they were written.

use super::{MAX_BYTES, MAX_DEPTH, Problem, step};
use jsonc_parser::ast::{ObjectPropName, Value as Ast};
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, ParseOptions, Scanner, ScannerOptions, parse_to_ast};
use serde::de::IgnoredAny;
use serde_json::{Map, Number, Value};
use std::collections::HashSet;

/// JSON whose numbers are still text, so that none of them loses a digit before the schema has been asked.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    fn levels(&self) -> usize {
        match self {
            Node::Array(items) => 1 + items.iter().map(Node::levels).max().unwrap_or(0),
            Node::Object(members) => 1 + members.iter().map(|(_, n)| n.levels()).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// The tree as a value. An integer beyond 64 bits, or a number beyond `f64`, is refused.
    pub(super) fn to_value(&self, path: &str) -> Result<Value, Problem> {
        Ok(match self {
            Node::Null => Value::Null,
            Node::Bool(b) => Value::Bool(*b),
            Node::Number(text) => {
                Value::Number(number(text).ok_or_else(|| {
                    Problem::new(path, format!("{} is a number too large to be kept exactly", at(path)))
                })?)
            }
            Node::String(text) => Value::String(text.clone()),
            Node::Array(items) => Value::Array(
                items
                    .iter()
                    .enumerate()
                    .map(|(i, item)| item.to_value(&step(path, &i.to_string())))
                    .collect::<Result<_, _>>()?,
            ),
            Node::Object(members) => {
                let mut map = Map::new();
                for (key, node) in members {
                    map.insert(key.clone(), node.to_value(&step(path, key))?);
                }
                Value::Object(map)
            }
        })
    }
}

/// How a path is named in a sentence.
pub(super) fn at(path: &str) -> String {
    if path.is_empty() { "the arguments as a whole".into() } else { format!("`{path}`") }
}

/// A JSON number, exact for 64-bit integers, the nearest `f64` for fractions.
pub(super) fn number(text: &str) -> Option<Number> {
    if is_integer(text) {
        return text.parse::<i64>().map(Number::from).or_else(|_| text.parse::<u64>().map(Number::from)).ok();
    }
    text.parse::<f64>().ok().and_then(Number::from_f64)
}

/// Whether this is an integer written plainly: a sign, digits, nothing else.
pub(super) fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'))
}

/// The arguments object in what the model wrote.
pub(super) fn arguments(raw: &str, repairs: &mut Vec<String>) -> Result<Node, Problem> {
    if raw.len() > MAX_BYTES {
        let message = format!("the arguments are {} bytes long; at most {MAX_BYTES} are taken", raw.len());
        return Err(Problem::new("", message));
    }
    let mut text = raw.trim_start_matches('\u{feff}').trim().to_owned();
    if text.is_empty() {
        repairs.push("the arguments were empty; taken as {}".into());
        return Ok(Node::Object(Vec::new()));
    }
    // Once encoded twice is a common slip; more than that is not worth following.
    for _ in 0..3 {
        if !is_json(&text) {
            return embedded(&text, repairs);
        }
        match json(&text)? {
            node @ Node::Object(_) => return Ok(node),
            Node::String(inner) => {
                repairs.push("the arguments were JSON inside a JSON string; decoded".into());
                text = inner.trim().to_owned();
            }
            other => {
                let message = format!("the arguments must be one JSON object, not {}", kind(&other));
                return Err(Problem::new("", message));
            }
        }
    }
    Err(Problem::new("", "the arguments must be one JSON object, not a string in a string"))
}

/// The value of a text that is JSON and nothing else, for a member that was encoded twice.
pub(super) fn whole(text: &str) -> Option<Node> {
    if is_json(text) { json(text).ok() } else { None }
}

pub(super) fn kind(node: &Node) -> &'static str {
    match node {
        Node::Null => "null",
        Node::Bool(_) => "a boolean",
        Node::Number(_) => "a number",
        Node::String(_) => "a string",
        Node::Array(_) => "an array",
        Node::Object(_) => "an object",
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Only what is written differently and means the same. Escapes such as `\d` stay errors: JSON5 would drop the
/// backslash, and the model most likely meant to keep it.
const LENIENT: ParseOptions = ParseOptions {
    allow_loose_object_property_names: true,
    allow_trailing_commas: true,
    allow_single_quoted_strings: true,
    ..STRICT
};

const SCANNER: ScannerOptions = ScannerOptions {
    allow_single_quoted_strings: true,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

fn json(text: &str) -> Result<Node, Problem> {
    check_depth(text)?;
    parse(text, &STRICT)
}

fn unreadable(detail: impl std::fmt::Display) -> Problem {
    Problem::new("", format!("the arguments could not be read as JSON: {detail}"))
}

fn parse(text: &str, options: &ParseOptions) -> Result<Node, Problem> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), options).map_err(unreadable)?;
    node(parsed.value.ok_or_else(|| unreadable("there is no value in it"))?, "")
}

fn node(ast: Ast<'_>, path: &str) -> Result<Node, Problem> {
    Ok(match ast {
        Ast::NullKeyword(_) => Node::Null,
        Ast::BooleanLit(lit) => Node::Bool(lit.value),
        Ast::NumberLit(lit) => Node::Number(lit.value.to_owned()),
        Ast::StringLit(lit) => Node::String(lit.value.into_owned()),
        Ast::Array(array) => Node::Array(
            array
                .elements
                .into_iter()
                .enumerate()
                .map(|(i, element)| node(element, &step(path, &i.to_string())))
                .collect::<Result<_, _>>()?,
        ),
        Ast::Object(object) => {
            let mut seen = HashSet::new();
            let mut members = Vec::with_capacity(object.properties.len());
            for property in object.properties {
                let key = match property.name {
                    ObjectPropName::String(lit) => lit.value.into_owned(),
                    ObjectPropName::Word(lit) => lit.value.to_owned(),
                };
                let here = step(path, &key);
                if !seen.insert(key.clone()) {
                    let message = format!("`{here}` is given more than once; give it once");
                    return Err(Problem::new(here, message));
                }
                members.push((key, node(property.value, &here)?));
            }
            Node::Object(members)
        }
    })
}

fn too_deep() -> Problem {
    Problem::new("", format!("the arguments are nested more than {MAX_DEPTH} levels deep; make them flat"))
}

/// Refuses a tree that is nested too deeply.
pub(super) fn check_levels(node: &Node) -> Result<(), Problem> {
    if node.levels() > MAX_DEPTH { Err(too_deep()) } else { Ok(()) }
}

fn check_depth(text: &str) -> Result<(), Problem> {
    let mut scanner = Scanner::new(text, &SCANNER);
    let mut depth = 0_usize;
    while let Some(token) = scanner.scan().map_err(unreadable)? {
        match token {
            Token::OpenBrace | Token::OpenBracket if depth == MAX_DEPTH => return Err(too_deep()),
            Token::OpenBrace | Token::OpenBracket => depth += 1,
            Token::CloseBrace | Token::CloseBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// The one object inside other text: a markdown fence, a sentence before it, or JSON with the marks of another
/// language. What follows the first complete object must not look like more of it.
fn embedded(text: &str, repairs: &mut Vec<String>) -> Result<Node, Problem> {
    let Some(start) = text.find('{') else {
        return Err(Problem::new("", "there is no JSON object in the arguments"));
    };
    let found = object_at(&text[start..])?;
    let before = text[..start].trim_end();
    let after = text[start + found.length..].trim_start();
    if after.contains('{') {
        let message = "there is more than one JSON object in the arguments; send one object and no other text";
        return Err(Problem::new("", message));
    }
    if before.ends_with(['[', ',']) || after.starts_with([']', '}', ',', ':', '"', '\'']) {
        return Err(unreadable("a part of it stands outside of the object; send one object and no other text"));
    }
    let node = parse(&found.text, &LENIENT)?;
    if !before.is_empty() || !after.is_empty() {
        repairs.push("there was text around the JSON object; only the object was taken".into());
    }
    if found.python {
        repairs.push("True, False or None was read as true, false or null".into());
    }
    let marks = [
        ("single quotes were read as double quotes", ParseOptions { allow_single_quoted_strings: false, ..LENIENT }),
        ("keys without quotes were taken", ParseOptions { allow_loose_object_property_names: false, ..LENIENT }),
        ("a comma before a closing bracket was ignored", ParseOptions { allow_trailing_commas: false, ..LENIENT }),
    ];
    for (note, options) in marks {
        if parse(&found.text, &options).is_err() {
            repairs.push(note.into());
        }
    }
    if parse(&found.text, &STRICT).is_ok() && !is_json(&found.text) {
        repairs.push("line breaks or tabs inside a string were taken as they stand".into());
    }
    Ok(node)
}

struct Found {
    /// Bytes of the original text up to the closing brace.
    length: usize,
    /// The object, Python's literals written as JSON's.
    text: String,
    python: bool,
}

/// The complete object at the beginning of this text. The scanner says what is inside a string and what is not.
fn object_at(text: &str) -> Result<Found, Problem> {
    const LITERALS: [(&str, &str); 3] = [("True", "true"), ("False", "false"), ("None", "null")];
    let mut out = String::with_capacity(text.len());
    let mut python = false;
    let (mut base, mut depth) = (0, 0_usize);
    let mut scanner = Scanner::new(text, &SCANNER);
    loop {
        let scanned = scanner.scan();
        let begin = base + scanner.token_start();
        let rest = &text[begin..];
        let literal = LITERALS.iter().find(|(word, _)| {
            let end = rest.strip_prefix(word);
            end.is_some_and(|r| {
                !r.starts_with(|c: char| c.is_alphanumeric() || c == '_') && !r.trim_start().starts_with(':')
            })
        });
        if let Some((word, json)) = literal {
            out.push_str(&text[base..begin]);
            out.push_str(json);
            python = true;
            base = begin + word.len();
            scanner = Scanner::new(&text[base..], &SCANNER);
            continue;
        }
        match scanned {
            Ok(Some(Token::OpenBrace | Token::OpenBracket)) if depth == MAX_DEPTH => return Err(too_deep()),
            Ok(Some(Token::OpenBrace | Token::OpenBracket)) => depth += 1,
            Ok(Some(Token::CloseBrace | Token::CloseBracket)) => {
                depth -= 1;
                if depth == 0 {
                    let length = base + scanner.token_end();
                    out.push_str(&text[base..length]);
                    return Ok(Found { length, text: out, python });
                }
            }
            Ok(Some(_)) => {}
            Ok(None) => return Err(unreadable("it is cut off before its end; send it whole")),
            Err(e) => return Err(unreadable(e)),
        }
    }
}
