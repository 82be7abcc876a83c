// SPDX-License-Identifier: Apache-2.0
//! The parts of a page that stand around its text: known by what they are called on any site, never by a site.

use super::blocks::plain;
use dom_query::{Document, NodeRef};
use std::collections::HashMap;

/// Class names are cut into words; a word that begins like this marks a part that is not the text.
const STEMS: &[&str] = &[
    "addthis",
    "advert",
    "authorbio",
    "breadcrumb",
    "copyright",
    "disqus",
    "newsletter",
    "outbrain",
    "pagination",
    "recirc",
    "recommend",
    "relatedcontent",
    "relatedlink",
    "relatedpost",
    "sharebar",
    "sharebutton",
    "sharedaddy",
    "sharetool",
    "sharing",
    "signup",
    "socialshare",
    "sponsor",
    "subscrib",
    "taboola",
    "taglist",
    "trending",
];

/// Words of class names that mark such a part by themselves.
const WORDS: &[&str] = &[
    "bio",
    "byline",
    "bylines",
    "credits",
    "dateline",
    "disclaimer",
    "inread",
    "mostread",
    "print",
    "promo",
    "promos",
    "pubdate",
    "related",
    "share",
    "shares",
    "social",
    "timestamp",
    "toolbar",
];

/// Words that mark a part when it is short, and not an entry of a list or a table.
const SHORT_WORDS: &[&str] =
    &["author", "authors", "categories", "comments", "date", "dates", "follow", "meta", "tags", "tools", "views"];

/// The longest text, in characters, of a part that [`SHORT_WORDS`] marks.
const SHORT: usize = 160;

/// Two words in a row that mark such a part.
const PAIRS: &[(&str, &str)] = &[
    ("about", "author"),
    ("article", "tags"),
    ("article", "tools"),
    ("author", "bio"),
    ("author", "box"),
    ("author", "card"),
    ("author", "content"),
    ("author", "description"),
    ("author", "info"),
    ("author", "profile"),
    ("entry", "author"),
    ("more", "stories"),
    ("most", "popular"),
    ("most", "read"),
    ("post", "author"),
    ("post", "labels"),
    ("post", "meta"),
    ("post", "tags"),
    ("print", "block"),
    ("publish", "date"),
    ("publish", "info"),
    ("published", "date"),
    ("read", "more"),
    ("story", "date"),
    ("tag", "cloud"),
    ("tag", "list"),
    ("tags", "links"),
];

/// Words of class names of what is written below a picture.
const CAPTIONS: &[&str] =
    &["caption", "captions", "figcaption", "imagecaption", "newscaption", "photocaption", "photocredit", "wpcaption"];

/// The longest caption in characters; what is longer is text.
const LONGEST_CAPTION: usize = 700;

/// The largest part, in percent of the page's text and of its paragraphs: what is larger is the text itself, whatever its name.
const LARGEST: (usize, usize) = (30, 15);

/// Elements that are never part of a text.
const ELEMENTS: &[&str] = &["button", "dialog", "menu", "nav", "template"];

/// Elements that are never a side part, whatever they are called.
const NEVER: &[&str] = &["article", "body", "code", "h1", "h2", "main", "pre", "table", "tbody", "td", "th", "tr"];

/// Who wrote a page and when, from where only people look: found before [`strip`] takes it away.
pub(super) fn imprint(page: &Document) -> (Option<String>, Option<String>) {
    let byline = page.select("[rel=author], [itemprop=author], [class*=byline]").nodes().iter().find_map(|node| {
        let text = plain(&node.text());
        (3..100).contains(&text.chars().count()).then_some(text)
    });
    let published = page.select("[itemprop=datePublished], time[datetime]").nodes().iter().find_map(|node| {
        let said = node.attr("content").or_else(|| node.attr("datetime"))?;
        let said = said.trim();
        (said.len() >= 8 && said.starts_with(|c: char| c.is_ascii_digit())).then(|| said.to_owned())
    });
    (byline, published)
}

/// Takes the side parts out of a page, and makes captions the texts of their pictures.
pub(super) fn strip(page: &Document) {
    let Some(body) = page.body() else { return };
    let (text, paragraphs) = (body.normalized_char_count(), paragraph_chars(&body));
    let mut parts = Vec::new();
    let mut captions = Vec::new();
    let mut names = HashMap::new();
    for node in body.descendants_it() {
        match kind(&node, &mut names) {
            Some(Kind::SidePart) => parts.push(node),
            Some(Kind::Caption) => captions.push(node),
            None => {}
        }
    }
    for part in parts {
        if part.normalized_char_count() * 100 <= text * LARGEST.0
            && paragraph_chars(&part) * 100 <= paragraphs * LARGEST.1
        {
            part.remove_from_parent();
        }
    }
    for caption in captions {
        if caption.normalized_char_count() <= LONGEST_CAPTION {
            into_picture(&caption);
        }
    }
}

