// SPDX-License-Identifier: Apache-2.0
//! Text of an app's, as one line that shows what it is.

/// At most so many characters of one text are shown.
const LONGEST: usize = 500;

/// White space as single spaces; what is invisible or turns the direction of writing is gone; long text is cut.
pub(crate) fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(LONGEST * 4));
    let mut count = 0;
    let mut chars = text.chars().filter(|c| !is_invisible(*c)).peekable();
    while let Some(c) = chars.next() {
        let c = if c.is_whitespace() || c.is_control() { ' ' } else { c };
        if c == ' ' && (out.is_empty() || out.ends_with(' ')) {
            continue;
        }
        if count == LONGEST {
            let left = 1 + chars.count();
            out.push_str(&format!("… ({left} more characters)"));
            return out;
        }
        out.push(c);
        count += 1;
    }
    out.truncate(out.trim_end().len());
    out
}

/// Marks that show nothing: zero-width characters, joiners, marks of direction, tags, and private use, which apps put
/// their icons in.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffc}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{e0fff}'
        | '\u{f0000}'..='\u{10ffff}')
}
