// SPDX-License-Identifier: Apache-2.0
//! What compute makes of expressions.

mod support;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::json;
use support::say;

async fn compute(expression: &str) -> Result<String, String> {
    say("compute", json!({ "expression": expression })).await
}

#[tokio::test]
async fn arithmetic_is_exact() {
    for (expression, result) in [
        ("1+1", "2"),
        ("0.1+0.2", "0.3"),
        ("12*(3+4)", "84"),
        ("(19.99 * 3 + 4.50) * 1.08", "69.6276"),
        ("2^200", "1606938044258990275541962092341162602522202993782792835301376"),
        ("2**10", "1024"),
        ("123456789012345678901234567890 + 1", "123456789012345678901234567891"),
        ("1,234,567.5 + 1", "1234568.5"),
        ("1_000 * 3", "3000"),
        ("1/3 + 1/6", "0.5"),
        ("1/3", "approx. 0.3333333333"),
        ("1/7 to 30 dp", "approx. 0.142857142857142857142857142857"),
        ("5/3 to fraction", "5/3"),
        ("20!", "2432902008176640000"),
        ("17 mod 5", "2"),
        ("17 % 5", "2"),
        ("-2^2", "-4"),
        ("2^-1", "0.5"),
        ("2(3+4)", "14"),
        (".5 + 1e3", "1000.5"),
        ("255 to hex", "ff"),
        ("5 nCr 2", "10"),
        ("sqrt(16) + sqrt 9", "7"),
        ("(sqrt(2))^2 to 3 dp", "approx. 2"),
        ("sin 30 deg", "0.5"),
        ("sin(30°)", "0.5"),
        ("what is 3 times 4 plus 2?", "14"),
        ("3 x 4 =", "12"),
        ("10 divided by 4", "2.5"),
    ] {
        assert_eq!(compute(expression).await.as_deref(), Ok(result), "{expression}");
    }
}

#[tokio::test]
async fn percent_is_what_a_pocket_calculator_makes_of_it() {
    for (expression, result) in [
        ("20% of 50", "10"),
        ("17.5% of 240", "42"),
        ("20 percent of 50 + 1", "11"),
        ("200 + 10%", "220"),
        ("200 - 10%", "180"),
        ("100 + 10% - 5%", "104.5"),
        ("10*5 + 10%", "55"),
        ("(200 + 10%) * 2", "440"),
        ("200 * 10%", "20"),
        ("5% + 10%", "0.15"),
        ("50%", "0.5"),
        ("1/4 to %", "25%"),
        ("5 kg + 10%", "5.5 kg"),
        ("-20% * 10", "-2"),
        ("200 + (5+5)%", "220"),
        ("200 + 10% to 5 dp", "220"),
        ("100 + 10% + 10% - 1", "120"),
        ("5%%", "0.0005"),
    ] {
        assert_eq!(compute(expression).await.as_deref(), Ok(result), "{expression}");
    }
}

#[tokio::test]
async fn units_convert() {
    for (expression, result) in [
        ("5 km to miles", "approx. 3.1068559612 miles"),
        ("60 mph to km/h", "96.56064 km / h"),
        ("20 C to F", "68 °F"),
        ("37 celsius to fahrenheit", "98.6 fahrenheit"),
        ("100 degF to degC", "approx. 37.7777777778 celsius"),
        ("2 hours + 30 min to minutes", "150 minutes"),
        ("5 feet 3 inches to cm", "160.02 cm"),
        ("1 GiB to MB", "1073.741824 MB"),
        ("3 m^2 to cm^2", "30000 cm^2"),
    ] {
        assert_eq!(compute(expression).await.as_deref(), Ok(result), "{expression}");
    }
}

