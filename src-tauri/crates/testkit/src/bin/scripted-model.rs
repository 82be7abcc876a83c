// SPDX-License-Identifier: Apache-2.0
//! The scripted server as a program, for browser tests. See the documentation of `bailey_testkit::server`.

use bailey_testkit::server::ScriptedServer;
use clap::Parser;
use std::io::{Error, Write};
use std::path::PathBuf;

/// A scripted OpenAI-compatible server on loopback.
#[derive(Parser)]
struct Arguments {
    /// The port; 0 takes a free one, which is printed.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// A script in its JSON form.
    #[arg(long)]
    script: Option<PathBuf>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let arguments = Arguments::parse();
    let server = ScriptedServer::on(arguments.port).await?;
    if let Some(path) = arguments.script {
        let script = serde_json::from_slice(&std::fs::read(&path)?)?;
        server.add_script(script).map_err(Error::other)?;
    }
    writeln!(std::io::stdout(), "{}", server.base_url())?;
    server.run().await;
    Ok(())
}
