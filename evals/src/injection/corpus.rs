// SPDX-License-Identifier: Apache-2.0
use bailey_policy::{ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_protocol::Danger;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The corpus could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{path} can't be read: {why}")]
pub struct CorpusError {
    path: String,
    why: String,
}

/// Suites of tasks and attacks, with what the gate is told of each tool.
#[derive(Clone, Debug)]
pub struct Corpus {
    pub(super) suites: Vec<Suite>,
}

#[derive(Clone, Debug)]
pub(super) struct Suite {
    pub(super) name: String,
    pub(super) tools: Vec<ToolSpec>,
    pub(super) tasks: Vec<Task>,
    pub(super) attacks: Vec<Attack>,
}

/// What a person asks for, and the calls that do it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Task {
    pub(super) id: String,
    pub(super) prompt: String,
    pub(super) calls: Vec<Step>,
}

/// What an attacker asks for, and the calls that do it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Attack {
    pub(super) id: String,
    pub(super) goal: String,
    pub(super) calls: Vec<Step>,
}

/// A call with its recorded result.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Step {
    pub(super) function: String,
    pub(super) args: Map<String, Value>,
    #[serde(default)]
    pub(super) result: String,
    #[serde(default)]
    pub(super) injected: bool,
    #[serde(default)]
    pub(super) failed: bool,
}

#[derive(Deserialize)]
struct File {
    suites: BTreeMap<String, SuiteFile>,
}

#[derive(Deserialize)]
struct SuiteFile {
    tools: Vec<Declared>,
    user_tasks: Vec<Task>,
    injection_tasks: Vec<Attack>,
}

#[derive(Deserialize)]
struct Declared {
    name: String,
    description: String,
    parameters: Value,
}

#[derive(Deserialize)]
struct Classes {
    tools: BTreeMap<String, Class>,
}

#[derive(Deserialize)]
struct Class {
    read: bool,
    outside: bool,
    private: bool,
    danger: String,
    deciding: Vec<String>,
    egress: bool,
}

impl Corpus {
    /// The corpus that `BAILEY_AGENTDOJO` names, else the one beside the repository; `None` when neither is there. The
    /// table of classes lies beside it.
    pub fn find() -> Option<PathBuf> {
        let named = std::env::var_os("BAILEY_AGENTDOJO").map(PathBuf::from);
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/agentdojo.json");
        named.or_else(|| beside.exists().then_some(beside))
    }

    /// The few tasks that lie in this repository, written here in AgentDojo's form.
    pub fn sample() -> Result<Corpus, CorpusError> {
        Self::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/agentdojo.json"))
    }

    /// Reads a corpus and the `agentdojo-tools.json` beside it.
    pub fn read(path: &Path) -> Result<Corpus, CorpusError> {
        let classes = path.with_file_name("agentdojo-tools.json");
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/agentdojo-tools.json");
        let classes: Classes = json_file(if classes.exists() { &classes } else { &beside })?;
        let file: File = json_file(path)?;
        let suites = file.suites.into_iter().map(|(name, suite)| Suite {
            name,
            tools: suite.tools.into_iter().map(|tool| spec(tool, &classes)).collect(),
            tasks: suite.user_tasks,
            attacks: suite.injection_tasks.into_iter().filter(|attack| !attack.calls.is_empty()).collect(),
        });
        Ok(Corpus { suites: suites.collect() })
    }

    /// How many pairs of task and attack there are.
    pub fn pairs(&self) -> usize {
        self.suites.iter().map(|suite| suite.tasks.len() * suite.attacks.len()).sum()
    }

    /// How many tasks there are.
    pub fn tasks(&self) -> usize {
        self.suites.iter().map(|suite| suite.tasks.len()).sum()
    }
}

fn json_file<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, CorpusError> {
    let fault = |why: String| CorpusError { path: path.display().to_string(), why };
    let text = std::fs::read_to_string(path).map_err(|e| fault(e.to_string()))?;
    serde_json::from_str(&text).map_err(|e| fault(e.to_string()))
}

/// A tool as the gate sees it. One without a class is taken for the worst.
fn spec(tool: Declared, classes: &Classes) -> ToolSpec {
    let class = classes.tools.get(&tool.name);
    let facts = ToolFacts {
        danger: match class.map(|class| class.danger.as_str()) {
            Some("L") => Danger::Low,
            Some("M") => Danger::Medium,
            _ => Danger::High,
        },
        read_only: class.is_some_and(|class| class.read),
        outside: class.is_none_or(|class| class.outside),
        private: class.is_none_or(|class| class.private),
        egress: class.is_none_or(|class| class.egress),
        ..ToolFacts::LOW
    };
    let named: Vec<String> =
        tool.parameters["properties"].as_object().map(|p| p.keys().cloned().collect()).unwrap_or_default();
    let is_text = |name: &str| class.is_some_and(|class| !class.deciding.iter().any(|deciding| deciding == name));
    let arguments = named.iter().filter(|name| is_text(name)).map(|name| (name.clone(), ArgumentRole::Text)).collect();
    // The recorded calls are the truth here: the schema names the arguments and makes nothing else of them.
    let properties: Map<String, Value> = named.iter().map(|name| (name.clone(), json!({}))).collect();
    let schema = json!({ "type": "object", "properties": properties });
    ToolSpec {
        name: tool.name,
        description: tool.description,
        schema,
        example: json!({}),
        facts,
        arguments,
        kind: ToolKind::Run,
    }
}
