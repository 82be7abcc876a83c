// SPDX-License-Identifier: Apache-2.0
use super::*;
use proptest::prelude::*;

/// Keys of the right shape that nobody has.
fn made(prefix: &str, length: usize) -> String {
    let signs = b"aB3dE5gH7jK9mN2pQ4sT6vW8xY0z";
    let rest = (0..length).map(|at| char::from(signs[(at * 11 + length) % signs.len()]));
    format!("{prefix}{}", rest.collect::<String>())
}

fn hex(length: usize) -> String {
    (0..length).map(|at| char::from(b"0123456789abcdef"[(at * 7 + 3) % 16])).collect()
}

/// The text with its marks filled in: `{ant}` and so on are keys.
fn filled(text: &str) -> (String, Vec<(&'static str, String)>) {
    let keys = vec![
        ("{ant}", made("sk-ant-api03-", 95)),
        ("{proj}", made("sk-proj-", 48)),
        ("{svc}", made("sk-svcacct-", 48)),
        ("{old}", format!("{}T3BlbkFJ{}", made("sk-", 20), made("", 20))),
        ("{hex}", format!("sk-{}", hex(32))),
        ("{sk48}", made("sk-", 48)),
        ("{or}", format!("sk-or-v1-{}", hex(64))),
        ("{aiza}", made("AIzaSy", 33)),
        ("{aq}", made("AQ.Ab8", 44)),
        ("{gsk}", made("gsk_", 52)),
        ("{xai}", made("xai-", 80)),
        ("{pplx}", made("pplx-", 48)),
        ("{nv}", made("nvapi-", 64)),
        ("{hf}", made("hf_", 34)),
        ("{csk}", made("csk-", 48)),
        ("{fw}", made("fw_", 24)),
        ("{tgp}", made("tgp_v1_", 43)),
        ("{kimi}", made("sk-kimi-", 64)),
        ("{mm}", made("sk-cp-", 120)),
        ("{plan}", format!("sk-sp-{}", hex(32))),
        ("{glm}", format!("{}.{}", hex(32), made("", 16))),
        ("{bare}", made("", 32)),
        ("{uuid}", format!("{}-{}-{}-{}-{}", hex(8), &hex(4), &hex(4), &hex(4), &hex(12))),
        ("{jwt}", format!("{}.{}.{}", made("eyJ", 30), made("", 60), made("", 40))),
        ("{short}", "gateway-key-1".to_owned()),
    ];
    let text = keys.iter().fold(text.to_owned(), |text, (mark, key)| text.replace(mark, key));
    (text, keys)
}

#[test]
fn pastes_are_recognised() {
    use ProviderKind::{Anthropic as A, Gemini as G, OpenaiChat as C, OpenaiResponses as R};
    let ds = "https://api.deepseek.com/v1";
    let oa = "https://api.openai.com/v1";
    let an = "https://api.anthropic.com/v1";
    let gm = "https://generativelanguage.googleapis.com/v1beta";
    let or = "https://openrouter.ai/api/v1";
    // text, protocol, name, base URL, the key's mark, sure
    #[rustfmt::skip]
    let table: &[(&str, ProviderKind, &str, &str, &str, bool)] = &[
        // A key alone.
        ("{ant}", A, "Anthropic", an, "{ant}", true),
        ("  {ant}\n", A, "Anthropic", an, "{ant}", true),
        ("“{ant}”", A, "Anthropic", an, "{ant}", true),
        ("`{proj}`", R, "OpenAI", oa, "{proj}", true),
        ("'{svc}'", R, "OpenAI", oa, "{svc}", true),
        ("{old}", R, "OpenAI", oa, "{old}", true),
        ("{aiza}", G, "Google Gemini", gm, "{aiza}", true),
        ("{aq}", G, "Google Gemini", gm, "{aq}", true),
        ("{or}", C, "OpenRouter", or, "{or}", true),
        ("{gsk}", C, "Groq", "https://api.groq.com/openai/v1", "{gsk}", true),
        ("{xai}", C, "xAI", "https://api.x.ai/v1", "{xai}", true),
        ("{pplx}", R, "Perplexity", "https://api.perplexity.ai/v1", "{pplx}", true),
        ("{nv}", C, "NVIDIA", "https://integrate.api.nvidia.com/v1", "{nv}", true),
        ("{hf}", C, "Hugging Face", "https://router.huggingface.co/v1", "{hf}", true),
        ("{csk}", C, "Cerebras", "https://api.cerebras.ai/v1", "{csk}", true),
        ("{fw}", C, "Fireworks", "https://api.fireworks.ai/inference/v1", "{fw}", true),
        ("{tgp}", C, "Together", "https://api.together.xyz/v1", "{tgp}", true),
        ("{kimi}", C, "Kimi Code", "https://api.kimi.com/coding/v1", "{kimi}", true),
        // A key that several could have made: sent nowhere on a guess.
        ("{hex}", C, "", "", "{hex}", false),
        ("{sk48}", C, "", "", "{sk48}", false),
        ("{glm}", C, "", "", "{glm}", false),
        ("{mm}", C, "MiniMax", "", "{mm}", false),
        ("{plan}", C, "Qwen Coding Plan", "", "{plan}", false),
        // With a name beside it.
        ("DeepSeek {hex}", C, "DeepSeek", ds, "{hex}", true),
        ("我的 DeepSeek 密钥：{hex}。", C, "DeepSeek", ds, "{hex}", true),
        ("智谱的密钥是{glm}", C, "Zhipu", "https://open.bigmodel.cn/api/paas/v4", "{glm}", true),
        ("月之暗面 {sk48}", C, "Moonshot (China)", "https://api.moonshot.cn/v1", "{sk48}", true),
        ("Mistral key: {bare}", C, "Mistral", "https://api.mistral.ai/v1", "{bare}", true),
        ("ＯｐｅｎＡＩ ｋｅｙ：{sk48}", R, "OpenAI", oa, "{sk48}", true),
        // Variables.
        ("OPENAI_API_KEY={proj}", R, "OpenAI", oa, "{proj}", true),
        ("export DEEPSEEK_API_KEY=\"{hex}\"", C, "DeepSeek", ds, "{hex}", true),
        ("export MISTRAL_API_KEY={bare}\n", C, "Mistral", "https://api.mistral.ai/v1", "{bare}", true),
        ("setx GEMINI_API_KEY {aq}", G, "Google Gemini", gm, "{aq}", true),
        ("$env:ANTHROPIC_API_KEY = '{ant}'", A, "Anthropic", an, "{ant}", true),
        ("ANTHROPIC_BASE_URL=https://api.deepseek.com/anthropic ANTHROPIC_AUTH_TOKEN={hex}", A, "DeepSeek", "https://api.deepseek.com/anthropic/v1", "{hex}", true),
        ("export ANTHROPIC_AUTH_TOKEN={sk48}\nexport ANTHROPIC_BASE_URL=https://api.moonshot.cn/anthropic/", A, "Moonshot (China)", "https://api.moonshot.cn/anthropic/v1", "{sk48}", true),
        ("ANTHROPIC_BASE_URL=https://gateway.example\nANTHROPIC_API_KEY={short}", A, "gateway.example", "https://gateway.example/v1", "{short}", true),
        ("ANTHROPIC_BASE_URL=https://openrouter.ai/api ANTHROPIC_AUTH_TOKEN={or}", A, "OpenRouter", or, "{or}", true),
        ("ANTHROPIC_BASE_URL=https://api.deepseek.com ANTHROPIC_AUTH_TOKEN={hex}", A, "DeepSeek", "https://api.deepseek.com/anthropic/v1", "{hex}", true),
        ("OPENAI_BASE_URL=https://gateway.example/v1 OPENAI_API_KEY={short}", C, "gateway.example", "https://gateway.example/v1", "{short}", true),
        ("OPENAI_API_KEY={hex} OPENAI_BASE_URL=https://api.deepseek.com", C, "DeepSeek", ds, "{hex}", true),
        ("GOOGLE_GEMINI_BASE_URL=https://gateway.example GEMINI_API_KEY={short}", G, "gateway.example", "https://gateway.example/v1beta", "{short}", true),
        ("OPENAI_BASE_URL=http://127.0.0.1:11434/v1\nOPENAI_API_KEY=ollama", C, "Ollama", "http://127.0.0.1:11434/v1", "", true),
        // A URL alone.
        ("https://api.openai.com/v1", R, "OpenAI", oa, "", true),
        ("https://api.openai.com/v1/chat/completions", R, "OpenAI", oa, "", true),
        ("api.openai.com", R, "OpenAI", oa, "", true),
        ("https://api.openai.com/v1/realtime?model=gpt-realtime", R, "OpenAI", oa, "", true),
        ("https://api.openai.com/v1/embeddings", R, "OpenAI", oa, "", true),
        ("http://api.openai.com/v1/", R, "OpenAI", oa, "", true),
        ("https://eu.api.openai.com/v1", R, "OpenAI", "https://eu.api.openai.com/v1", "", true),
        ("https://platform.openai.com/api-keys", R, "OpenAI", oa, "", true),
        ("https://api.anthropic.com", A, "Anthropic", an, "", true),
        ("https://api.anthropic.com/v1/messages", A, "Anthropic", an, "", true),
        ("https://api.anthropic.com/v1/chat/completions", C, "Anthropic", an, "", true),
        ("https://console.anthropic.com/settings/keys", A, "Anthropic", an, "", true),
        ("https://generativelanguage.googleapis.com", G, "Google Gemini", gm, "", true),
        ("https://generativelanguage.googleapis.com/v1/models", G, "Google Gemini", "https://generativelanguage.googleapis.com/v1", "", true),
        ("https://generativelanguage.googleapis.com/v1beta/openai/", C, "Google Gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "", true),
        ("https://generativelanguage.googleapis.com/v1beta/models/gemini-3.5-flash:streamGenerateContent?alt=sse&key={aiza}", G, "Google Gemini", gm, "{aiza}", true),
        ("https://openrouter.ai", C, "OpenRouter", or, "", true),
        ("https://openrouter.ai/settings/keys", C, "OpenRouter", or, "", true),
        ("https://openrouter.ai/api/v1/responses", R, "OpenRouter", or, "", true),
        ("https://api.groq.com/v1", C, "Groq", "https://api.groq.com/openai/v1", "", true),
        ("https://open.bigmodel.cn", C, "Zhipu", "https://open.bigmodel.cn/api/paas/v4", "", true),
        ("https://open.bigmodel.cn/api/anthropic", A, "Zhipu", "https://open.bigmodel.cn/api/anthropic/v1", "", true),
        ("https://api.z.ai/api/coding/paas/v4/chat/completions", C, "Z.ai", "https://api.z.ai/api/coding/paas/v4", "", true),
        ("https://api.minimax.io/anthropic", A, "MiniMax", "https://api.minimax.io/anthropic/v1", "", true),
        ("https://dashscope.aliyuncs.com/compatible-mode/v1", C, "Qwen (China)", "https://dashscope.aliyuncs.com/compatible-mode/v1", "", true),
        ("https://dashscope.aliyuncs.com/apps/anthropic", A, "Qwen (China)", "https://dashscope.aliyuncs.com/apps/anthropic/v1", "", true),
        ("https://ark.cn-beijing.volces.com/api/coding", A, "Volcano Ark", "https://ark.cn-beijing.volces.com/api/coding/v1", "", true),
        ("https://ark.cn-beijing.volces.com/api/coding/v3", C, "Volcano Ark", "https://ark.cn-beijing.volces.com/api/coding/v3", "", true),
        ("https://api.kimi.com/coding/", A, "Kimi Code", "https://api.kimi.com/coding/v1", "", true),
        ("https://api.kimi.com/coding/v1/messages", A, "Kimi Code", "https://api.kimi.com/coding/v1", "", true),
        ("https://gateway.example/v1", C, "gateway.example", "https://gateway.example/v1", "", false),
        ("gateway.example/v1", C, "gateway.example", "https://gateway.example/v1", "", false),
        ("https://gateway.example:8443", C, "gateway.example:8443", "https://gateway.example:8443/v1", "", false),
        ("https://gateway.example/模型/v1", C, "gateway.example", "https://gateway.example/%E6%A8%A1%E5%9E%8B/v1", "", false),
        ("https://gateway.example/v1/messages?beta=true", A, "gateway.example", "https://gateway.example/v1", "", true),
        ("https://gateway.example/claude/v1/responses", R, "gateway.example", "https://gateway.example/claude/v1", "", true),
        ("https://gateway.example/v1beta/models/g:generateContent", G, "gateway.example", "https://gateway.example/v1beta", "", true),
        ("https://me.openai.azure.com/openai/deployments/gpt-5/chat/completions?api-version=2025-04-01", C, "me.openai.azure.com", "https://me.openai.azure.com/openai/v1", "", true),
        ("localhost:11434", C, "Ollama", "http://localhost:11434/v1", "", true),
        ("http://localhost:11434/api/chat", C, "Ollama", "http://localhost:11434/v1", "", true),
        ("127.0.0.1:1234", C, "LM Studio", "http://127.0.0.1:1234/v1", "", true),
        ("http://[::1]:8080", C, "llama.cpp", "http://[::1]:8080/v1", "", true),
        ("192.168.1.5:11434", C, "Ollama", "http://192.168.1.5:11434/v1", "", true),
        ("http://127.0.0.1:4000", C, "127.0.0.1:4000", "http://127.0.0.1:4000/v1", "", false),
        // Both, in any order and company.
        ("https://api.deepseek.com {hex}", C, "DeepSeek", ds, "{hex}", true),
        ("{hex}\nhttps://api.deepseek.com/v1\n", C, "DeepSeek", ds, "{hex}", true),
        ("地址：https://api.siliconflow.cn/v1，密钥：{sk48}。", C, "SiliconFlow (China)", "https://api.siliconflow.cn/v1", "{sk48}", true),
        ("接口“https://gateway.example/v1”密钥「{short}」 key：{short}", C, "gateway.example", "https://gateway.example/v1", "{short}", false),
        ("https：//api.mistral.ai/v1 {bare}", C, "Mistral", "https://api.mistral.ai/v1", "{bare}", true),
        ("https://gateway.example/v1?api_key={short}", C, "gateway.example", "https://gateway.example/v1", "{short}", false),
        ("https://ark.cn-beijing.volces.com/api/v3 {uuid}", C, "Volcano Ark", "https://ark.cn-beijing.volces.com/api/v3", "{uuid}", true),
        ("https://api.minimaxi.com/v1 {jwt}", C, "MiniMax (China)", "https://api.minimaxi.com/v1", "{jwt}", true),
        ("https://api.deepseek.com {ant}", C, "DeepSeek", ds, "{ant}", false),
        ("https://gateway.example {ant}", A, "gateway.example", "https://gateway.example/v1", "{ant}", false),
        ("See https://platform.deepseek.com/api_keys. Key: {hex}.", C, "DeepSeek", ds, "{hex}", true),
        // Commands.
        ("curl https://api.anthropic.com/v1/messages \\\n  -H \"x-api-key: {ant}\" \\\n  -H 'anthropic-version: 2023-06-01' -d '{\"model\":\"claude-sonnet-4-5-20250929\"}'", A, "Anthropic", an, "{ant}", true),
        ("curl https://api.anthropic.com/v1/messages -H \"x-api-key: $ANTHROPIC_API_KEY\" -d '{\"model\": \"claude-sonnet-4-5-20250929\"}'", A, "Anthropic", an, "", true),
        ("curl -X POST 'https://gateway.example/v1/chat/completions' -H 'Authorization: Bearer {short}' -d '{\"image\":{\"url\":\"https://pictures.example/v1/cat.jpg\"}}'", C, "gateway.example", "https://gateway.example/v1", "{short}", true),
        ("curl \"https://generativelanguage.googleapis.com/v1beta/models/gemini-3.5-flash:generateContent\" -H \"x-goog-api-key: {aq}\"", G, "Google Gemini", gm, "{aq}", true),
        ("curl --url https://openrouter.ai/api/v1/chat/completions --header \"Authorization: Bearer <token>\"", C, "OpenRouter", or, "", true),
        ("curl ^\r\n https://api.x.ai/v1/responses ^\r\n -H \"Authorization: Bearer {xai}\"\r\n", R, "xAI", "https://api.x.ai/v1", "{xai}", true),
        ("curl https://api.openai.com/v1/responses -H \"Authorization: Bearer ${OPENAI_API_KEY}\" -H \"Content-Type: application/json\"", R, "OpenAI", oa, "", true),
        // Code and files.
        ("{\"base_url\": \"https://gateway.example/v1\", \"api_key\": \"{short}\"}", C, "gateway.example", "https://gateway.example/v1", "{short}", false),
        ("{\"env\":{\"ANTHROPIC_AUTH_TOKEN\":\"{short}\",\"ANTHROPIC_BASE_URL\":\"https://gateway.example/api\"}}", A, "gateway.example", "https://gateway.example/api/v1", "{short}", true),
        ("client = OpenAI(api_key=\"{hex}\", base_url=\"https://dashscope-intl.aliyuncs.com/compatible-mode/v1\")", C, "Qwen", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "{hex}", true),
        ("client = OpenAI(api_key=os.environ[\"DEEPSEEK_API_KEY\"], base_url='https://api.deepseek.com')", C, "DeepSeek", ds, "", true),
        ("base_url: https://gateway.example/v1\nmodel: claude-sonnet-4-5-20250929\napi_key: YOUR_API_KEY", C, "gateway.example", "https://gateway.example/v1", "", false),
        ("baseURL: api.siliconflow.com, apiKey: sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", C, "SiliconFlow", "https://api.siliconflow.com/v1", "", true),
    ];
    assert!(table.len() >= 60);
    for (text, kind, name, base_url, mark, sure) in table {
        let (text, keys) = filled(text);
        let found = recognise(&text).unwrap_or_else(|| panic!("nothing in {text}"));
        let key = keys.iter().find(|(other, _)| other == mark).map_or("", |(_, key)| key);
        assert_eq!(
            (
                found.kind,
                found.name.as_str(),
                found.base_url.as_str(),
                found.key.as_ref().map_or("", Secret::expose),
                found.sure
            ),
            (*kind, *name, *base_url, key, *sure),
            "{text}"
        );
        let shown = format!("{found:?}");
        assert!(key.is_empty() || !shown.contains(key), "{shown}");
        if !found.base_url.is_empty() {
            assert_eq!(
                normalize_base_url(&found.base_url).unwrap().as_str(),
                found.base_url,
                "it is one as it is used"
            );
        }
    }
}

#[test]
fn what_is_nothing_is_not_guessed() {
    for text in [
        "",
        " \n\t",
        "hello",
        "What is the weather in Berlin?",
        "今天天气怎么样？",
        "sk-",
        "sk-...",
        "sk-your-key-here",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-proj-xxxxxxxxxxxxxxxxxxxxxxxx",
        "YOUR_API_KEY",
        "OPENAI_API_KEY=$KEY",
        "key: 1",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_aB3dE5gH7jK9mN2pQ4sT6vW8xY0zaB3dE5gH",
        "sk-admin-aB3dE5gH7jK9mN2pQ4sT6vW8xY0z",
        "fw_ and hf_token",
        "gpt-4.1 and claude-sonnet-4-5-20250929",
        "src/main.rs and README.md",
        "1.5/2.0",
        "support@openai.com",
        "Together we have the key: abc123def",
        "ftp://gateway.example/v1",
        "http://gateway.example/v1",
        "https://user:password@gateway.example/v1",
        "http://0.0.0.0:11434",
        "https://",
    ] {
        let found = recognise(text);
        assert!(found.is_none(), "{text}: {found:?}");
    }
    // A key that is part of the address itself can't be taken out of it.
    let (text, _) = filled("https://gateway.example/{or}/v1");
    assert!(recognise(&text).is_none());
    assert!(recognise("https://gateway.example/abc123def/v1 key: abc123def").is_none());
}

#[test]
fn presets_are_what_is_recognised_of_them() {
    for preset in presets() {
        let found = recognise(preset.base_url).unwrap();
        assert_eq!(
            (found.kind, found.name.as_str(), found.base_url.as_str(), found.sure),
            (preset.kind, preset.name, preset.base_url, true)
        );
        assert_eq!(normalize_base_url(preset.base_url).unwrap().as_str(), preset.base_url);
        assert_eq!(preset.key_url.is_empty(), preset.base_url.starts_with("http://127.0.0.1:"), "{}", preset.name);
        if !preset.key_url.is_empty() {
            // Its page for keys leads back to it, too.
            let found = recognise(preset.key_url).unwrap();
            assert_eq!(found.base_url, preset.base_url, "{}", preset.key_url);
        }
    }
    let names: Vec<&str> = presets().iter().map(|preset| preset.name).collect();
    let mut once = names.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), names.len());
    assert_eq!((names[0], names[1], names[2]), ("OpenAI", "Anthropic", "Google Gemini"));
    assert_eq!(names.last(), Some(&"llama.cpp"));
}