/// How many characters of a part are in paragraphs that read like text.
fn paragraph_chars(part: &NodeRef<'_>) -> usize {
    let long = |node: &NodeRef<'_>| {
        let count = node.normalized_char_count();
        if count >= 60 { count } else { 0 }
    };
    if part.has_name("p") {
        return long(part);
    }
    part.descendants_it().filter(|node| node.has_name("p")).map(|node| long(&node)).sum()
}

enum Kind {
    SidePart,
    Caption,
}

fn kind(node: &NodeRef<'_>, names: &mut HashMap<String, Name>) -> Option<Kind> {
    let element = node.element_ref()?;
    let name: &str = &element.name.local;
    if ELEMENTS.contains(&name) {
        return Some(Kind::SidePart);
    }
    if name == "figcaption" {
        return Some(Kind::Caption);
    }
    if NEVER.contains(&name) {
        return None;
    }
    element.attrs.iter().find_map(|attribute| match &*attribute.name.local {
        "class" => attribute.value.split_ascii_whitespace().find_map(|class| called(class, node, names)),
        // An id of many words is a heading's text.
        "id" if attribute.value.len() < 30 && name_words(&attribute.value).len() <= 2 => {
            called(&attribute.value, node, names)
        }
        "itemprop" if matches!(&*attribute.value, "datePublished" | "dateModified" | "dateCreated") => {
            short(node).then_some(Kind::SidePart)
        }
        "role" if matches!(&*attribute.value, "navigation" | "search" | "dialog") => Some(Kind::SidePart),
        _ => None,
    })
}

/// What a class or id means.
#[derive(Clone, Copy)]
enum Name {
    SidePart,
    /// A side part where it is short.
    ShortPart,
    Caption,
    Other,
}

impl Name {
    fn of(class: &str) -> Self {
        let words = name_words(class);
        let any = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
        if any(WORDS)
            || words.iter().any(|word| STEMS.iter().any(|stem| word.starts_with(stem)))
            || words.windows(2).any(|two| PAIRS.iter().any(|(one, other)| two[0] == *one && two[1] == *other))
        {
            Self::SidePart
        } else if any(SHORT_WORDS) {
            Self::ShortPart
        } else if any(CAPTIONS) || words.iter().any(|word| word.ends_with("caption")) {
            Self::Caption
        } else {
            Self::Other
        }
    }
}

/// What a class or id says about its element. Most names come often, so that what they mean is kept in `names`.
fn called(class: &str, node: &NodeRef<'_>, names: &mut HashMap<String, Name>) -> Option<Kind> {
    let name = names.get(class).copied().unwrap_or_else(|| {
        let name = Name::of(class);
        names.insert(class.to_owned(), name);
        name
    });
    match name {
        Name::SidePart => Some(Kind::SidePart),
        Name::ShortPart => (short(node) && !is_entry(node)).then_some(Kind::SidePart),
        Name::Caption => Some(Kind::Caption),
        Name::Other => None,
    }
}

fn short(node: &NodeRef<'_>) -> bool {
    node.normalized_char_count() <= SHORT
}

/// Whether it stands in a list's or table's entry.
fn is_entry(node: &NodeRef<'_>) -> bool {
    node.has_name("li")
        || node.ancestors_it(Some(4)).any(|above| ["li", "td", "dd"].iter().any(|name| above.has_name(name)))
}

/// The words of a class name: `relatedContent__item-2` is related, content, item.
fn name_words(name: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let (mut open, mut after_small) = (false, false);
    for c in name.chars() {
        if c.is_alphabetic() {
            if !open || (c.is_uppercase() && after_small) {
                all.push(String::new());
            }
            if let Some(word) = all.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        open = c.is_alphabetic();
        after_small = c.is_lowercase();
    }
    all
}

/// Makes a caption the text of the picture it belongs to. A caption around a picture is not one.
fn into_picture(caption: &NodeRef<'_>) {
    if caption.descendants_it().any(|inner| {
        inner.has_name("img") || inner.has_name("p") && inner.normalized_char_count() > LONGEST_CAPTION / 2
    }) {
        return;
    }
    let text = plain(&caption.text());
    let picture =
        caption.ancestors_it(Some(3)).find_map(|above| above.descendants_it().find(|node| node.has_name("img")));
    if let Some(picture) = picture {
        if picture.attr("alt").is_none_or(|alt| alt.chars().count() < text.chars().count()) {
            picture.set_attr("alt", &text);
        }
    } else if !text.is_empty() {
        let picture = caption.tree.new_element("img");
        picture.set_attr("alt", &text);
        picture.set_attr("src", super::markdown::NO_PICTURE);
        caption.insert_before(&picture);
    }
    caption.remove_from_parent();
}
