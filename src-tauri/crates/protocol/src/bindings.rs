// SPDX-License-Identifier: Apache-2.0
//! Keeps `ui/src/lib/backend/bindings.ts` equal to the Rust types. `BAILEY_BLESS=1 cargo test -p bailey-protocol` writes it.

use crate::*;
use std::fmt::Write as _;
use ts_rs::{Config, TS};

macro_rules! declarations {
    ($config:expr; $($t:ty),* $(,)?) => { vec![$(<$t as TS>::decl($config)),*] };
}

fn bindings() -> String {
    let config = Config::new();
    let declarations = declarations!(&config;
        Source, Labels, Role, MessageStatus, Message, Block, CallState, Part, Call, model::Usage, Mode, Budget, Ledger,
        RunState, RunErrorKind, RunError, RunView, Danger, Reason, DenialCode, Denial, Question, AskKind, Ask, Answer,
        Code, ApiError, Language, Theme, Accent, ProviderKind, Provider, ModelChoice, Settings, SettingsPatch,
        LocalServer, ToolView, Event, DeltaKind, Delta, Snapshot, Live, StreamMessage, Nothing, Search,
        ConversationRef, MessageRef, RunRef, ProviderRef, ConversationSummary, SearchHit, ConversationView,
        ConversationPatch, SendParams, Sent, AskAnswerParams, ProviderDraft, ProviderTestResult, PictureRef, Retrying,
        LeftOut,
        SpendScope, Effort, ModelSettings, Caps, Network, KeyStoreKind, KeyStoreState, Price, ModelFacts, ModelView,
        Pasted, RecognisedProvider, ProviderPreset, NetworkDraft, Passphrase, PictureGetParams, PictureData,
        PictureDraft, NodeClass, Target, ShellRisk, ShellEffect, ShellEffectKind, Doubt, DoubtKind, Origin, AllowScope, ArgumentPattern,
        PartRole, SummaryState, SearchEngine, WebSettings, WebDraft, GrantRef, GrantView, NoteSearch, NoteRef, NoteView,
        ImageRef, Channel, Fault, ChannelState, ChannelView, DeviceView, ChannelRef, PermissionRef,
    );
    let mut out = String::from(
        "// SPDX-License-Identifier: Apache-2.0\n// Made from the Rust types of crates/protocol. Do not edit: BAILEY_BLESS=1 cargo test -p bailey-protocol\n\n",
    );
    for id in ["ConversationId", "MessageId", "RunId", "CallId", "AskId", "ProviderId", "PictureId"] {
        let _ = writeln!(out, "export type {id} = string;");
    }
    for declaration in declarations {
        let _ = writeln!(out, "export {declaration}");
    }
    out.push_str("\n/** Every command: its parameters and its result. */\nexport interface Commands {\n");
    for (name, doc, params, result) in command::typescript(&config) {
        let _ = writeln!(out, "  /** {doc} */\n  {name}: {{ params: {params}; result: {result} }};");
    }
    out.push_str("}\n");
    out
}

#[test]
fn the_committed_bindings_are_those_of_the_types() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../ui/src/lib/backend/bindings.ts");
    let made = bindings();
    if std::env::var_os("BAILEY_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        committed == made,
        "bindings.ts has drifted: run BAILEY_BLESS=1 cargo test -p bailey-protocol and commit it"
    );
}
