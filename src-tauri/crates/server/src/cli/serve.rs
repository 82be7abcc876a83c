// SPDX-License-Identifier: Apache-2.0
use super::address::{Address, Holder};
use super::compose::{self, Busy, Folder};
use super::signals::Signals;
use super::terminal::say;
use super::{Exit, Failure, ServeArgs};
use crate::{Access, EmbeddedUi};
use bailey_host::SystemClock;
use bailey_ports::{Clock as _, Redactor};
use std::io::Write as _;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// The port without `--port`; one of the next [`TRIED`] when it is taken.
const PORT: u16 = 8730;
const TRIED: u16 = 20;

/// How long the end may take, runs and event streams together.
const ENDING: Duration = Duration::from_millis(1800);

/// How long a second start waits for the first to answer or to end.
const FIRST_ANSWERS: Duration = Duration::from_secs(5);

/// Serves until asked to end.
pub(crate) fn run(args: ServeArgs, redactor: Redactor) -> Result<Exit, Failure> {
    let data = compose::data_folder(args.data_dir.clone())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|e| Failure::new(format!("Bailey could not start: {e}")))?;
    let result = runtime.block_on(first_or_second(&args, &data, redactor));
    runtime.shutdown_timeout(Duration::from_millis(100));
    result
}

/// Serves, unless another process holds the folder: when that is a server, a new address of it is as good as a server of
/// one's own. One that is just starting or ending is waited for.
async fn first_or_second(args: &ServeArgs, data: &Path, redactor: Redactor) -> Result<Exit, Failure> {
    let end = tokio::time::Instant::now() + FIRST_ANSWERS;
    loop {
        match Folder::lock(data) {
            Ok(folder) => return serve(args, folder, redactor).await,
            Err(Busy::Failed(failure)) => return Err(failure),
            Err(Busy::Held) => {}
        }
        let holder = compose::holder(data);
        if let Some(address) = &holder
            && address.holder == Holder::Server
            && let Some(fresh) = address.ask().await
        {
            present(&fresh, args.no_open);
            say("Bailey runs on this data folder already; the address above is a new one of it.");
            return Ok(Exit::Fine);
        }
        let other = holder.is_some_and(|address| address.holder != Holder::Server);
        if other || tokio::time::Instant::now() >= end {
            return Err(compose::held(data));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn serve(args: &ServeArgs, folder: Folder, redactor: Redactor) -> Result<Exit, Failure> {
    let io = |what: &str, e: std::io::Error| Failure::new(format!("{what}: {e}"));
    let listener = bind(args.port).await?;
    let port = listener.local_addr().map_err(|e| io("The port can't be used", e))?.port();
    let keys = folder.keys(redactor.clone(), false)?;
    let mut signals = Signals::listen().map_err(|e| io("Bailey could not start", e))?;
    let access = Access::open(folder.path(), redactor.clone()).map_err(|e| io("Bailey could not start", e))?;
    let api = folder.start(redactor, keys)?;
    api.agent().resume(None).map_err(|e| Failure::new(e.message))?;
    let agent = api.agent().clone();
    let access = Arc::new(access);
    folder.announce(&Address { holder: Holder::Server, port, token: access.token().expose().to_owned() })?;
    let code = access.new_code(SystemClock.now()).map_err(|e| io("Bailey could not start", e))?;

    let (close, closing) = watch::channel(false);
    let mut server =
        tokio::spawn(crate::serve(api, listener, access, Arc::new(SystemClock), Arc::new(EmbeddedUi), closing));
    present(&format!("http://127.0.0.1:{port}/open?code={code}"), args.no_open);
    say(&format!(
        "Bailey runs at http://127.0.0.1:{port} with the data folder {}.\n\
         The address above opens one browser, once, within ten minutes. Start Bailey again for a new one. Ctrl-C ends it.",
        folder.path().display()
    ));
    tokio::select! {
        _ = signals.next() => {}
        ended = &mut server => {
            let reason = match ended {
                Ok(Err(e)) => e.to_string(),
                _ => "the log says more".to_owned(),
            };
            return Err(Failure::new(format!("The server ended by itself: {reason}")));
        }
    }
    let _ = close.send(true);
    let end = async { tokio::join!(agent.shutdown(), &mut server) };
    tokio::select! {
        _ = tokio::time::timeout(ENDING, end) => {}
        // Asked twice, it goes at once; the journal is made for that.
        _ = signals.next() => {}
    }
    drop(folder);
    Ok(Exit::Fine)
}

async fn bind(port: Option<u16>) -> Result<TcpListener, Failure> {
    let ports = match port {
        Some(port) => port..=port,
        None => PORT..=PORT + TRIED,
    };
    for port in ports.clone() {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
            Ok(listener) => return Ok(listener),
            Err(e) if e.kind() == std::io::ErrorKind::AddrInUse => {}
            Err(e) => return Err(Failure::new(format!("Port {port} can't be used: {e}. Choose another with --port."))),
        }
    }
    Err(Failure::new(match port {
        Some(port) => {
            format!("Port {port} is taken by another program. Choose another with --port, or 0 for any free one.")
        }
        None => format!(
            "The ports {} to {} are all taken. Choose another with --port, or 0 for any free one.",
            ports.start(),
            ports.end()
        ),
    }))
}

/// Prints the address, and opens it where a person would see it.
fn present(address: &str, no_open: bool) {
    let mut out = std::io::stdout().lock();
    // A closed output is no reason not to serve.
    let _ = writeln!(out, "{address}").and_then(|()| out.flush());
    if no_open || std::env::var_os("CI").is_some() || !bailey_host::has_desktop() {
        return;
    }
    let address = address.to_owned();
    tokio::task::spawn_blocking(move || {
        if let Err(error) = bailey_host::open_in_browser(&address) {
            tracing::info!(%error, "no browser could be opened");
        }
    });
}