#[test]
fn every_place_has_an_anthropic_base_where_it_says_so() {
    for place in PLACES.iter().filter(|place| !place.anthropic.is_empty()) {
        let found = recognise(&format!("https://{}{}", place.host, place.anthropic)).unwrap();
        assert_eq!((found.kind, found.name.as_str()), (Anthropic, place.preset.name));
        assert_eq!(found.base_url, format!("https://{}{}/v1", place.host, place.anthropic));
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("https://api.openai.com/v1/chat/completions".to_owned()),
        Just("https://gateway.example".to_owned()),
        Just("gateway.example/v1/".to_owned()),
        Just("http://[::1]:8080/".to_owned()),
        Just("Authorization: Bearer ".to_owned()),
        Just("ANTHROPIC_BASE_URL=".to_owned()),
        Just("api_key".to_owned()),
        Just("?key=".to_owned()),
        Just(made("sk-ant-api03-", 40)),
        Just(format!("sk-{}", hex(32))),
        Just("abc123def".to_owned()),
        Just(r#"{"a":"#.to_owned()),
        Just("：“密钥”。".to_owned()),
        Just("\\\n".to_owned()),
        Just(" ".to_owned()),
        Just("/".to_owned()),
        Just("=".to_owned()),
        ".{0,6}",
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn whatever_is_pasted_the_base_is_one_and_holds_no_key(text in pieces()) {
        if let Some(found) = recognise(&text) {
            let key = found.key.as_ref().map_or("", Secret::expose);
            prop_assert!(key.is_empty() || !found.base_url.contains(key), "{found:?}");
            let shown = format!("{found:?}");
            prop_assert!(key.len() < 12 || !shown.contains(key));
            prop_assert!(!found.base_url.contains(['?', '#']), "{}", found.base_url);
            prop_assert!(found.base_url.is_empty() || normalize_base_url(&found.base_url).is_ok_and(|url| url.as_str() == found.base_url), "{}", found.base_url);
        }
    }
}
