// SPDX-License-Identifier: Apache-2.0
use super::Fate;

/// The language of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    En,
    Zh,
}

impl Language {
    /// Chinese when there is a Chinese character in it.
    pub(super) fn of(text: &str) -> Self {
        let chinese = |c| matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}');
        if text.chars().any(chinese) { Language::Zh } else { Language::En }
    }
}

/// All that the demo model can say in one language.
pub(super) struct Phrases {
    language: Language,
    pub(super) tour: &'static str,
    pub(super) other: &'static str,
    pub(super) question: &'static str,
    pub(super) choices: [&'static str; 3],
    after_choice: [&'static str; 3],
    pub(super) plan_says: [&'static str; 3],
    pub(super) sample_file: &'static str,
}

impl Phrases {
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &EN,
            Language::Zh => &ZH,
        }
    }

    /// A tool's result, told.
    pub(super) fn told(&self, tool: &str, result: &str) -> String {
        match (self.language, tool) {
            (Language::En, "get_time") => format!("The clock says:\n\n{}", quote(result)),
            (Language::Zh, "get_time") => format!("时钟显示：\n\n{}", quote(result)),
            (Language::En, "compute") => format!("The calculator says:\n\n{}", quote(result)),
            (Language::Zh, "compute") => format!("计算结果：\n\n{}", quote(result)),
            (Language::En, "memory_write") => format!(
                "I asked for a note to be kept. The answer:\n\n{}\n\nAsk me *what do you remember* to see it again.",
                quote(result)
            ),
            (Language::Zh, "memory_write") => {
                format!("我请求保存一条笔记，结果是：\n\n{}\n\n问我“你记得什么”就能再看到它。", quote(result))
            }
            (Language::En, "memory_search") => format!("I looked through the notes:\n\n{}", quote(result)),
            (Language::Zh, "memory_search") => format!("我翻了翻笔记：\n\n{}", quote(result)),
            (Language::En, "file_write") => {
                format!("I asked for the file to be written. The answer:\n\n{}", quote(result))
            }
            (Language::Zh, "file_write") => format!("我请求写入文件，结果是：\n\n{}", quote(result)),
            (Language::En, _) => format!("`{tool}` answered:\n\n{}", quote(result)),
            (Language::Zh, _) => format!("`{tool}` 返回：\n\n{}", quote(result)),
        }
    }

    /// The request does not offer the tool the rule needs.
    pub(super) fn not_offered(&self, tool: &str) -> String {
        match self.language {
            Language::En => format!(
                "For that I would call the tool `{tool}`, and the present mode does not offer it to me. Pick another mode below the \
                 text field (**Chat+** reads, **Act** also changes things and asks you before each call) and send it again."
            ),
            Language::Zh => format!(
                "这需要调用工具 `{tool}`，但当前模式没有提供它。请在输入框下方换一个模式（**聊天+** 可以读取，**行动** 还能改动，\
                 并且每次调用前都会问你），然后再发一次。"
            ),
        }
    }

    pub(super) fn plan_steps(&self, topic: &str) -> [String; 3] {
        match (self.language, topic.is_empty()) {
            (Language::En, true) => ["Collect what matters", "Put it in order", "Sum it up"].map(str::to_owned),
            (Language::En, false) => {
                [format!("Collect what matters for: {topic}"), "Put it in order".to_owned(), "Sum it up".to_owned()]
            }
            (Language::Zh, true) => ["收集要点", "排好顺序", "总结"].map(str::to_owned),
            (Language::Zh, false) => [format!("收集要点：{topic}"), "排好顺序".to_owned(), "总结".to_owned()],
        }
    }

    pub(super) fn plan_end(&self, topic: &str) -> String {
        match (self.language, topic.is_empty()) {
            (Language::En, true) => "All three steps are through; the plan card shows them. I am the demo model, so the plan has no content: a real model would have filled it.".to_owned(),
            (Language::En, false) => format!("All three steps for **{topic}** are through; the plan card shows them. I am the demo model, so the plan has no content: a real model would have filled it."),
            (Language::Zh, true) => "三个步骤都走完了，计划卡片上可以看到。我是演示模型，所以计划没有实际内容：真正的模型会把它填满。".to_owned(),
            (Language::Zh, false) => format!("“{topic}”的三个步骤都走完了，计划卡片上可以看到。我是演示模型，所以计划没有实际内容：真正的模型会把它填满。"),
        }
    }

    /// The person's answer; `None` when they left it to the model or nobody was there.
    pub(super) fn after_answer(&self, answer: Option<&str>) -> String {
        let chosen = answer.and_then(|answer| self.choices.iter().position(|choice| answer.contains(choice)));
        let fact = |at: usize| (self.choices[at], self.after_choice[at]);
        match (self.language, answer, chosen.map(fact)) {
            (Language::En, _, Some((choice, fact))) => format!("**{choice}**: {fact}"),
            (Language::Zh, _, Some((choice, fact))) => format!("**{choice}**：{fact}"),
            (Language::En, Some(answer), None) => format!(
                "You said:\n\n{}\n\nThat is none of my three ready answers, and I am only the demo model: I can repeat it, not think about it.",
                quote(answer)
            ),
            (Language::Zh, Some(answer), None) => {
                format!(
                    "你说：\n\n{}\n\n这不在我准备的三个选项里，而我只是演示模型：只能复述，不能思考。",
                    quote(answer)
                )
            }
            (Language::En, None, None) => {
                let (choice, fact) = fact(0);
                format!("Nobody chose, so I assumed **{choice}**: {fact}")
            }
            (Language::Zh, None, None) => {
                let (choice, fact) = fact(0);
                format!("没有人选择，所以我假定是**{choice}**：{fact}")
            }
        }
    }

    /// A call that did not end with a result; `reason` is what the model was told.
    pub(super) fn not_done(&self, fate: Fate, reason: &str) -> String {
        let reason = quote(reason);
        match (self.language, fate) {
            (Language::En, Fate::Rejected) => "You said no, so nothing happened.".to_owned(),
            (Language::Zh, Fate::Rejected) => "你拒绝了，所以什么都没有发生。".to_owned(),
            (Language::En, Fate::Unknown) => {
                format!("Bailey was closed in the middle of it, so nobody knows whether it happened.\n\n{reason}")
            }
            (Language::Zh, Fate::Unknown) => {
                format!("执行途中 Bailey 被关闭了，所以没人知道它是否已经发生。\n\n{reason}")
            }
            (Language::En, Fate::NotRun) => format!("It was not run. This is what I was told:\n\n{reason}"),
            (Language::Zh, Fate::NotRun) => format!("它没有运行。我得到的答复是：\n\n{reason}"),
            (Language::En, _) => format!("It did not work. This is what I was told:\n\n{reason}"),
            (Language::Zh, _) => format!("没有成功。我得到的答复是：\n\n{reason}"),
        }
    }

    pub(super) fn before_shell(&self, command: &str) -> String {
        match self.language {
            Language::En => format!(
                "I would like to run {}. That is a tool of high danger, so Bailey's gate decides first.",
                code(command)
            ),
            Language::Zh => format!("我想运行 {}。这是高风险工具，所以先由 Bailey 的闸门决定。", code(command)),
        }
    }

    /// The tool was not offered, so the gate said no. Its words are for a model; these are for a person.
    pub(super) fn shell_off(&self) -> String {
        let text = match self.language {
            Language::En => {
                "Nothing ran, and that is as it should be: the gate said no.\n\nTo see it work:\n\n\
                 1. Switch the **shell** on (the card above offers it; it is also in the settings).\n\
                 2. Pick the mode **Act**: it asks you before every call.\n3. Send the same message again."
            }
            Language::Zh => {
                "什么都没有运行，这正是应有的结果：闸门拒绝了。\n\n想看它运行：\n\n\
                 1. 开启 **Shell**（上面的卡片可以开启，设置里也有）。\n\
                 2. 选择 **行动** 模式：每次调用前都会问你。\n3. 把同一条消息再发一次。"
            }
        };
        text.to_owned()
    }

    /// It ran.
    pub(super) fn after_shell(&self, result: &str) -> String {
        let fence = fence(result);
        match self.language {
            Language::En => format!(
                "What came back:\n\n{fence}text\n{result}\n{fence}\n\nWhat a command prints is text from outside: from here on Bailey is more careful in this conversation."
            ),
            Language::Zh => format!(
                "返回的内容：\n\n{fence}text\n{result}\n{fence}\n\n命令的输出是外部文本：从现在起，Bailey 在这个对话里会更谨慎。"
            ),
        }
    }
}

/// Markdown quote of each line.
fn quote(text: &str) -> String {
    text.trim().lines().map(|line| format!("> {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

fn fence(text: &str) -> String {
    "`".repeat(longest_run(text).max(2) + 1)
}

fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{space}{text}{space}{ticks}")
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

static EN: Phrases = Phrases {
    language: Language::En,
    tour: "## What you can see here\n\n\
I am the **demo model**: rules in the program, no network, no key, and *no intelligence*. What I call is real, though: the tools, the gate \
that decides about each call, your confirmations, and the journal that survives a crash.\n\n\
| Say | What happens |\n|---|---|\n\
| `what time is it in Tokyo` | reads the clock |\n\
| `what is 17.5% of 240` | exact arithmetic |\n\
| `5 km in miles` | units |\n\
| `plan my weekend` | a plan card that moves on |\n\
| `ask me something` | a question sheet |\n\
| `remember that I like tea` | keeps a note |\n\
| `what do you remember` | finds it again |\n\
| `write a file list.txt` | needs mode **Act** |\n\
| `run a command` | high danger: needs a switch and your yes |\n\n\
### Four modes\n\n\
1. **Chat** talks.\n2. **Chat+** also reads.\n3. **Act** also changes things, and asks before each call.\n4. **Max** acts by itself; the gate still asks where it is risky.\n\n\
### Code is shown like this\n\n\
```rust\nfn main() {\n    println!(\"Hello from the demo model\");\n}\n```\n\n\
To talk with a model that thinks, add one in the settings: a server on this machine, or a provider with your own key.",
    other: "I am the **demo model**: a few rules in the program, so I can't answer that. Here is what you can try:\n\n\
- `what time is it in Tokyo`\n\
- `what is 17.5% of 240`, or `5 km in miles`\n\
- `plan my weekend`\n\
- `ask me something`\n\
- `remember that I like tea`, then `what do you remember`\n\
- `write a file list.txt` (mode **Act**)\n\
- `run a command` (high danger: see the gate at work)\n\
- `help` for a tour\n\n\
For real answers, add a model in the settings.",
    question: "Which would you like to hear about?",
    choices: ["Tea", "Stars", "Trains"],
    after_choice: [
        "green and black tea come from the same plant; what differs is how long the leaves may oxidise.",
        "the light of the nearest one after the Sun, Proxima Centauri, is a little over four years old when you see it.",
        "the first railway that carried passengers with steam opened in 1825, between Stockton and Darlington.",
    ],
    plan_says: ["I begin with a plan.", "The first step is through.", "And the others, too."],
    sample_file: "Written by the demo model of Bailey.\n",
};

static ZH: Phrases = Phrases {
    language: Language::Zh,
    tour: "## 在这里能看到什么\n\n\
我是**演示模型**：只是程序里的一组规则，不用网络，不用密钥，也*没有智能*。但我调用的都是真的：工具、决定每次调用的闸门、你的确认，\
还有崩溃后也不会丢的运行记录。\n\n\
| 说 | 会发生什么 |\n|---|---|\n\
| `东京现在几点` | 看时钟 |\n\
| `240的17.5%是多少` | 精确计算 |\n\
| `5公里等于多少英里` | 单位换算 |\n\
| `计划我的周末` | 一张会推进的计划卡片 |\n\
| `问我一个问题` | 提问面板 |\n\
| `记住我喜欢喝茶` | 保存笔记 |\n\
| `你记得什么` | 再找出来 |\n\
| `写一个文件 清单.txt` | 需要 **行动** 模式 |\n\
| `运行命令` | 高风险：需要先打开，还要你同意 |\n\n\
### 四种模式\n\n\
1. **聊天** 只说话。\n2. **聊天+** 还能读取。\n3. **行动** 还能改动，每次调用前都会问。\n4. **全权** 自己行动；有风险时闸门仍然会问。\n\n\
### 代码是这样显示的\n\n\
```rust\nfn main() {\n    println!(\"演示模型向你问好\");\n}\n```\n\n\
想和会思考的模型对话，请在设置里添加一个：本机上的模型服务，或者用你自己密钥的提供商。",
    other: "我是**演示模型**：只是程序里的几条规则，所以回答不了这个。你可以试试：\n\n\
- `东京现在几点`\n\
- `3加4乘5`，或者 `5公里等于多少英里`\n\
- `计划我的周末`\n\
- `问我一个问题`\n\
- `记住我喜欢喝茶`，然后 `你记得什么`\n\
- `写一个文件 清单.txt`（**行动** 模式）\n\
- `运行命令`（高风险：看闸门如何工作）\n\
- `帮助` 看完整介绍\n\n\
想得到真正的回答，请在设置里添加一个模型。",
    question: "你想听哪一个？",
    choices: ["茶", "星星", "火车"],
    after_choice: [
        "绿茶和红茶来自同一种植物，差别在于叶子氧化了多久。",
        "除太阳以外最近的恒星是比邻星，你看到的光已经走了四年多。",
        "第一条用蒸汽机车运送乘客的铁路于1825年在英国的斯托克顿和达灵顿之间通车。",
    ],
    plan_says: ["我先列一个计划。", "第一步完成了。", "其余的也完成了。"],
    sample_file: "这是 Bailey 的演示模型写的。\n",
};