#[tokio::test]
async fn chinese_and_full_width_notation_is_read() {
    for (expression, result) in [
        ("３×（４＋５）÷２", "13.5"),
        ("1，234＋1", "1235"),
        ("5－3＝？", "2"),
        ("3加4乘5", "23"),
        ("十二除以四等于多少", "3"),
        ("三百二十减去二十", "300"),
        ("一万二千三百四十五加一", "12346"),
        ("两亿零三百万", "203000000"),
        ("3.5万 + 2", "35002"),
        ("1.2亿", "120000000"),
        ("三点一四乘以二", "6.28"),
        ("百分之二十的50", "10"),
        ("5公里等于多少英里", "approx. 3.1068559612 miles"),
        ("3千克 + 500克 换算成 公斤", "3.5 kg"),
        ("100华氏度是多少摄氏度", "approx. 37.7777777778 celsius"),
        ("9的平方根", "3"),
        ("√16", "4"),
        ("5²", "25"),
    ] {
        assert_eq!(compute(expression).await.as_deref(), Ok(result), "{expression}");
    }
}

#[tokio::test]
async fn days_are_calculated() {
    // Now is 2026-03-01 04:05 UTC, noon of the same day in Shanghai.
    for (expression, result) in [
        ("2026-03-01 - 2025-12-24", "67 days (2 months, 5 days)"),
        ("2025-12-24 - 2026-03-01", "-67 days (2 months, 5 days)"),
        ("days until 2027-01-01", "306 days (10 months)"),
        ("how many days until 1 January 2027?", "306 days (10 months)"),
        ("weeks until 2026-03-18", "2 weeks, 3 days (17 days)"),
        ("days since 2026-02-01", "28 days (1 month)"),
        ("days between 2026-02-01 and March 1, 2026", "28 days (1 month)"),
        ("2026-11-30 + 45 days", "2027-01-14, Thursday"),
        ("2026-01-31 + 1 month", "2026-02-28, Saturday"),
        ("@2026-11-30 + 2 weeks - 1 day", "2026-12-13, Sunday"),
        ("today + 10 days", "2026-03-11, Wednesday"),
        ("3 days after tomorrow", "2026-03-05, Thursday"),
        ("2 weeks before 2026-03-01", "2026-02-15, Sunday"),
        ("2026-03-01", "2026-03-01, Sunday"),
        ("weekday of 2024-02-29", "2024-02-29, Thursday"),
        ("今天 + 10天", "2026-03-11, Wednesday"),
        ("2026年3月1日 - 2025年12月24日", "67 days (2 months, 5 days)"),
        ("距离2027年1月1日还有多少天", "306 days (10 months)"),
        ("2026/3/1 - 2025/12/24", "67 days (2 months, 5 days)"),
        ("in 3 days", "2026-03-04, Wednesday"),
        ("2 months ago", "2026-01-01, Thursday"),
        // Not dates.
        ("2000/10/5", "40"),
        ("2000-1-5", "1994"),
        ("3 days + 4 hours to hours", "76 hours"),
    ] {
        assert_eq!(compute(expression).await.as_deref(), Ok(result), "{expression}");
    }
    for expression in ["2026-02-30", "2026-03-01 * 2", "2026-03-01 + 2026-03-02", "2026-03-01 + 99999999999 days"] {
        assert!(compute(expression).await.is_err(), "{expression}");
    }
}

