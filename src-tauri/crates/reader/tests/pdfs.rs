// SPDX-License-Identifier: Apache-2.0
//! PDF files that nobody here wrote, whole and broken.

use bailey_reader::{Document, Kind, ReadError, read};

const CRAZY_ONES: &[u8] = include_bytes!("pdfs/commented-xmp.pdf");
const LANGUAGES: &[u8] = include_bytes!("pdfs/multilang.pdf");
const TWO_PAGES: &[u8] = include_bytes!("pdfs/two-different-pages.pdf");

fn pdf(bytes: &[u8]) -> Result<Document, ReadError> {
    read(bytes, Some("application/octet-stream"), "https://example.org/a.pdf")
}

#[test]
fn the_text_is_read_whatever_the_server_calls_it() {
    for said in [None, Some("application/pdf"), Some("text/html"), Some("application/octet-stream")] {
        let document = read(CRAZY_ONES, said, "https://example.org/a.pdf").unwrap();
        assert_eq!(document.kind, Kind::Pdf);
        assert!(
            document.markdown.starts_with("[Page 1 of 1]\n\nThe Crazy Ones\nOctober 14, 1998\n"),
            "{}",
            document.markdown
        );
        assert!(document.markdown.contains("The round pegs in the square holes."));
        assert!(!document.truncated);
    }
    // Some servers send a line before it.
    assert!(pdf(&[b"\r\n\r\n".as_slice(), CRAZY_ONES].concat()).unwrap().markdown.contains("The Crazy Ones"));
}

#[test]
fn every_writing_is_read() {
    let document = pdf(LANGUAGES).unwrap();
    for text in ["Hello World", "Привет, мир", "你好世界", "こんにちは世界", "مرحبا بالعالم"]
    {
        assert!(document.markdown.contains(text), "{text} in {}", document.markdown);
    }
}

#[test]
fn pages_are_marked() {
    let document = pdf(TWO_PAGES).unwrap();
    let marks: Vec<&str> = document.markdown.lines().filter(|line| line.starts_with("[Page ")).collect();
    assert_eq!(marks, ["[Page 1 of 2]", "[Page 2 of 2]"]);
}

#[test]
fn a_file_that_is_encrypted_without_a_password_opens_and_one_with_a_password_says_so() {
    let open = pdf(include_bytes!("pdfs/empty-password.pdf")).unwrap();
    assert!(open.markdown.contains("encryption"), "{}", open.markdown);
    assert_eq!(pdf(include_bytes!("pdfs/user-password.pdf")), Err(ReadError::Encrypted));
}

#[test]
fn a_cut_off_file_gives_its_text_or_a_reason() {
    for whole in [CRAZY_ONES, LANGUAGES, TWO_PAGES] {
        for tenths in 0..10 {
            match pdf(&whole[..whole.len() * tenths / 10]) {
                Ok(document) => assert!(tenths == 0 || document.kind == Kind::Pdf, "{tenths}"),
                Err(error) => {
                    assert!(matches!(error, ReadError::Damaged | ReadError::NoText { .. }), "{tenths}: {error}")
                }
            }
        }
    }
    // Seven tenths of this one hold its text, but not the table of where things are.
    assert!(pdf(&CRAZY_ONES[..CRAZY_ONES.len() * 7 / 10]).unwrap().markdown.contains("The Crazy Ones"));
}

#[test]
fn a_file_with_bytes_turned_over_neither_panics_nor_hangs() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    for round in 0..120 {
        let mut bytes = [CRAZY_ONES, LANGUAGES, TWO_PAGES][round % 3].to_vec();
        for _ in 0..=random(20) {
            let at = random(bytes.len() - 16) + 16;
            bytes[at] = u8::try_from(random(256)).unwrap();
        }
        if let Err(error) = pdf(&bytes) {
            assert!(
                matches!(error, ReadError::Damaged | ReadError::NoText { .. } | ReadError::Encrypted),
                "round {round}: {error}"
            );
        }
    }
}

#[test]
fn what_is_called_a_pdf_and_is_none_says_so() {
    assert_eq!(pdf(b"%PDF-1.7\nnothing"), Err(ReadError::Damaged));
    assert_eq!(
        read(b"<html><body><p>Not found</p>", Some("application/pdf"), "https://example.org").unwrap().markdown,
        "Not found"
    );
}
