// SPDX-License-Identifier: Apache-2.0
//! Whose key it is, from its shape.

use super::places::{PLACES, Place};

/// The places that a key can belong to, from its shape: none for what is no key of a model, several where makers or
/// regions share a shape, in which case the first is the likeliest.
pub(super) fn of_key(key: &str) -> Vec<&'static Place> {
    let begins = |prefix: &&str| {
        key.strip_prefix(prefix).is_some_and(|rest| {
            // The shorter the beginning, the more has to follow: words begin so, too.
            let least = if prefix.len() > 3 { 8 } else { 20 };
            rest.len() >= least && (prefix.len() > 3 || rest.contains(|c: char| c.is_ascii_digit()))
        })
    };
    // Of other purpose, though they begin like a model's.
    if ["sk-admin-", "sk-ant-admin"].iter().any(|prefix| key.starts_with(prefix)) {
        return Vec::new();
    }
    let longest =
        PLACES.iter().flat_map(|place| place.keys).filter(|prefix| begins(prefix)).max_by_key(|prefix| prefix.len());
    if let Some(prefix) = longest {
        return PLACES.iter().filter(|place| place.keys.contains(prefix)).collect();
    }
    let named = |names: &[&str]| -> Vec<&'static Place> {
        names.iter().filter_map(|name| PLACES.iter().find(|place| place.preset.name == *name)).collect()
    };
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if let Some(rest) = key.strip_prefix("sk-") {
        return match rest.len() {
            // OpenAI's own mark, in each of its keys.
            _ if rest.contains("T3BlbkFJ") => named(&["OpenAI"]),
            32 if is_hex(rest) => named(&["DeepSeek", "Qwen (China)", "Qwen", "Moonshot", "Moonshot (China)"]),
            16.. => {
                named(&["OpenAI", "Moonshot", "Moonshot (China)", "SiliconFlow (China)", "SiliconFlow", "DeepSeek"])
            }
            _ => Vec::new(),
        };
    }
    match key.split_once('.') {
        Some((id, secret))
            if id.len() == 32
                && is_hex(id)
                && secret.len() == 16
                && secret.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            named(&["Zhipu", "Z.ai"])
        }
        _ => Vec::new(),
    }
}
