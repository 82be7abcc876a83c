// SPDX-License-Identifier: Apache-2.0
//! Pages of a long text.

use bailey_reader::pages;
use proptest::prelude::*;

fn texts(text: &str, size: usize) -> Vec<&str> {
    pages(text, size).iter().map(|page| page.text).collect()
}

#[test]
fn pages_end_where_a_reader_would_stop() {
    assert_eq!(texts("One two.\n\nThree four.\n\nFive.", 22), ["One two.\n\n", "Three four.\n\nFive."]);
    assert_eq!(texts("one\ntwo\nthree\n", 9), ["one\ntwo\n", "three\n"]);
    assert_eq!(texts("First words. Second words.", 16), ["First words. ", "Second words."]);
    assert_eq!(texts("今天下雨。明天晴天。", 7), ["今天下雨。", "明天晴天。"]);
    assert_eq!(texts("aaaaabbbbb", 5), ["aaaaa", "bbbbb"]);
    assert_eq!(texts("", 5), [""]);
    assert_eq!(texts("äö", 0), ["ä", "ö"]);
}

#[test]
fn pages_say_their_number() {
    let cut = pages("aaaaabbbbbcc", 5);
    assert_eq!(cut.iter().map(|page| (page.number, page.of)).collect::<Vec<_>>(), [(1, 3), (2, 3), (3, 3)]);
}

proptest! {
    #[test]
    fn the_pages_in_a_row_are_the_text(text in "([a-zäß京😀.\n ]{0,12}(\n\n)?){0,40}", size in 0usize..80) {
        let cut = pages(&text, size);
        prop_assert_eq!(cut.iter().map(|page| page.text).collect::<String>(), text.clone());
        for page in &cut {
            prop_assert!(page.text.chars().count() <= size.max(1));
            prop_assert_eq!(page.of, cut.len());
            prop_assert!(!page.text.is_empty() || text.is_empty());
        }
        prop_assert_eq!(cut, pages(&text, size));
    }
}
