// SPDX-License-Identifier: Apache-2.0
//! Calculations with days. A text is taken for one only when it has a date or a day's name in it; all else is
//! arithmetic, so 2000/10/5 is 40.

use jiff::civil::Date;
use jiff::{Span, ToSpan, Unit};

/// The result of a calculation with dates; `None` when it is none.
pub(super) fn evaluate(normal: &str, today: impl Fn() -> Date) -> Option<Result<String, String>> {
    let text = normal.to_lowercase().replace('@', "");
    let written = iso(&text);
    if let Some(none) = written.iter().find(|day| numeric(day, true).is_none()) {
        return Some(Err(format!("{none} is not a day of the calendar. Correct the date and call again")));
    }
    let Some(items) = read(text.trim(), &today) else {
        // As arithmetic, 2026-03-01 * 2 would be 2024.
        return (!written.is_empty()).then(|| Err(usage()));
    };
    let relative = matches!(items.as_slice(), [Item::Amount(..), Item::Ago] | [Item::After, Item::Amount(..)]);
    if !relative && !items.iter().any(|i| matches!(i, Item::Date(_))) {
        return None;
    }
    Some(calculate(&items, &today))
}

#[derive(Clone, Debug, PartialEq)]
enum Item {
    Date(Date),
    Amount(i64, Unit),
    Number(i64),
    Plus,
    Minus,
    /// `days`, `weeks` … that the answer should be in.
    In(Unit),
    Until,
    Since,
    Between,
    And,
    After,
    Before,
    Ago,
    Weekday,
}

fn calculate(items: &[Item], today: &impl Fn() -> Date) -> Result<String, String> {
    use Item::{After, Ago, Amount, And, Before, Between, Date as D, In, Minus, Plus, Since, Until, Weekday};
    match items {
        [D(date)] | [Weekday, D(date)] | [D(date), Weekday] => Ok(day(*date)),
        [Amount(n, unit), Ago] => moved(today(), &[(-*n, *unit)]),
        [After, Amount(n, unit)] => moved(today(), &[(*n, *unit)]),
        [D(to), Minus, D(from)] => difference(*from, *to, Unit::Day),
        [In(unit), Until, D(to)] | [Until, D(to), In(unit)] => difference(today(), *to, *unit),
        [Until, D(to)] | [D(to), Until] => difference(today(), *to, Unit::Day),
        [In(unit), Since, D(from)] => difference(*from, today(), *unit),
        [Since, D(from)] => difference(*from, today(), Unit::Day),
        [In(unit), Between, D(from), And | Until, D(to)]
        | [In(unit), Since, D(from), Until, D(to)]
        | [D(from), Until, D(to), In(unit)] => difference(*from, *to, *unit),
        [D(from), Until, D(to)] | [Between, D(from), And | Until, D(to)] | [Since, D(from), Until, D(to)] => {
            difference(*from, *to, Unit::Day)
        }
        [Amount(n, unit), After | Since, D(date)] | [D(date), Amount(n, unit), After] => moved(*date, &[(*n, *unit)]),
        [Amount(n, unit), Before, D(date)] | [D(date), Amount(n, unit), Before | Ago] => moved(*date, &[(-*n, *unit)]),
        [D(date), rest @ ..] if !rest.is_empty() && rest.len() % 2 == 0 => {
            let mut steps = Vec::new();
            for pair in rest.chunks_exact(2) {
                match pair {
                    [Plus, Amount(n, unit)] => steps.push((*n, *unit)),
                    [Minus, Amount(n, unit)] => steps.push((-*n, *unit)),
                    _ => return Err(usage()),
                }
            }
            moved(*date, &steps)
        }
        _ => Err(usage()),
    }
}

fn usage() -> String {
    "this calculation with dates is not known. Write it like 2026-03-01 - 2025-12-24, days until 2027-01-01, weeks between 2026-01-01 and 2026-03-01, 2026-11-30 + 45 days, or weekday of 2026-03-01".into()
}

fn day(date: Date) -> String {
    date.strftime("%Y-%m-%d, %A").to_string()
}

fn moved(date: Date, steps: &[(i64, Unit)]) -> Result<String, String> {
    let mut date = date;
    for (n, unit) in steps {
        let step = match unit {
            Unit::Year => Span::new().try_years(*n),
            Unit::Month => Span::new().try_months(*n),
            Unit::Week => Span::new().try_weeks(*n),
            _ => Span::new().try_days(*n),
        };
        date = step
            .and_then(|step| date.checked_add(step))
            .map_err(|_| "that day is outside of the years 1 to 9999. Use a smaller number of days".to_owned())?;
    }
    Ok(day(date))
}

