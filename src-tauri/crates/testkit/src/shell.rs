// SPDX-License-Identifier: Apache-2.0
//! A shell that runs nothing.

use async_trait::async_trait;
use bailey_ports::{Shell, ShellError, ShellOutput};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A shell that runs nothing and remembers everything. `hang` never ends; `fail` fails; anything else prints itself.
#[derive(Clone, Debug, Default)]
pub struct CountingShell {
    began: Arc<Mutex<Vec<String>>>,
    dropped: Arc<Mutex<Vec<String>>>,
}

impl CountingShell {
    /// The commands that were begun, in order.
    pub fn began(&self) -> Vec<String> {
        self.began.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    /// The commands that were cancelled before their end.
    pub fn dropped(&self) -> Vec<String> {
        self.dropped.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }
}

struct Running {
    command: String,
    dropped: Arc<Mutex<Vec<String>>>,
    ended: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.ended {
            self.dropped.lock().unwrap_or_else(|e| e.into_inner()).push(self.command.clone());
        }
    }
}

#[async_trait]
impl Shell for CountingShell {
    async fn run(&self, command: &str, _time_limit: Duration) -> Result<ShellOutput, ShellError> {
        self.began.lock().unwrap_or_else(|e| e.into_inner()).push(command.to_owned());
        let mut running = Running { command: command.to_owned(), dropped: self.dropped.clone(), ended: false };
        if command == "hang" {
            std::future::pending::<()>().await;
        }
        running.ended = true;
        if command == "fail" {
            return Err(ShellError::Start("no such shell".into()));
        }
        Ok(ShellOutput { code: Some(0), stdout: command.to_owned(), stderr: String::new(), cut: false })
    }
}
