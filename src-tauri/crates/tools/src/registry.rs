// SPDX-License-Identifier: Apache-2.0
use crate::ask_user::AskUser;
use crate::compute::Compute;
use crate::file_write::FileWrite;
use crate::get_time::GetTime;
use crate::memory_search::MemorySearch;
use crate::memory_write::MemoryWrite;
use crate::plan_update::PlanUpdate;
use crate::run_shell::RunShell;
use bailey_policy::ToolSpec;
use bailey_ports::{Files, Notes, Shell, Tool};
use std::sync::Arc;

/// What the tools stand on.
#[derive(Clone)]
pub struct Parts {
    /// The person's notes.
    pub notes: Arc<dyn Notes>,
    /// The app's own folder.
    pub files: Arc<dyn Files>,
    /// A shell; without one there is no run_shell.
    pub shell: Option<Arc<dyn Shell>>,
    /// The IANA name of the person's time zone; `None` asks the system at each call, since people travel.
    pub zone: Option<String>,
}

/// The built-in tools.
#[derive(Clone)]
pub struct Registry {
    tools: Vec<Arc<dyn Tool>>,
}

impl Registry {
    /// Builds every tool whose parts are there.
    pub fn new(parts: Parts) -> Registry {
        let mut tools: Vec<Arc<dyn Tool>> = vec![
            Arc::new(GetTime::new(parts.zone.clone())),
            Arc::new(Compute::new(parts.zone)),
            Arc::new(PlanUpdate::new()),
            Arc::new(AskUser::new()),
            Arc::new(MemoryWrite::new(parts.notes.clone())),
            Arc::new(MemorySearch::new(parts.notes)),
            Arc::new(FileWrite::new(parts.files)),
        ];
        if let Some(shell) = parts.shell {
            tools.push(Arc::new(RunShell::new(shell)));
        }
        Registry { tools }
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.tools.iter().find(|tool| tool.spec().name == name)
    }

    /// All definitions, always in the same order: a provider's prompt cache depends on it.
    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().map(|tool| tool.spec())
    }
}
