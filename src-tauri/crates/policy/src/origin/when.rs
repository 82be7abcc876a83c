// SPDX-License-Identifier: Apache-2.0
//! Dates and times: a person writes them in many ways, an argument in one.

use regex::Regex;
use std::sync::LazyLock;

/// A date or a moment as arguments have them: ISO 8601 without an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct When {
    date: Option<(u16, u8, u8)>,
    time: Option<(u8, u8)>,
}

/// The dates and times that a text names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// Year where it is named, month, day.
    dates: Vec<(Option<u16>, u8, u8)>,
    times: Vec<(u8, u8)>,
}

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("a constant pattern"));
    };
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH: &str = "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";

pattern!(VALUE, r"^(?:([0-9]{4})-([0-9]{2})-([0-9]{2}))?(?:(?:^|[t ])([0-9]{2}):([0-9]{2})(?::00)?)?$");
pattern!(ISO, r"\b([0-9]{4})[-/]([0-9]{1,2})[-/]([0-9]{1,2})\b");
pattern!(DOTTED, r"\b([0-9]{1,2})\.\s?([0-9]{1,2})\.\s?([0-9]{4})?(?:\b|\s|$)");
pattern!(SLASHED, r"\b([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})\b");
pattern!(CHINESE, r"(?:([0-9]{4})年)?([0-9]{1,2})月([0-9]{1,2})[日号]");
pattern!(CLOCK, r"(?:^|[^0-9:.])([0-9]{1,2})[:：]([0-9]{2})(?::00)?(?:\s?([ap])\.?m\b)?");
pattern!(HOUR, r"(?:^|[^0-9:.])([0-9]{1,2})\s?([ap])\.?m\b");
pattern!(CHINESE_HOUR, r"(上午|早上|中午|下午|晚上)?([0-9]{1,2})[点时](半|([0-9]{1,2})分?)?");
static MONTH_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b{MONTH}\.?\s+([0-9]{{1,2}})(?:st|nd|rd|th)?(?:,?\s+([0-9]{{4}}))?\b"))
        .expect("a constant pattern")
});
static DAY_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b([0-9]{{1,2}})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{MONTH}\.?(?:,?\s+([0-9]{{4}}))?\b"))
        .expect("a constant pattern")
});

impl When {
    /// Reads a normal value.
    pub(super) fn read(value: &str) -> Option<When> {
        let found = VALUE.captures(value)?;
        let number = |at: usize| found.get(at).and_then(|m| m.as_str().parse::<u16>().ok());
        let small = |at: usize| number(at).and_then(|n| u8::try_from(n).ok());
        let date = number(1).zip(small(2)).zip(small(3)).map(|((y, m), d)| (y, m, d));
        let time = small(4).zip(small(5));
        (date.is_some() || time.is_some()).then_some(When { date, time })
    }
}

