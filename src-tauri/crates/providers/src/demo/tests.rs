// SPDX-License-Identifier: Apache-2.0
use super::*;
use bailey_protocol::model::{PastCall, ToolDeclaration};

const TOOLS: [&str; 7] =
    ["get_time", "compute", "plan_update", "ask_user", "memory_write", "memory_search", "file_write"];

fn request(said: &str, tools: &[&str]) -> Request {
    Request {
        model: DemoModel::NAME.to_owned(),
        system: "be kind".to_owned(),
        messages: vec![Turn::user(said)],
        tools: tools
            .iter()
            .map(|name| ToolDeclaration { name: (*name).to_owned(), description: String::new(), schema: json!({}) })
            .collect(),
        ..Request::default()
    }
}

/// The text, the call and the finish of one reply.
fn ask(request: &Request) -> (String, Option<(String, String, Value)>, Finish) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let stream = DemoModel::with_pause(Duration::ZERO).reply(request.clone());
    let replies: Vec<Reply> = runtime.block_on(stream.map(Result::unwrap).collect());
    let (mut text, mut call, mut began, mut finish) = (String::new(), None, None, None);
    for reply in replies {
        assert_eq!(finish, None, "nothing follows the finish");
        match reply {
            Reply::Text { text: more } => text.push_str(&more),
            Reply::CallBegan { name } => began = Some(name),
            Reply::Call { id, name, arguments } => {
                assert_eq!(began.as_deref(), Some(name.as_str()));
                call = Some((id, name, serde_json::from_str(&arguments).unwrap()));
            }
            Reply::Finish { finish: why } => finish = Some(why),
            other => panic!("{other:?}"),
        }
    }
    (text, call, finish.unwrap())
}

/// Adds the call and its result to the history.
fn answer(request: &mut Request, call: (String, String, Value), result: &str) {
    let (id, name, arguments) = call;
    let past = PastCall { id: id.clone(), name: name.clone(), arguments };
    request.messages.push(Turn::Assistant {
        text: String::new(),
        reasoning: String::new(),
        calls: vec![past],
        native: None,
    });
    request.messages.push(Turn::Tool { id, name, text: result.to_owned() });
}

#[test]
fn each_sentence_calls_its_tool() {
    let table = [
        ("what time is it", "get_time", json!({})),
        ("What time is it in Tokyo?", "get_time", json!({"timezone": "Asia/Tokyo"})),
        ("what's the time in ulan bator", "get_time", json!({"timezone": "Ulan Bator"})),
        ("现在几点？", "get_time", json!({})),
        ("东京现在几点", "get_time", json!({"timezone": "Asia/Tokyo"})),
        ("今天星期几", "get_time", json!({})),
        ("what is 17.5% of 240", "compute", json!({"expression": "17.5% of 240"})),
        ("12*(3+4)", "compute", json!({"expression": "12*(3+4)"})),
        ("What's 2 plus 2?", "compute", json!({"expression": "2 + 2"})),
        ("5 km in miles", "compute", json!({"expression": "5 km to miles"})),
        ("convert 6 in to cm", "compute", json!({"expression": "6 in to cm"})),
        ("3加4乘5", "compute", json!({"expression": "3 + 4 * 5"})),
        ("三加四乘十二等于多少？", "compute", json!({"expression": "3 + 4 * 12"})),
        ("２４０的17.5%是多少", "compute", json!({"expression": "17.5% of 240"})),
        ("240的百分之17.5", "compute", json!({"expression": "17.5% of 240"})),
        ("5公里等于多少英里", "compute", json!({"expression": "5 km to miles"})),
        ("(1+2)×3=?", "compute", json!({"expression": "(1+2)*3"})),
        ("remember that my cat is called Mimi", "memory_write", json!({"text": "my cat is called Mimi"})),
        ("记住我喜欢喝茶。", "memory_write", json!({"text": "我喜欢喝茶"})),
        ("what do you remember", "memory_search", json!({"query": ""})),
        ("What do you remember about my cat?", "memory_search", json!({"query": "my cat"})),
        ("你记得什么？", "memory_search", json!({"query": ""})),
        ("你还记得我的猫吗？", "memory_search", json!({"query": "我的猫"})),
        ("write a file", "file_write", json!({"path": "demo.md", "content": "Written by the demo model of Bailey.\n"})),
        (
            "Write a file notes/list.txt with the text milk",
            "file_write",
            json!({"path": "notes/list.txt", "content": "milk\n"}),
        ),
        ("save milk and bread to list.txt", "file_write", json!({"path": "list.txt", "content": "milk and bread\n"})),
        ("写一个文件 购物.md，内容是牛奶", "file_write", json!({"path": "购物.md", "content": "牛奶\n"})),
        ("把“牛奶”保存到清单.txt", "file_write", json!({"path": "清单.txt", "content": "牛奶\n"})),
        (
            "ask me something",
            "ask_user",
            json!({"question": "Which would you like to hear about?", "choices": ["Tea", "Stars", "Trains"]}),
        ),
        ("问我一个问题", "ask_user", json!({"question": "你想听哪一个？", "choices": ["茶", "星星", "火车"]})),
    ];
    for (said, tool, arguments) in table {
        let (_, call, finish) = ask(&request(said, &TOOLS));
        let (_, name, given) = call.unwrap_or_else(|| panic!("{said}: no call"));
        assert_eq!((name.as_str(), given, finish), (tool, arguments, Finish::Calls), "{said}");

        // Not offered: told, not called.
        let (text, call, finish) = ask(&request(said, &[]));
        assert_eq!((call, finish), (None, Finish::Stop), "{said}");
        assert!(text.contains(tool), "{said}: {text}");
    }
}

