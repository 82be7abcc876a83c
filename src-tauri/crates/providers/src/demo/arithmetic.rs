// SPDX-License-Identifier: Apache-2.0
//! Finds a sum or a conversion in a sentence and writes it as the compute tool reads it.

/// The expression in this sentence, if it is one: `what is 17.5% of 240`, `5 km in miles`, `3加4乘5`.
pub(super) fn expression(said: &str) -> Option<String> {
    let text: String = said.chars().map(narrow).collect::<String>().to_lowercase();
    let text = text.trim().trim_end_matches(['?', '!', '.', '=', ' ', '。']).trim();
    let text = strip(text);
    let text = if text.chars().any(|c| c >= '\u{2E80}') { chinese(text)? } else { english(text) };
    sounds_computable(&text).then_some(text)
}

/// Full-width forms to ASCII.
fn narrow(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '\u{3000}' => ' ',
        '×' | '✕' | '·' => '*',
        '÷' => '/',
        '−' | '–' => '-',
        _ => c,
    }
}

fn strip(mut text: &str) -> &str {
    const BEFORE: &[&str] = &[
        "what is ",
        "what's ",
        "how much is ",
        "how many is ",
        "calculate ",
        "compute ",
        "work out ",
        "please ",
        "convert ",
        "can you ",
        "请计算",
        "请算一下",
        "请算",
        "帮我算一下",
        "帮我算",
        "计算一下",
        "计算",
        "算一下",
        "算算",
        "请问",
        "把",
        "将",
        "请",
    ];
    const AFTER: &[&str] = &["equals", "等于多少", "等于几", "是多少", "是几", "得多少", "得几", "多少", "等于", "="];
    while let Some(rest) = BEFORE.iter().find_map(|word| text.strip_prefix(word)) {
        text = rest.trim_start();
    }
    while let Some(rest) = AFTER.iter().find_map(|word| text.strip_suffix(word)) {
        text = rest.trim_end();
    }
    text
}

fn english(text: &str) -> String {
    let mut text = format!(" {text} ");
    for (word, sign) in [
        (" plus ", " + "),
        (" minus ", " - "),
        (" times ", " * "),
        (" multiplied by ", " * "),
        (" divided by ", " / "),
        (" percent ", "% "),
    ] {
        text = text.replace(word, sign);
    }
    // Inches are "in", too.
    if !text.contains(" to ") {
        text = text.replace(" in ", " to ");
    }
    text.trim().to_owned()
}

const UNITS: &[(&str, &str)] = &[
    ("平方米", "m^2"),
    ("平方公里", "km^2"),
    ("摄氏度", "celsius"),
    ("华氏度", "fahrenheit"),
    ("千克", "kg"),
    ("公斤", "kg"),
    ("公里", "km"),
    ("千米", "km"),
    ("英里", "miles"),
    ("海里", "nautical_miles"),
    ("厘米", "cm"),
    ("毫米", "mm"),
    ("英尺", "feet"),
    ("英寸", "inches"),
    ("毫升", "ml"),
    ("小时", "hours"),
    ("分钟", "minutes"),
    ("米", "m"),
    ("克", "g"),
    ("磅", "pounds"),
    ("升", "liters"),
    ("秒", "seconds"),
    ("天", "days"),
];

fn chinese(text: &str) -> Option<String> {
    let mut text = numerals(text);
    // 240的17.5% and 百分之17.5
    while let Some(at) = text.find("百分之") {
        let rest = &text[at + "百分之".len()..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        text = format!("{}{}%{}", &text[..at], &rest[..digits], &rest[digits..]);
    }
    if let Some((whole, part)) = text.split_once('的')
        && part.trim().ends_with('%')
    {
        text = format!("{} of {}", part.trim(), whole.trim());
    }
    for (word, sign) in [
        ("等于多少", " to "),
        ("是多少", " to "),
        ("换算成", " to "),
        ("换成", " to "),
        ("转换成", " to "),
        ("转成", " to "),
        ("合多少", " to "),
        ("有多少", " to "),
        ("除以", " / "),
        ("乘以", " * "),
        ("加上", " + "),
        ("减去", " - "),
        ("加", " + "),
        ("减", " - "),
        ("乘", " * "),
        ("除", " / "),
        ("的平方", "^2"),
        ("的立方", "^3"),
    ] {
        text = text.replace(word, sign);
    }
    for (word, unit) in UNITS {
        text = text.replace(word, &format!(" {unit} "));
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Something is left that is no sum: a sentence.
    (!text.chars().any(|c| c >= '\u{2E80}')).then_some(text)
}

/// Chinese numerals below ten thousand as digits.
fn numerals(text: &str) -> String {
    let digit = |c| {
        "零一二三四五六七八九".chars().position(|d| d == c).or((c == '两').then_some(2)).or((c == '〇').then_some(0))
    };
    let unit = |c| match c {
        '十' => Some(10),
        '百' => Some(100),
        _ => None,
    };
    let (mut out, mut total, mut last, mut open) = (String::new(), 0_usize, None::<usize>, false);
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at <= chars.len() {
        let c = chars.get(at).copied();
        let percent = chars[at.min(chars.len())..].starts_with(&['百', '分', '之']);
        if let Some(d) = c.and_then(digit) {
            // 一二三 is 123.
            last = Some(if open && last.is_some_and(|l| l > 0) { last.unwrap_or(0) * 10 + d } else { d });
            open = true;
        } else if let Some(u) = c.and_then(unit).filter(|_| !percent) {
            total += last.take().unwrap_or(1) * u;
            open = true;
        } else {
            if open {
                out.push_str(&(total + last.unwrap_or(0)).to_string());
            }
            (total, last, open) = (0, None, false);
            out.extend(c);
        }
        at += 1;
    }
    out
}

/// Digits, and something done to them; no words but those the tool knows.
fn sounds_computable(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    if !text.contains(|c: char| c.is_ascii_digit())
        || !(first.is_ascii_digit() || "(-+.√".contains(first) || text.starts_with("sqrt"))
    {
        return false;
    }
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).collect();
    let operator = text.char_indices().any(|(at, c)| at > 0 && "+-*/^%".contains(c)) || words.contains(&"sqrt");
    let converts = words.iter().position(|word| *word == "to").is_some_and(|at| at > 0 && at + 1 < words.len());
    let of = words.contains(&"of") && text.contains('%');
    (operator && words.len() <= 4) || (converts && words.len() <= 6) || of
}