impl Named {
    /// Reads a normal text.
    pub(super) fn read(text: &str) -> Named {
        let mut named = Named::default();
        let number = |m: Option<regex::Match<'_>>| m.and_then(|m| m.as_str().parse::<u16>().ok());
        let small = |m: Option<regex::Match<'_>>| number(m).and_then(|n| u8::try_from(n).ok()).unwrap_or(0);
        for c in ISO.captures_iter(text) {
            named.date(number(c.get(1)), small(c.get(2)), small(c.get(3)));
        }
        for c in DOTTED.captures_iter(text) {
            named.date(number(c.get(3)), small(c.get(2)), small(c.get(1)));
        }
        for c in SLASHED.captures_iter(text) {
            // Two customs: only what both read alike, or what one of them can't read.
            let (a, b, year) = (small(c.get(1)), small(c.get(2)), number(c.get(3)));
            if b > 12 || a == b {
                named.date(year, a, b);
            } else if a > 12 {
                named.date(year, b, a);
            }
        }
        for c in CHINESE.captures_iter(text) {
            named.date(number(c.get(1)), small(c.get(2)), small(c.get(3)));
        }
        for c in MONTH_FIRST.captures_iter(text) {
            named.date(number(c.get(3)), month(&c[1]), small(c.get(2)));
        }
        for c in DAY_FIRST.captures_iter(text) {
            named.date(number(c.get(3)), month(&c[2]), small(c.get(1)));
        }
        for c in CLOCK.captures_iter(text) {
            named.time(small(c.get(1)), small(c.get(2)), c.get(3).map(|m| m.as_str() == "p"));
        }
        for c in HOUR.captures_iter(text) {
            named.time(small(c.get(1)), 0, Some(&c[2] == "p"));
        }
        for c in CHINESE_HOUR.captures_iter(text) {
            let late = c.get(1).map(|m| matches!(m.as_str(), "下午" | "晚上" | "中午"));
            let minute = if c.get(3).is_some_and(|m| m.as_str() == "半") { 30 } else { small(c.get(4)) };
            named.time(small(c.get(2)), minute, late);
        }
        if text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "noon") {
            named.times.push((12, 0));
        }
        named
    }

    fn date(&mut self, year: Option<u16>, month: u8, day: u8) {
        if (1..=12).contains(&month) && (1..=31).contains(&day) {
            self.dates.push((year, month, day));
        }
    }

    /// `late` is true after noon, false before it, and `None` for a clock of 24 hours.
    fn time(&mut self, hour: u8, minute: u8, late: Option<bool>) {
        let hour = match late {
            Some(true) if hour < 12 => hour + 12,
            Some(false) if hour == 12 => 0,
            _ => hour,
        };
        if hour < 24 && minute < 60 {
            self.times.push((hour, minute));
        }
    }

    /// Whether this names a moment. `freely`: what the text leaves open, the year or all of the time of day, may be
    /// anything; midnight says no more than its date in any case.
    pub(super) fn names(&self, when: When, freely: bool) -> bool {
        let date = when.date.is_none_or(|(year, month, day)| {
            self.dates.iter().any(|d| (d.1, d.2) == (month, day) && d.0.map_or(freely, |y| y == year))
        });
        let time = when.time.is_none_or(|time| {
            self.times.contains(&time) || (when.date.is_some() && (time == (0, 0) || (freely && self.times.is_empty())))
        });
        date && time
    }
}

fn month(name: &str) -> u8 {
    MONTHS.iter().position(|m| name.starts_with(m)).and_then(|at| u8::try_from(at + 1).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, value: &str) -> bool {
        When::read(value).is_some_and(|when| Named::read(&super::super::normal::normal(text)).names(when, true))
    }

    #[test]
    fn dates_are_read_as_people_write_them() {
        let same = "2024-05-19 12:00";
        for text in [
            "12:00 on 2024-05-19",
            "May 19th, 2024 at noon",
            "on the 19th of May 2024, 12pm",
            "19. May at 12:00",
            "am 19.5.2024 um 12:00",
            "5/19/2024 12:00 pm",
            "2024年5月19日中午12点",
            "5月19号",
            "Sept 3 or May 19",
        ] {
            assert!(names(text, same), "{text}");
        }
        for text in [
            "",
            "12:00",
            "2024-05-18 12:00",
            "2023-05-19",
            "19.6.2024",
            "2024-05-19 at 13:00",
            "5月19日下午3点",
            "9 May",
        ] {
            assert!(!names(text, same), "{text}");
        }
    }

    #[test]
    fn what_is_ambiguous_names_nothing() {
        assert!(!names("5/6/2024", "2024-05-06"));
        assert!(!names("5/6/2024", "2024-06-05"));
        assert!(names("5/5/2024", "2024-05-05"));
    }

    #[test]
    fn midnight_says_no_more_than_its_date() {
        assert!(names("January 2nd 2025 and something at 10:00", "2025-01-02 00:00"));
        assert!(!names("January 2nd 2025 and something at 10:00", "2025-01-02 11:00"));
        assert!(names("3:30 pm", "15:30"));
        assert!(!names("3:30", "15:30"));
    }

    #[test]
    fn only_plain_moments_are_values() {
        for value in ["", "t", "2024", "2024-05", "12", "2024-05-19t12:00z", "2024-05-19 12:00:30", "x 2024-05-19"] {
            assert_eq!(When::read(value), None, "{value}");
        }
        assert!(When::read("2024-05-19").is_some() && When::read("2024-05-19t12:00:00").is_some());
    }
}