#[tokio::test]
async fn what_could_be_read_in_two_ways_is_refused() {
    for (expression, hint) in [
        ("gcd(4,6)", "one argument"),
        ("max(1,200)", "one argument"),
        ("min(3)", "one argument"),
        ("sqrt(1,234)", "one argument"),
        ("1,5 + 1", "decimals"),
        ("sin 2 pi", "brackets"),
        ("sqrt 2^2", "brackets"),
        ("sqrt(2)^2", "brackets"),
        ("(1+2", "bracket"),
        ("1+2)", "bracket"),
        ("()", "bracket"),
        ("1 000 + 1", "side by side"),
        ("1.2.3", "two points"),
        ("5. + 1", "ends in a point"),
        ("1 = 1", "does not understand"),
        ("x: x", "does not understand"),
        ("(\\x. x x)(\\x. x x)", "does not understand"),
        ("1 << 100000000", "does not understand"),
        ("1; 2", "does not understand"),
        ("f = (x: f x); f 1", "does not understand"),
        ("d1000000000", "no dice"),
        ("roll d6", "no random"),
        ("7 usd to eur", "exchange rates"),
        ("abc + 1", "unknown identifier"),
        ("1/0", "division by zero"),
        ("1 kg + 1 m", "incompatible"),
        ("pi to 50 dp", "places"),
        ("sqrt(2) to 30 dp", "places"),
        ("1/7 to 100000 dp", "places"),
        ("%", "no number"),
        ("5 + %", "no number"),
        ("2 - (%)", "no number"),
        ("1 + !%", "no number"),
        ("2026-03-01 * 2", "dates"),
        ("2026-02-30 + 1 day", "not a day of the calendar"),
        ("   ", "empty"),
        ("=?", "empty"),
    ] {
        let error = compute(expression).await.expect_err(expression);
        assert!(error.contains(hint), "{expression}: {error}");
    }
}

#[tokio::test]
async fn bombs_end_and_say_so() {
    for expression in ["9^9^9^9", "10^(10^8)", "1e999999999", "10000000!", "fib 100000000", "(9^99999)^9999"] {
        let error = compute(expression).await.expect_err(expression);
        assert!(error.contains("too long") || error.contains("too large"), "{expression}: {error}");
    }
    let deep = format!("{}1{}", "(".repeat(2000), ")".repeat(2000));
    assert!(compute(&deep).await.expect_err("deep").contains("too"));
    // As deep and as long as is let through.
    let deep = format!("{}1{}", "-sqrt(".repeat(49), ")".repeat(49));
    assert!(compute(&deep).await.is_ok());
    let long = vec!["1"; 250].join("+");
    assert_eq!(compute(&long).await.as_deref(), Ok("250"));
    for begin in ["-", "2^", "1/", "1-", "2*"] {
        let text = format!("{}1", begin.repeat(498 / begin.len()));
        let result = compute(&text).await;
        assert!(result.is_ok() || result.as_ref().is_err_and(|e| e.contains("too")), "{begin}: {result:?}");
    }
    let result = compute("2^100000").await.unwrap();
    assert!(
        result.starts_with("999002093014384507944032764330") && result.ends_with("(30103 digits in all)"),
        "{result}"
    );
}

/// The same cases each time; `PROPTEST_RNG_SEED` and `PROPTEST_CASES` ask for others, and more.
fn config() -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    match config.rng_seed {
        RngSeed::Random => ProptestConfig { rng_seed: RngSeed::Fixed(1), ..config },
        RngSeed::Fixed(_) => config,
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn sums_of_integers_are_right(a in any::<i64>(), b in any::<i64>(), c in 1_i64..1_000_000) {
        let got = run(&format!("{a} + {b} - ({a}) * {c}"));
        prop_assert_eq!(got, Ok((i128::from(a) + i128::from(b) - i128::from(a) * i128::from(c)).to_string()));
    }

    #[test]
    fn any_text_comes_to_an_end(text in "[0-9a-z+*/^()!%., √年月日天万亿加减乘=：-]{0,24}") {
        let _ = run(&text);
    }

    #[test]
    fn pieces_come_to_an_end(pieces in prop::collection::vec(prop::sample::select(vec![
        "1", "2.5", "100", "%", "+", "-", "*", "/", "^", "(", ")", "!", " of ", " to ", " mod ", "sqrt", "sin ", " km", " miles",
        " deg", "2026-03-01", " days", "until ", "今天", "万", "三", " and ", ",", "pi", "e", " dp", "'", "\"", " in ",
    ]), 0..12)) {
        let _ = run(&pieces.concat());
    }
}

fn run(expression: &str) -> Result<String, String> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(compute(expression))
}
