// SPDX-License-Identifier: Apache-2.0
use super::arithmetic;

/// What the person seems to want.
#[derive(Debug, PartialEq)]
pub(super) enum Intent {
    Time { zone: Option<String> },
    Compute { expression: String },
    Plan { topic: String },
    Ask,
    Remember { text: String },
    Recall { query: String },
    Write { path: String, content: Option<String> },
    Shell { command: String },
    Help,
    Other,
}

/// What is run when no command is named.
const SAMPLE_COMMAND: &str = "uname -a";
/// Where a file goes that has no name.
const SAMPLE_PATH: &str = "demo.md";

impl Intent {
    /// The first rule that fits. Rules with an unmistakable beginning come first.
    pub(super) fn of(said: &str) -> Self {
        let said = said.trim();
        let lower = said.to_lowercase();
        let bare = lower.trim_end_matches(['?', '!', '.', '？', '！', '。', '…', ' ']);

        if let Some(text) = after_any(
            said,
            &lower,
            &["please remember that ", "please remember ", "remember that ", "remember: ", "remember "],
        )
        .or_else(|| after_any(said, &lower, &["请帮我记住", "请记住", "帮我记住", "记住", "请记一下", "记一下"]))
        {
            return match trimmed(text) {
                "" => Intent::Help,
                text => Intent::Remember { text: text.to_owned() },
            };
        }
        if let Some(query) = recall(said, &lower) {
            return Intent::Recall { query };
        }
        if let Some(command) = shell(said, &lower) {
            return Intent::Shell { command };
        }
        if let Some((path, content)) = write(said, &lower) {
            return Intent::Write { path, content };
        }
        if let Some(topic) = plan(said, &lower) {
            return Intent::Plan { topic };
        }
        if contains_any(bare, &["ask me", "问我", "向我提问", "提个问题", "提问"]) {
            return Intent::Ask;
        }
        if let Some(zone) = time(bare) {
            return Intent::Time { zone };
        }
        if let Some(expression) = arithmetic::expression(said) {
            return Intent::Compute { expression };
        }
        if contains_any(
            bare,
            &[
                "help",
                "what can you",
                "show me what",
                "who are you",
                "帮助",
                "能做什么",
                "会做什么",
                "会什么",
                "你是谁",
                "能干什么",
                "怎么用",
            ],
        ) {
            return Intent::Help;
        }
        Intent::Other
    }
}

fn contains_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// What follows the first of these beginnings, in the original spelling. Lower-casing may move bytes; then the lower
/// case is as good.
fn after_any<'a>(said: &'a str, lower: &'a str, beginnings: &[&str]) -> Option<&'a str> {
    let from = if said.len() == lower.len() { said } else { lower };
    beginnings.iter().find(|b| lower.starts_with(**b)).and_then(|b| from.get(b.len()..))
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || "，,。.！!？?：:；;".contains(c))
}

fn recall(said: &str, lower: &str) -> Option<String> {
    let query = if let Some(rest) =
        after_any(said, lower, &["what do you remember", "what did i tell you", "do you remember"])
    {
        let rest = trimmed(rest);
        ["about ", "of "].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest)
    } else if contains_any(lower, &["你记得", "你还记得", "你记住了"]) {
        let at = lower.find("记得").or_else(|| lower.find("记住了"))?;
        let rest = lower[at..].trim_start_matches("记得").trim_start_matches("记住了");
        let rest = trimmed(rest).trim_start_matches("关于");
        let open = ["的什么", "什么", "的哪些", "哪些", "啥"].iter().find_map(|word| rest.strip_suffix(word));
        open.unwrap_or_else(|| rest.trim_end_matches(['吗', '么', '呢']))
    } else {
        return None;
    };
    Some(trimmed(query).to_owned())
}

