// SPDX-License-Identifier: Apache-2.0
use crate::ask_user::AskUser;
use crate::compute::Compute;
use crate::device;
use crate::download_file::DownloadFile;
use crate::fetch_rss::FetchRss;
use crate::file_write::FileWrite;
use crate::get_time::GetTime;
use crate::get_weather::GetWeather;
use crate::memory_search::MemorySearch;
use crate::memory_write::MemoryWrite;
use crate::plan_update::PlanUpdate;
use crate::run_shell::RunShell;
use crate::spawn_agent::SpawnAgent;
use crate::web_read::WebRead;
use crate::web_search::{ChooseSearch, WebSearch};
use bailey_policy::ToolSpec;
use bailey_ports::device::Device;
use bailey_ports::{Files, Notes, Shell, Tool, Web};
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
    /// The device under the app; without one there are no tools that need it.
    pub device: Option<Arc<dyn Device>>,
    /// The web; without it there are no tools that need it.
    pub web: Option<Arc<dyn Web>>,
    /// Whom web_search asks.
    pub search: ChooseSearch,
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
            Arc::new(SpawnAgent::new()),
            Arc::new(MemoryWrite::new(parts.notes.clone())),
            Arc::new(MemorySearch::new(parts.notes)),
            Arc::new(FileWrite::new(parts.files.clone())),
        ];
        if let Some(web) = parts.web {
            tools.push(Arc::new(WebSearch::new(web.clone(), parts.search)));
            tools.push(Arc::new(WebRead::new(web.clone())));
            tools.push(Arc::new(FetchRss::new(web.clone())));
            tools.push(Arc::new(GetWeather::new(web.clone())));
            tools.push(Arc::new(DownloadFile::new(web, parts.files)));
        }
        if let Some(device) = &parts.device {
            tools.extend(device::tools(device));
        }
        if let Some(shell) = parts.shell {
            tools.push(Arc::new(RunShell::new(shell)));
        }
        Registry { tools }
    }

    /// The same with more tools. One whose name is taken is left out.
    #[must_use]
    pub fn with(mut self, more: impl IntoIterator<Item = Arc<dyn Tool>>) -> Registry {
        for tool in more {
            if self.get(&tool.spec().name).is_none() {
                self.tools.push(tool);
            }
        }
        self
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
