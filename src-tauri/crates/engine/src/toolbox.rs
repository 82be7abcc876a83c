// SPDX-License-Identifier: Apache-2.0
use crate::arguments::Checker;
use bailey_policy::{ArgumentRole, Definition, InvalidArguments, ToolKind, ToolSpec};
use bailey_protocol::model::ToolDeclaration;
use bailey_protocol::{Mode, ShellRisk};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

/// A toolbox that can't be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ToolboxError {
    /// Two tools of one name.
    #[error("there are two tools named {0}")]
    Duplicate(String),
    /// A schema that does not compile.
    #[error("{0}")]
    Schema(String),
}

/// The tools a run can use, in a stable order. Schemas are compiled at their first use.
#[derive(Debug, Default)]
pub struct Toolbox {
    entries: Vec<Entry>,
    index: HashMap<String, usize>,
}

#[derive(Debug)]
struct Entry {
    spec: ToolSpec,
    digest: OnceLock<String>,
    checker: OnceLock<Result<Checker, String>>,
}

impl Toolbox {
    /// A toolbox of these tools.
    pub fn new(specs: impl IntoIterator<Item = ToolSpec>) -> Result<Self, ToolboxError> {
        let mut out = Self::default();
        for spec in specs {
            if out.index.insert(spec.name.clone(), out.entries.len()).is_some() {
                return Err(ToolboxError::Duplicate(spec.name));
            }
            out.entries.push(Entry { spec, digest: OnceLock::new(), checker: OnceLock::new() });
        }
        Ok(out)
    }

    /// Compiles every schema now. For tests: a malformed schema must not reach a person.
    pub fn compile(&self) -> Result<(), ToolboxError> {
        for entry in &self.entries {
            entry.checker().as_ref().map_err(|e| ToolboxError::Schema(e.clone()))?;
        }
        Ok(())
    }

    /// A tool's definition.
    pub fn get(&self, name: &str) -> Option<Definition<'_>> {
        let entry = &self.entries[*self.index.get(name)?];
        Some(Definition { spec: &entry.spec, digest: entry.digest.get_or_init(|| entry.spec.digest()) })
    }

    /// Repairs and validates arguments as the model wrote them. An unknown tool's arguments are left as they are.
    pub(crate) fn check(&self, name: &str, raw: &str) -> Result<(Value, Vec<String>), InvalidArguments> {
        let Some(&at) = self.index.get(name) else {
            return Ok((serde_json::from_str(raw).unwrap_or_else(|_| Value::String(raw.to_owned())), Vec::new()));
        };
        let entry = &self.entries[at];
        let fault = |message: String| InvalidArguments { message, example: entry.spec.example.clone() };
        let checker = entry.checker().as_ref().map_err(|e| fault(e.clone()))?;
        let checked = checker.check(raw).map_err(|invalid| fault(invalid.message))?;
        Ok((checked.arguments, checked.repairs))
    }

    /// How dangerous the shell command among these arguments is, where the tool takes one.
    pub(crate) fn shell_risk(&self, name: &str, arguments: &Value) -> Option<ShellRisk> {
        let spec = self.get(name)?.spec;
        let (argument, _) = spec.arguments.iter().find(|(_, role)| **role == ArgumentRole::Shell)?;
        let command = arguments.get(argument)?.as_str()?;
        Some(bailey_risk::rate(command, bailey_risk::Dialect::HOST))
    }

    /// What a request offers: only tools that the mode could allow and that are switched on; sub-agents where `agents`.
    pub fn declarations(&self, mode: Mode, switched_off: &BTreeSet<String>, agents: bool) -> Vec<ToolDeclaration> {
        self.entries
            .iter()
            .filter(|e| e.spec.facts.possible_in(mode) && !switched_off.contains(&e.spec.name))
            .filter(|e| agents || e.spec.kind != ToolKind::Agent)
            .map(|e| ToolDeclaration {
                name: e.spec.name.clone(),
                description: e.spec.description.clone(),
                schema: e.spec.schema.clone(),
            })
            .collect()
    }
}

impl Entry {
    fn checker(&self) -> &Result<Checker, String> {
        self.checker.get_or_init(|| Checker::new(&self.spec))
    }
}