#[test]
fn a_result_is_told_in_the_language_of_the_question() {
    for (said, words) in [("what is 1+1", "calculator"), ("1加1等于几", "计算结果")] {
        let mut request = request(said, &TOOLS);
        let (_, call, _) = ask(&request);
        answer(&mut request, call.unwrap(), "2");
        let (text, call, finish) = ask(&request);
        assert_eq!((call, finish), (None, Finish::Stop));
        assert!(text.contains(words) && text.contains("> 2"), "{text}");
    }
}

#[test]
fn a_plan_is_worked_through_within_four_rounds() {
    let mut request = request("Plan my weekend", &TOOLS);
    let mut states = Vec::new();
    loop {
        let (text, call, finish) = ask(&request);
        let Some(call) = call else {
            assert_eq!(finish, Finish::Stop);
            assert!(text.contains("weekend") && text.contains("demo model"), "{text}");
            break;
        };
        assert_eq!(call.1, "plan_update");
        let steps = call.2["steps"].as_array().unwrap();
        assert_eq!(steps[0]["title"], "Collect what matters for: weekend");
        states.push(steps.iter().map(|step| step["status"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" "));
        answer(&mut request, call, "Plan saved.");
    }
    assert_eq!(states, ["active pending pending", "done active pending", "done done done"]);
}

#[test]
fn an_answer_is_used() {
    for (said, result, words) in [
        ("ask me something", "The person chose: Stars", "Proxima Centauri"),
        ("ask me something", "The person answered: stars, or Stars", "Proxima Centauri"),
        ("ask me something", "The person answered: elephants", "You said:\n\n> elephants"),
        ("ask me something", "The person leaves it to you. Decide, and state what you assumed.", "I assumed **Tea**"),
        ("ask me something", "No answer: nobody is there. Decide yourself.", "I assumed **Tea**"),
        ("问我一个问题", "The person chose: 火车", "1825"),
        ("问我一个问题", "No answer: nobody is there.", "假定是**茶**"),
    ] {
        let mut request = request(said, &TOOLS);
        let (_, call, _) = ask(&request);
        answer(&mut request, call.unwrap(), result);
        let (text, call, _) = ask(&request);
        assert_eq!(call, None);
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn a_command_is_called_even_when_not_offered_and_the_denial_is_explained() {
    for (said, command) in [
        ("run a command", "uname -a"),
        ("run `ls -l`", "ls -l"),
        ("please run a command: `date`", "date"),
        ("运行命令", "uname -a"),
        ("运行命令 ls -l", "ls -l"),
        ("运行 `date`", "date"),
    ] {
        let mut asked = request(said, &TOOLS);
        let (text, call, finish) = ask(&asked);
        let call = call.unwrap_or_else(|| panic!("{said}: no call"));
        assert_eq!(
            (call.1.as_str(), &call.2, finish),
            ("run_shell", &json!({ "command": command }), Finish::Calls),
            "{said}"
        );
        assert!(text.contains(command), "{text}");
        answer(&mut asked, call, "The call was not run. The shell is off.");
        let (text, call, _) = ask(&asked);
        assert_eq!(call, None);
        let mode = if Language::of(said) == Language::Zh { "**行动**" } else { "**Act**" };
        assert!(text.contains("**Shell**") || text.contains("**shell**"), "{text}");
        assert!(
            !text.contains("The shell is off.") && text.contains(mode),
            "what is said to the model is not for the person: {text}"
        );

        let mut offered = request(said, &["run_shell"]);
        let (_, call, _) = ask(&offered);
        answer(&mut offered, call.unwrap(), "⟦outside 1f from run_shell⟧\nexit code 0\n``` odd ```\n⟦end 1f⟧");
        let (text, _, _) = ask(&offered);
        assert!(text.contains("````text\nexit code 0\n``` odd ```\n````"), "{text}");
    }
}

#[test]
fn what_became_of_a_call_is_told_plainly() {
    for (said, result, words) in [
        ("run a command", "The person said no to this call; it was not run. ", "You said no, so nothing happened."),
        ("运行命令", "The person said no to this call; it was not run. ", "你拒绝了"),
        (
            "run a command",
            "The call failed. ⟦outside 1f from run_shell⟧\nno such thing\n⟦end 1f⟧",
            "It did not work. This is what I was told:\n\n> no such thing",
        ),
        (
            "what is 1+1",
            "The call was not run. The budget is spent.",
            "It was not run. This is what I was told:\n\n> The budget is spent.",
        ),
        ("1加1", "The call failed. bad", "没有成功"),
        (
            "write a file",
            "Unknown whether this happened. Asked about it, the person says: yes",
            "nobody knows whether it happened",
        ),
        ("what do you remember", "⟦outside 1f from web_read⟧\n#1: tea\n⟦end 1f⟧\n#2: milk", "> #1: tea\n>\n> #2: milk"),
    ] {
        let mut request = request(said, &["run_shell", "compute", "file_write", "memory_search"]);
        let (_, call, _) = ask(&request);
        answer(&mut request, call.unwrap(), result);
        let (text, call, finish) = ask(&request);
        assert_eq!((call, finish), (None, Finish::Stop));
        assert!(text.contains(words), "{said}: {text}");
    }
}

#[test]
fn it_says_what_it_is() {
    for (said, words) in [
        ("why is the sky blue?", "demo model"),
        ("run a marathon with me", "demo model"),
        ("help", "| `plan my weekend` |"),
        ("What can you do?", "```rust"),
        ("你能做什么？", "## 在这里能看到什么"),
        ("天空为什么是蓝色的", "演示模型"),
        ("", "demo model"),
    ] {
        let (text, call, finish) = ask(&request(said, &TOOLS));
        assert_eq!((call, finish), (None, Finish::Stop), "{said}");
        assert!(text.contains(words), "{said}: {text}");
    }
}

#[test]
fn a_new_question_does_not_see_old_results_and_ids_never_repeat() {
    let mut request = request("what is 1+1", &TOOLS);
    let (_, call, _) = ask(&request);
    let first = call.clone().unwrap().0;
    answer(&mut request, call.unwrap(), "2");
    request.messages.push(Turn::user("what is 2+2"));
    let (_, call, _) = ask(&request);
    let call = call.unwrap();
    assert_eq!(call.2, json!({"expression": "2+2"}));
    assert_ne!(call.0, first);
}

#[test]
fn words_lose_nothing() {
    for text in ["", " ", "a", "two words  and\n\nmore ", "中文也是一样的 mixed 文字", EN_SAMPLE] {
        assert_eq!(words(text).collect::<String>(), text);
        assert!(words(text).all(|word| !word.is_empty()));
    }
    assert_eq!(words("say it slowly").collect::<Vec<_>>(), ["say ", "it ", "slowly"]);
    assert_eq!(words("你好世界").collect::<Vec<_>>(), ["你好", "世界"]);
}

const EN_SAMPLE: &str = "## Title\n\n| a | b |\n|---|---|\n";
