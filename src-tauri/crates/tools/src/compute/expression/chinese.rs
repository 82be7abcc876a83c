// SPDX-License-Identifier: Apache-2.0
//! Chinese numerals, operators and units.

/// Longer words first, so that 千米 is not read as a thousand 米.
const WORDS: &[(&str, &str)] = &[
    ("等于多少", " to "),
    ("换算成", " to "),
    ("转换成", " to "),
    ("转换为", " to "),
    ("是多少", " to "),
    ("换成", " to "),
    ("转为", " to "),
    ("转成", " to "),
    ("等于几", ""),
    ("等于", " to "),
    ("的平方根", "^(1/2)"),
    ("的平方", "^2"),
    ("的立方", "^3"),
    ("乘以", "*"),
    ("除以", "/"),
    ("加上", "+"),
    ("减去", "-"),
    ("乘", "*"),
    ("加", "+"),
    ("减", "-"),
    ("摄氏度", " celsius "),
    ("华氏度", " fahrenheit "),
    ("千米", " km "),
    ("公里", " km "),
    ("厘米", " cm "),
    ("毫米", " mm "),
    ("英里", " miles "),
    ("英尺", " feet "),
    ("英寸", " inches "),
    ("平方米", " m^2 "),
    ("立方米", " m^3 "),
    ("米", " m "),
    ("千克", " kg "),
    ("公斤", " kg "),
    ("毫克", " mg "),
    ("克", " g "),
    ("吨", " tonne "),
    ("磅", " lb "),
    ("盎司", " oz "),
    ("毫升", " ml "),
    ("升", " l "),
    ("小时", " hours "),
    ("分钟", " min "),
    ("秒", " s "),
    ("天", " days "),
    ("周", " weeks "),
];

/// The expression in the notation of the rest of the world; what is not known stays and is refused later.
pub(super) fn translate(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut out = percents(text);
    for (word, meaning) in WORDS {
        if out.contains(word) {
            out = out.replace(word, meaning);
        }
    }
    let out = numerals(&out);
    // "5 + 3 to", when what was asked was only "how much is it".
    let trimmed = out.trim_end();
    trimmed.strip_suffix(" to").unwrap_or(trimmed).to_owned()
}

/// 百分之二十 is 20%.
fn percents(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("百分之") {
        out.push_str(before);
        let end = after.find(|c: char| !(c.is_ascii_digit() || c == '.' || is_numeral(c))).unwrap_or(after.len());
        out.push_str(&after[..end]);
        out.push('%');
        rest = &after[end..];
    }
    out.push_str(rest);
    out.replace("%的", "% of ").replace("%of", "% of")
}

fn is_numeral(c: char) -> bool {
    digit(c).is_some() || "十百千万亿点".contains(c)
}

fn digit(c: char) -> Option<u64> {
    "零一二三四五六七八九".chars().position(|d| d == c).map(|d| d as u64).or(match c {
        '〇' => Some(0),
        '两' => Some(2),
        _ => None,
    })
}

/// Numerals as digits: 三百二十 is 320, 3.5万 is 3.5e4.
fn numerals(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut run = String::new();
    for c in text.chars().chain([' ']) {
        if is_numeral(c) {
            run.push(c);
            continue;
        }
        if !run.is_empty() {
            let after_digit = out.ends_with(|c: char| c.is_ascii_digit());
            let value = if after_digit { exponent(&run).map(|e| format!("e{e}")) } else { numeral(&run) };
            out.push_str(value.as_deref().unwrap_or(&run));
            run.clear();
        }
        out.push(c);
    }
    out.pop();
    out
}

/// The power of ten of a run of units after digits.
fn exponent(run: &str) -> Option<u32> {
    run.chars()
        .map(|c| match c {
            '十' => Some(1),
            '百' => Some(2),
            '千' => Some(3),
            '万' => Some(4),
            '亿' => Some(8),
            _ => None,
        })
        .sum()
}

fn numeral(run: &str) -> Option<String> {
    let (whole, fraction) = match run.split_once('点') {
        Some((whole, fraction)) => {
            let digits: Option<String> = fraction.chars().map(|c| digit(c).map(|d| d.to_string())).collect();
            (whole, Some(digits.filter(|d| !d.is_empty())?))
        }
        None => (run, None),
    };
    let whole = integer(whole)?;
    Some(match fraction {
        Some(fraction) => format!("{whole}.{fraction}"),
        None => whole.to_string(),
    })
}

fn integer(text: &str) -> Option<u64> {
    if text.chars().all(|c| digit(c).is_some()) {
        return text.chars().try_fold(0_u64, |n, c| n.checked_mul(10)?.checked_add(digit(c)?));
    }
    // Units below 万 gather in `section`, sections in `total`.
    let (mut total, mut section, mut last) = (0_u64, 0_u64, None);
    for c in text.chars() {
        let unit: u64 = match c {
            '十' => 10,
            '百' => 100,
            '千' => 1000,
            '万' | '亿' => {
                let factor = if c == '万' { 10_000 } else { 100_000_000 };
                section += last.take().unwrap_or(0);
                let all = if c == '亿' { total + section } else { section };
                total = if c == '亿' { 0 } else { total };
                total = total.checked_add(all.checked_mul(factor)?)?;
                section = 0;
                continue;
            }
            c => {
                last = Some(digit(c)?);
                continue;
            }
        };
        section += last.take().unwrap_or(1).checked_mul(unit)?;
    }
    total.checked_add(section + last.unwrap_or(0))
}