/// The time from one day to another: in days, and in larger units when they help.
fn difference(from: Date, to: Date, unit: Unit) -> Result<String, String> {
    let span =
        |from: Date, to: Date, largest: Unit| from.until((largest, to)).map_err(|e| format!("{e}. Use other dates"));
    let total = words(&span(from, to, Unit::Day)?.get_days().days());
    // Counted from the earlier day, so that both directions have the same months; the sign is on the days.
    let (early, late) = if from <= to { (from, to) } else { (to, from) };
    let larger = words(&span(early, late, if unit == Unit::Day { Unit::Year } else { unit })?);
    Ok(match unit {
        _ if larger == total.trim_start_matches('-') => total,
        Unit::Day => format!("{total} ({larger})"),
        _ => format!("{larger} ({total})"),
    })
}

fn words(span: &Span) -> String {
    let parts = [
        (i64::from(span.get_years()), "year"),
        (i64::from(span.get_months()), "month"),
        (i64::from(span.get_weeks()), "week"),
        (i64::from(span.get_days()), "day"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(n, _)| *n != 0)
        .map(|(n, name)| format!("{n} {name}{}", if n.abs() == 1 { "" } else { "s" }))
        .collect();
    if parts.is_empty() { "0 days".into() } else { parts.join(", ") }
}

/// Words that mean something here, longer ones first.
const WORDS: &[(&str, Option<Item>)] = &[
    ("what day of the week is", Some(Item::Weekday)),
    ("day of the week of", Some(Item::Weekday)),
    ("what weekday is", Some(Item::Weekday)),
    ("weekday of", Some(Item::Weekday)),
    ("what day is", Some(Item::Weekday)),
    ("是星期几", Some(Item::Weekday)),
    ("是周几", Some(Item::Weekday)),
    ("星期几", Some(Item::Weekday)),
    ("周几", Some(Item::Weekday)),
    ("how many", None),
    ("number of", None),
    ("还有多少", None),
    ("还有几", None),
    ("有多少", None),
    ("多少", None),
    ("之间", None),
    ("相差", None),
    ("are there", None),
    ("the", None),
    ("until", Some(Item::Until)),
    ("till", Some(Item::Until)),
    ("to", Some(Item::Until)),
    ("距离", Some(Item::Until)),
    ("距", Some(Item::Until)),
    ("到", Some(Item::Until)),
    ("至", Some(Item::Until)),
    ("since", Some(Item::Since)),
    ("from", Some(Item::Since)),
    ("从", Some(Item::Since)),
    ("between", Some(Item::Between)),
    ("and", Some(Item::And)),
    ("和", Some(Item::And)),
    ("after", Some(Item::After)),
    ("in", Some(Item::After)),
    ("before", Some(Item::Before)),
    ("ago", Some(Item::Ago)),
    ("之后", Some(Item::After)),
    ("以后", Some(Item::After)),
    ("之前", Some(Item::Before)),
    ("以前", Some(Item::Before)),
    ("后", Some(Item::After)),
    ("前", Some(Item::Before)),
    ("加", Some(Item::Plus)),
    ("减", Some(Item::Minus)),
    ("+", Some(Item::Plus)),
    ("-", Some(Item::Minus)),
    ("plus", Some(Item::Plus)),
    ("minus", Some(Item::Minus)),
];

const UNITS: &[(&str, Unit)] = &[
    ("days", Unit::Day),
    ("day", Unit::Day),
    ("weeks", Unit::Week),
    ("week", Unit::Week),
    ("months", Unit::Month),
    ("month", Unit::Month),
    ("years", Unit::Year),
    ("year", Unit::Year),
    ("个星期", Unit::Week),
    ("星期", Unit::Week),
    ("个月", Unit::Month),
    ("天", Unit::Day),
    ("日", Unit::Day),
    ("周", Unit::Week),
    ("年", Unit::Year),
];

const DAYS: &[(&str, i64)] = &[
    ("today", 0),
    ("now", 0),
    ("tomorrow", 1),
    ("yesterday", -1),
    ("今天", 0),
    ("现在", 0),
    ("明天", 1),
    ("后天", 2),
    ("昨天", -1),
    ("前天", -2),
];

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The text in items; `None` when something in it is not about dates.
fn read(text: &str, today: &impl Fn() -> Date) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', ',']);
        if rest.is_empty() {
            break;
        }
        if let Some((date, after)) = date(rest, items.is_empty()) {
            items.push(Item::Date(date));
            rest = after;
        } else if let Some((days, after)) = word(rest, DAYS) {
            items.push(Item::Date(today().checked_add(days.days()).ok()?));
            rest = after;
        } else if let Some((n, after)) = whole(rest) {
            items.push(Item::Number(n));
            rest = after;
        } else if let Some((unit, after)) = word(rest, UNITS) {
            match items.last() {
                Some(Item::Number(n)) => {
                    let n = *n;
                    items.pop();
                    items.push(Item::Amount(n, unit));
                }
                _ => items.push(Item::In(unit)),
            }
            rest = after;
        } else {
            let (item, after) = word(rest, WORDS)?;
            items.extend(item);
            rest = after;
        }
    }
    // 距离 and 到 say the same thing twice.
    items.dedup_by(|a, b| *a == Item::Until && *b == Item::Until);
    if let [Item::Until, Item::Date(_), .., Item::In(_)] = items.as_slice() {
        items.retain(|i| !matches!(i, Item::Number(_)));
    }
    Some(items)
}

