// SPDX-License-Identifier: Apache-2.0
//! The `bailey` command line.
//!
//! Results go to standard output, everything else to standard error.

mod address;
mod ask;
mod compose;
mod follow;
mod print;
mod prompt;
mod serve;
mod signals;
mod terminal;

use bailey_ports::{Redactor, Secret};
use bailey_protocol::{Mode, ProviderKind};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;

/// The variable the key comes from. It is taken out of the environment before anything else happens.
const KEY_VARIABLE: &str = "BAILEY_API_KEY";

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// Answered, or served until asked to end.
    Fine = 0,
    /// It failed; standard error says why.
    Failed = 1,
    /// The command line does not fit.
    Usage = 2,
    /// The run stopped because nobody could approve a call.
    NeedsApproval = 3,
    /// Ctrl-C.
    Interrupted = 130,
    /// SIGTERM.
    Terminated = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// A command that can't go on: what happened and what to do next, and how it ends.
#[derive(Debug)]
struct Failure {
    exit: Exit,
    message: String,
}

impl Failure {
    fn new(message: impl Into<String>) -> Self {
        Self { exit: Exit::Failed, message: message.into() }
    }
    fn usage(message: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, message: message.into() }
    }
}

#[derive(Parser)]
#[command(name = "bailey", version, about = "Bailey, a local-first AI agent that acts behind a gate.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the app to a browser on this machine.
    ///
    /// Prints one address to standard output. It opens one browser, once, within ten minutes; that browser then stays
    /// in. A second start on the same data folder prints a new address of the first and ends.
    #[command(
        after_help = "Model keys are kept in the system's key store, or in an encrypted file of the data folder where there is\n\
        none. BAILEY_KEY_STORE chooses: system, file, or memory (until Bailey ends)."
    )]
    Serve(ServeArgs),
    /// Ask once and print the answer.
    #[command(after_help = "The key of an endpoint comes from the variable BAILEY_API_KEY; it is never stored.\n\n\
        Ends with 0 when answered, 1 when it failed (also when another Bailey uses the data folder), 2 when the\n\
        command line does not fit, 3 when a call needed an approval that nobody could give, 130 after Ctrl-C\n\
        (143 after SIGTERM): then the run was stopped and its journal says so.")]
    Ask(AskArgs),
}

#[derive(Args)]
struct ServeArgs {
    /// The port on 127.0.0.1; 0 for any free one. Without it: 8730 or the next free one.
    #[arg(long)]
    port: Option<u16>,
    /// The data folder.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Do not open a browser.
    #[arg(long)]
    no_open: bool,
}

#[derive(Args)]
struct AskArgs {
    /// What to ask.
    #[arg(value_name = "QUESTION")]
    text: String,
    /// What the run may do; without it, the conversation's own or the default of the settings.
    #[arg(long, value_enum)]
    mode: Option<ModeName>,
    /// The protocol of the endpoint; without it, what its URL looks like.
    #[arg(long, value_enum, requires = "base_url")]
    protocol: Option<Protocol>,
    /// The endpoint, such as http://127.0.0.1:11434/v1. Without it, the model of the settings answers.
    #[arg(long, value_name = "URL", requires = "model")]
    base_url: Option<String>,
    /// The model's name at the endpoint.
    #[arg(long, value_name = "NAME", requires = "base_url")]
    model: Option<String>,
    /// The data folder.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Go on with this conversation.
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
    /// Allow calls beforehand. `all` answers what only the mode asks; what is asked because of text from outside or
    /// private data is asked all the same.
    #[arg(long, value_enum, default_value_t = Approve::None)]
    approve: Approve,
    /// Print every event of the conversation as one line of JSON instead of the answer.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum ModeName {
    /// Talks.
    Chat,
    /// Reads.
    ChatPlus,
    /// Acts; each call is confirmed.
    Act,
    /// Acts by itself.
    Max,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Self {
        match name {
            ModeName::Chat => Mode::Chat,
            ModeName::ChatPlus => Mode::ChatPlus,
            ModeName::Act => Mode::Act,
            ModeName::Max => Mode::Max,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Protocol {
    /// OpenAI-compatible chat completions.
    Openai,
    /// OpenAI's Responses.
    OpenaiResponses,
    /// Anthropic's Messages.
    Anthropic,
    /// Google's Gemini.
    Gemini,
}

impl From<Protocol> for ProviderKind {
    fn from(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Openai => ProviderKind::OpenaiChat,
            Protocol::OpenaiResponses => ProviderKind::OpenaiResponses,
            Protocol::Anthropic => ProviderKind::Anthropic,
            Protocol::Gemini => ProviderKind::Gemini,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Approve {
    /// Nothing beforehand.
    None,
    /// Every tool, for this run.
    All,
}

/// Runs the command line of this process and says how it ends. To be called first, while there is one thread.
pub fn main() -> ExitCode {
    let key = bailey_host::scrub_environment(KEY_VARIABLE).filter(|key| !key.is_empty());
    bailey_host::harden_process();
    let redactor = Redactor::new();
    if let Some(key) = &key {
        redactor.learn(key);
    }
    bailey_host::install_panic_hook(redactor.clone());
    bailey_host::init_logging(redactor.clone());
    match run(key, redactor) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            terminal::say(&failure.message);
            failure.exit.into()
        }
    }
}

fn run(key: Option<Secret>, redactor: Redactor) -> Result<Exit, Failure> {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and the version come this way, too.
            let _ = error.print();
            return Ok(if error.use_stderr() { Exit::Usage } else { Exit::Fine });
        }
    };
    match cli.command {
        Command::Serve(args) => serve::run(args, redactor),
        Command::Ask(args) => ask::run(args, key, redactor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_command_line_takes_what_it_says_and_nothing_else() {
        for good in [
            "serve",
            "serve --port 0 --data-dir x --no-open",
            "ask hello",
            "ask hello --mode chat_plus --approve all --json --conversation c1",
            "ask hello --protocol openai --base-url http://127.0.0.1:1/v1 --model m",
            "ask hello --protocol openai-responses --base-url http://127.0.0.1:1/v1 --model m",
            "ask hello --protocol anthropic --base-url http://127.0.0.1:1 --model m",
            "ask hello --protocol gemini --base-url http://127.0.0.1:1 --model m",
        ] {
            let words = std::iter::once("bailey").chain(good.split(' '));
            assert!(Cli::try_parse_from(words).is_ok(), "{good}");
        }
        for bad in [
            "",
            "ask",
            "ask a b",
            "ask hello --mode full",
            "ask hello --approve some",
            "ask hello --base-url http://127.0.0.1:1",
            "ask hello --model m",
            "ask hello --protocol openai",
            "ask hello --protocol gopher --base-url http://127.0.0.1:1 --model m",
            "serve --port 70000",
            "start",
        ] {
            let words = std::iter::once("bailey").chain(bad.split_whitespace());
            let error = Cli::try_parse_from(words).err().unwrap_or_else(|| panic!("{bad} was taken"));
            assert!(error.use_stderr(), "{bad}");
        }
    }
}
