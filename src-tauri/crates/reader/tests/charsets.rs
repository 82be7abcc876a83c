// SPDX-License-Identifier: Apache-2.0
//! Text in the encodings of the web, with and without a word on which it is.

use bailey_reader::{decode, read};

/// Text in Chinese, in GBK.
const GBK: &[u8] = b"\xb1\xb1\xbe\xa9\xca\xc7\xd6\xd0\xbb\xaa\xc8\xcb\xc3\xf1\xb9\xb2\xba\xcd\xb9\xfa\xb5\xc4\xca\xd7\xb6\xbc\xa3\xac\xd3\xd0\xc8\xfd\xc7\xa7\xb6\xe0\xc4\xea\xb5\xc4\xc0\xfa\xca\xb7\xa1\xa3";
const GBK_TEXT: &str = "北京是中华人民共和国的首都，有三千多年的历史。";
/// The same writing in GB18030, with a character of four bytes (U+3400).
const GB18030: &[u8] = b"\x81\x39\xee\x39\xb1\xb1\xbe\xa9\xca\xc7\xca\xd7\xb6\xbc";
const GB18030_TEXT: &str = "㐀北京是首都";
const BIG5: &[u8] = b"\xa5x\xa5_\xacO\xa5x\xc6W\xaa\xba\xad\xba\xb3\xa3\xa1A\xa6\xb3\xb3\\\xa6h\xb3\xd5\xaa\xab\xc0]\xa9M\xa9]\xa5\xab\xa1C";
const BIG5_TEXT: &str = "台北是台灣的首都，有許多博物館和夜市。"; // With a word that ends in a backslash byte.
const SHIFT_JIS: &[u8] = b"\x93\x8c\x8b\x9e\x82\xcd\x93\xfa\x96{\x82\xcc\x8e\xf1\x93s\x82\xc5\x82\xb7\x81B\x83J\x83^\x83J\x83i\x82\xe0\x82\xa0\x82\xe8\x82\xdc\x82\xb7\x81B";
const SHIFT_JIS_TEXT: &str = "東京は日本の首都です。カタカナもあります。";
const WINDOWS_1252: &[u8] = b"Caf\xe9 \x93cr\xe8me\x94 co\xfbte 5 \x80 \x96 pas cher, n\x92est-ce pas ?";
const WINDOWS_1252_TEXT: &str = "Café “crème” coûte 5 € – pas cher, n’est-ce pas ?";

const TABLE: &[(&str, &str, &[u8], &str)] = &[
    ("gbk", "GBK", GBK, GBK_TEXT),
    ("gb2312", "GBK", GBK, GBK_TEXT),
    ("gb18030", "gb18030", GB18030, GB18030_TEXT),
    ("big5", "Big5", BIG5, BIG5_TEXT),
    ("shift_jis", "Shift_JIS", SHIFT_JIS, SHIFT_JIS_TEXT),
    ("windows-1252", "windows-1252", WINDOWS_1252, WINDOWS_1252_TEXT),
    ("iso-8859-1", "windows-1252", WINDOWS_1252, WINDOWS_1252_TEXT),
];

#[test]
fn the_server_says_the_charset() {
    for (label, name, bytes, text) in TABLE {
        for said in [format!("text/html; charset={label}"), format!("text/html;charset=\"{}\"", label.to_uppercase())] {
            assert_eq!(decode(bytes, Some(&said)), ((*text).to_owned(), *name), "{said}");
        }
    }
}

#[test]
fn the_page_says_the_charset() {
    for (label, name, bytes, text) in TABLE {
        for head in [
            format!("<html><head><meta charset={label}></head><body>"),
            format!("<!doctype html><META http-equiv=Content-Type content='text/html; charset={label}'><p>"),
            format!("<?xml version=\"1.0\" encoding=\"{label}\"?><rss>"),
        ] {
            let page = [head.as_bytes(), bytes].concat();
            assert_eq!(decode(&page, Some("text/html")), (format!("{head}{text}"), *name), "{head}");
        }
    }
}

#[test]
fn nobody_says_the_charset() {
    for (label, name, bytes, text) in
        TABLE.iter().filter(|(label, ..)| !matches!(*label, "gb2312" | "iso-8859-1" | "gb18030"))
    {
        assert_eq!(decode(bytes, None), ((*text).to_owned(), *name), "{label}");
    }
    assert_eq!(decode("Ünïcödé – 北京".as_bytes(), None), ("Ünïcödé – 北京".to_owned(), "UTF-8"));
}

#[test]
fn a_byte_order_mark_is_believed_before_all() {
    assert_eq!(decode(b"\xef\xbb\xbfna\xc3\xafve", Some("text/html; charset=gbk")), ("naïve".to_owned(), "UTF-8"));
    assert_eq!(decode(b"\xff\xfe\x17S\xac\x4e", Some("text/plain; charset=utf-8")), ("北京".to_owned(), "UTF-16LE"));
    assert_eq!(decode(b"\xfe\xff\x53\x17\x4e\xac", None), ("北京".to_owned(), "UTF-16BE"));
}

#[test]
fn the_server_is_believed_before_the_page_and_a_lie_is_not() {
    let page = [b"<meta charset=shift_jis>".as_slice(), BIG5].concat();
    assert_eq!(decode(&page, Some("text/html; charset=big5")).0, format!("<meta charset=shift_jis>{BIG5_TEXT}"));
    // Said to be UTF-8, and is not.
    let long = GBK.repeat(4);
    assert_eq!(decode(&long, Some("text/html; charset=utf-8")), (GBK_TEXT.repeat(4), "GBK"));
    assert_eq!(decode(b"<meta charset=utf-16>caf\xc3\xa9", None), ("<meta charset=utf-16>café".to_owned(), "UTF-8"));
    assert_eq!(decode(b"caf\xc3\xa9", Some("text/html; charset=nonsense")), ("café".to_owned(), "UTF-8"));
    assert_eq!(decode(b"", None).0, "");
}

#[test]
fn a_page_in_an_old_encoding_is_read() {
    let body = GBK.repeat(20);
    let page = [
        b"<html><head><meta http-equiv=content-type content='text/html; charset=gb2312'><title>".as_slice(),
        GBK,
        b"</title></head><body><p>",
        &body,
        b"</p></body></html>",
    ]
    .concat();
    let document = read(&page, Some("text/html"), "https://example.cn/").unwrap();
    assert_eq!(document.title, GBK_TEXT);
    assert_eq!(document.markdown, GBK_TEXT.repeat(20));
}