/// A known word at the beginning, not the beginning of a longer Latin word.
fn word<'t, T: Clone>(text: &'t str, words: &[(&str, T)]) -> Option<(T, &'t str)> {
    words.iter().find_map(|(word, meaning)| {
        let after = text.strip_prefix(word)?;
        let cut =
            word.ends_with(|c: char| c.is_ascii_alphabetic()) && after.starts_with(|c: char| c.is_ascii_alphanumeric());
        (!cut).then(|| (meaning.clone(), after))
    })
}

fn whole(text: &str) -> Option<(i64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let after = &text[end..];
    // 1.5 days is not a number of days; leave it to the arithmetic.
    if after.starts_with('.') { None } else { Some((text[..end].parse().ok()?, after)) }
}

/// A date at the beginning: 2026-03-01, 2026/3/1, 2026年3月1日, 1 March 2026, March 1, 2026.
///
/// `first` says that nothing stands before it.
fn date(text: &str, first: bool) -> Option<(Date, &str)> {
    numeric(text, first).or_else(|| named(text))
}

fn make(year: i64, month: i64, day: i64) -> Option<Date> {
    Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()
}

fn numeric(text: &str, first: bool) -> Option<(Date, &str)> {
    let (year, rest) = whole(text)?;
    let separator = rest.chars().next()?;
    let (month, after_month) = whole(&rest[separator.len_utf8()..])?;
    let (second, end) = match separator {
        '-' | '/' => (separator, None),
        '年' => ('月', Some(['日', '号'])),
        _ => return None,
    };
    let (day, rest) = whole(after_month.strip_prefix(second)?)?;
    let rest = match end {
        Some(ends) => rest.strip_prefix(ends).unwrap_or(rest),
        None => rest,
    };
    let length = text.len() - rest.len();
    // 2000-1-5 is a subtraction and 12/3/4 a division; only the full form is a date.
    let full = separator != '-' || length == "2026-03-01".len();
    if year < 1000 || !full || separator == '/' && first && rest.trim().is_empty() {
        return None;
    }
    Some((make(year, month, day)?, rest))
}

/// All that is written like 2026-03-01, whether there is such a day or not.
fn iso(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let shape = |at: usize| {
        let all = bytes[at..at + 10].iter().enumerate().all(|(i, b)| match i {
            4 | 7 => *b == b'-',
            _ => b.is_ascii_digit(),
        });
        let free = |i: Option<usize>| i.and_then(|i| bytes.get(i)).is_none_or(|b| !b.is_ascii_alphanumeric());
        all && free(at.checked_sub(1)) && free(Some(at + 10))
    };
    (0..bytes.len().saturating_sub(9)).filter(|at| shape(*at)).map(|at| &text[at..at + 10]).collect()
}

fn named(text: &str) -> Option<(Date, &str)> {
    if let Some((month, rest)) = month(text) {
        let (day, rest) = ordinal(rest.trim_start())?;
        let (year, rest) = whole(rest.trim_start_matches([',', ' ']))?;
        return Some((make(year, month, day)?, rest));
    }
    let (day, rest) = ordinal(text)?;
    let (month, rest) = month(rest.trim_start())?;
    let (year, rest) = whole(rest.trim_start_matches([',', ' ']))?;
    Some((make(year, month, day)?, rest))
}

fn ordinal(text: &str) -> Option<(i64, &str)> {
    let (day, rest) = whole(text)?;
    let rest = ["st", "nd", "rd", "th"].iter().find_map(|end| rest.strip_prefix(end)).unwrap_or(rest);
    Some((day, rest))
}

fn month(text: &str) -> Option<(i64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let name = text.get(..3)?;
    let number = MONTHS.iter().position(|m| *m == name)? as i64 + 1;
    const FULL: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let known = end == 3 || text[..end] == *FULL[number as usize - 1] || &text[..end] == "sept";
    known.then(|| (number, text[end..].trim_start_matches('.')))
}
