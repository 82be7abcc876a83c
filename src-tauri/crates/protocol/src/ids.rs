// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};
use ts_rs::TS;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
        #[serde(transparent)]
        #[ts(type = "string")]
        pub struct $name(String);

        impl $name {
            /// Wraps an id made elsewhere.
            pub fn new(id: impl Into<String>) -> Self {
                Self(id.into())
            }
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> Self {
                Self(id.to_owned())
            }
        }
    )*};
}

ids! {
    /// A conversation: a tree of messages.
    ConversationId;
    /// One node of a conversation's tree.
    MessageId;
    /// The work set off by one message.
    RunId;
    /// One tool call, unique in its conversation (Bailey's own id, not the provider's).
    CallId;
    /// One question to the person: a confirmation, an ask_user question or a recovery.
    AskId;
    /// A configured model provider.
    ProviderId;
    /// A picture the person attached.
    PictureId;
}