fn shell(said: &str, lower: &str) -> Option<String> {
    let quoted = quoted(said, &[('`', '`'), ('“', '”'), ('"', '"')]);
    let generic = [
        "run a command",
        "run a shell command",
        "use the shell",
        "run_shell",
        "运行命令",
        "执行命令",
        "运行一个命令",
        "执行一个命令",
        "运行一条命令",
        "跑个命令",
        "跑一个命令",
    ];
    if contains_any(lower, &generic) {
        let rest = generic.iter().find_map(|words| lower.find(words).map(|at| at + words.len()));
        let rest = rest.and_then(|at| if said.len() == lower.len() { said.get(at..) } else { lower.get(at..) });
        let plain = rest
            .map(trimmed)
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') && lower.contains("命令"));
        return Some(quoted.or(plain).unwrap_or(SAMPLE_COMMAND).to_owned());
    }
    let rest = after_any(said, lower, &["please run ", "run ", "execute ", "请运行", "运行", "请执行", "执行"])?;
    // Only a quoted command: "run a marathon" is not one.
    rest.trim_start().starts_with(['`', '“', '"']).then(|| quoted.unwrap_or(SAMPLE_COMMAND).to_owned())
}

fn write(said: &str, lower: &str) -> Option<(String, Option<String>)> {
    let english = contains_any(
        lower,
        &["write a file", "write file", "save a file", "save a note", "create a file", "make a file"],
    ) || lower.starts_with("save ")
        || (lower.starts_with("write ") && file_name(said).is_some());
    let chinese = contains_any(
        lower,
        &["写文件", "写一个文件", "写个文件", "新建文件", "保存文件", "保存到", "存到", "存成", "写到", "写入"],
    ) || lower.starts_with("保存");
    if !english && !chinese {
        return None;
    }
    let path = file_name(said).unwrap_or(SAMPLE_PATH).to_owned();
    let after =
        ["with the text ", "with text ", "containing ", "that says ", "saying ", "内容是", "内容为", "内容：", "写上"];
    let content =
        quoted(said, &[('“', '”'), ('"', '"'), ('「', '」'), ('`', '`')]).filter(|text| *text != path).or_else(|| {
            let at = after.iter().find_map(|words| lower.find(words).map(|at| at + words.len()))?;
            let text = if said.len() == lower.len() { said.get(at..) } else { lower.get(at..) };
            text.map(str::trim).filter(|text| !text.is_empty())
        });
    let content = content.or_else(|| {
        // "save milk and bread to list.txt"
        let rest = after_any(said, lower, &["save ", "write "])?;
        let (text, _) = rest.rsplit_once(" to ").or_else(|| rest.rsplit_once(" as "))?;
        Some(text.trim()).filter(|text| !text.is_empty() && !text.contains("file"))
    });
    Some((path, content.map(|text| format!("{text}\n"))))
}

/// The first word that looks like a file's name: `list.txt`, `notes/a.md`.
fn file_name(said: &str) -> Option<&str> {
    said.split(|c: char| c.is_whitespace() || "，,。：:；;“”\"「」`（）()!?！？".contains(c))
        .map(|word| word.trim_matches('.'))
        .find_map(|word| {
            // Chinese is written without spaces: what stands before the name goes.
            let word = ["写一个文件", "写个文件", "写文件", "保存到", "保存为", "存到", "存成", "写到", "写入"]
                .iter()
                .find_map(|verb| word.rfind(verb).map(|at| &word[at + verb.len()..]))
                .unwrap_or(word);
            let (stem, ending) = word.rsplit_once('.')?;
            let known = ["txt", "md", "csv", "json", "html", "log", "yaml", "toml", "py", "sh"];
            (!stem.is_empty() && known.contains(&ending.to_ascii_lowercase().as_str())).then_some(word)
        })
}

fn plan(said: &str, lower: &str) -> Option<String> {
    let rest = after_any(
        said,
        lower,
        &[
            "please plan ",
            "help me plan ",
            "make a plan for ",
            "make a plan to ",
            "make a plan",
            "plan ",
            "请计划",
            "请规划",
            "帮我计划",
            "帮我规划",
            "计划一下",
            "规划一下",
            "计划",
            "规划",
            "制定",
            "安排一下",
            "帮我安排",
        ],
    )?;
    let topic = trimmed(rest);
    Some(topic.strip_prefix("my ").unwrap_or(topic).trim_start_matches("我的").to_owned())
}

fn time(bare: &str) -> Option<Option<String>> {
    let asks = contains_any(
        bare,
        &[
            "what time",
            "time is it",
            "time in ",
            "current time",
            "the time",
            "what day",
            "what date",
            "what's the date",
            "today's date",
            "what is the date",
            "几点",
            "什么时间",
            "现在时间",
            "当前时间",
            "几号",
            "星期几",
            "周几",
            "今天日期",
            "什么日期",
            "礼拜几",
        ],
    );
    if !asks {
        return None;
    }
    if let Some((_, zone)) = ZONES.iter().find(|(city, _)| bare.contains(city)) {
        return Some(Some((*zone).to_owned()));
    }
    // A place nobody wrote down here goes to the tool as it is: it knows more, or says what is near.
    let place = bare
        .rsplit_once(" in ")
        .map(|(_, place)| trimmed(place).trim_end_matches(" now").trim_end_matches(" right now"));
    let place = place.filter(|place| !place.is_empty() && !["my city", "the morning"].contains(place));
    Some(place.map(|place| {
        let mut words = place.split(' ').map(|word| {
            let mut chars = word.chars();
            chars.next().map(|c| c.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
        });
        let first = words.next().unwrap_or_default();
        words.fold(first, |all, word| all + " " + &word)
    }))
}

const ZONES: &[(&str, &str)] = &[
    ("tokyo", "Asia/Tokyo"),
    ("东京", "Asia/Tokyo"),
    ("beijing", "Asia/Shanghai"),
    ("北京", "Asia/Shanghai"),
    ("shanghai", "Asia/Shanghai"),
    ("上海", "Asia/Shanghai"),
    ("hong kong", "Asia/Hong_Kong"),
    ("香港", "Asia/Hong_Kong"),
    ("taipei", "Asia/Taipei"),
    ("台北", "Asia/Taipei"),
    ("singapore", "Asia/Singapore"),
    ("新加坡", "Asia/Singapore"),
    ("seoul", "Asia/Seoul"),
    ("首尔", "Asia/Seoul"),
    ("delhi", "Asia/Kolkata"),
    ("mumbai", "Asia/Kolkata"),
    ("德里", "Asia/Kolkata"),
    ("dubai", "Asia/Dubai"),
    ("迪拜", "Asia/Dubai"),
    ("moscow", "Europe/Moscow"),
    ("莫斯科", "Europe/Moscow"),
    ("berlin", "Europe/Berlin"),
    ("柏林", "Europe/Berlin"),
    ("paris", "Europe/Paris"),
    ("巴黎", "Europe/Paris"),
    ("london", "Europe/London"),
    ("伦敦", "Europe/London"),
    ("new york", "America/New_York"),
    ("纽约", "America/New_York"),
    ("los angeles", "America/Los_Angeles"),
    ("san francisco", "America/Los_Angeles"),
    ("洛杉矶", "America/Los_Angeles"),
    ("旧金山", "America/Los_Angeles"),
    ("sydney", "Australia/Sydney"),
    ("悉尼", "Australia/Sydney"),
    ("utc", "Etc/UTC"),
];

/// The first text between one of these pairs.
fn quoted<'a>(said: &'a str, pairs: &[(char, char)]) -> Option<&'a str> {
    pairs.iter().find_map(|(open, close)| {
        let (_, rest) = said.split_once(*open)?;
        let (inner, _) = rest.split_once(*close)?;
        Some(inner.trim()).filter(|inner| !inner.is_empty())
    })
}
