-- SPDX-License-Identifier: Apache-2.0
-- Ids are text made by the core. `seq` counts up in the order of insertion. JSON columns hold the types of bailey-protocol.
-- `journal` is the source; runs, messages, asks and message_search are made from it. What the person set (title, star,
-- mode, model, deletion, grants, settings, notes, files) is kept beside it.

CREATE TABLE conversations (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL DEFAULT '',
    title_by_person INTEGER NOT NULL DEFAULT 0,
    mode TEXT NOT NULL,
    model TEXT,
    starred INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL, -- by the person: title, star, mode or model
    updated INTEGER NOT NULL, -- by its runs
    head TEXT,                -- the leaf of the branch that is shown
    preview TEXT NOT NULL DEFAULT '',
    deleted_at INTEGER
) STRICT;

CREATE TABLE runs (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation TEXT NOT NULL REFERENCES conversations (id),
    prompt TEXT NOT NULL,
    mode TEXT NOT NULL,
    state TEXT NOT NULL,
    error TEXT,
    started INTEGER NOT NULL,
    ledger TEXT NOT NULL,
    budget TEXT NOT NULL,
    resumed INTEGER NOT NULL DEFAULT 0,
    send_key TEXT UNIQUE,
    model TEXT NOT NULL,
    nonce TEXT NOT NULL,
    unattended INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_conversation ON runs (conversation);
CREATE INDEX runs_open ON runs (seq) WHERE state IN ('running', 'waiting');

CREATE TABLE journal (
    pos INTEGER PRIMARY KEY,
    run TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    UNIQUE (run, seq)
) STRICT;
CREATE TRIGGER journal_is_never_changed BEFORE UPDATE ON journal
BEGIN
    SELECT RAISE(ABORT, 'the journal is append-only');
END;
CREATE TRIGGER journal_goes_with_a_deleted_conversation_only BEFORE DELETE ON journal
WHEN NOT EXISTS (
    SELECT 1 FROM runs JOIN conversations ON conversations.id = runs.conversation
    WHERE runs.id = OLD.run AND conversations.deleted_at IS NOT NULL
)
BEGIN
    SELECT RAISE(ABORT, 'the journal is append-only');
END;

-- A tree. `unfinished`: still streaming, or a call of it is not final.
CREATE TABLE messages (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation TEXT NOT NULL REFERENCES conversations (id),
    parent TEXT REFERENCES messages (id),
    run TEXT NOT NULL REFERENCES runs (id),
    role TEXT NOT NULL,
    status TEXT NOT NULL,
    at INTEGER NOT NULL,
    unfinished INTEGER NOT NULL,
    model TEXT,
    usage TEXT,
    labels TEXT,
    blocks TEXT NOT NULL
) STRICT;
CREATE INDEX messages_conversation ON messages (conversation);
CREATE INDEX messages_parent ON messages (parent);
CREATE INDEX messages_run ON messages (run);

CREATE TABLE asks (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    run TEXT NOT NULL REFERENCES runs (id),
    conversation TEXT NOT NULL REFERENCES conversations (id),
    call TEXT NOT NULL,
    kind TEXT NOT NULL,
    tool_digest TEXT NOT NULL,
    asked INTEGER NOT NULL,
    left_ms INTEGER
) STRICT;
CREATE INDEX asks_conversation ON asks (conversation);
CREATE INDEX asks_run ON asks (run);

CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    tool TEXT NOT NULL,
    scope TEXT NOT NULL,
    target TEXT, -- the run, conversation or automation of the scope
    expires INTEGER,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    settings TEXT NOT NULL
) STRICT;

CREATE TABLE notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    text TEXT NOT NULL UNIQUE,
    labels TEXT,
    at INTEGER NOT NULL,
    conversation TEXT NOT NULL
) STRICT;

-- A row a version. The newest version's bytes are in files/<path>, an earlier one's in versions/<id>.
CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL,
    version INTEGER NOT NULL,
    labels TEXT,
    at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    UNIQUE (path, version)
) STRICT;

-- Full text. The core splits and folds text itself (search.rs) and hands over tokens separated by spaces, so the tokenizer
-- takes everything else for a letter. No copy of the text is kept; removed rows leave nothing behind (secure-delete).
CREATE VIRTUAL TABLE title_search USING fts5 (
    body, content = '', columnsize = 0,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
INSERT INTO title_search (title_search, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE message_search USING fts5 (
    body, content = '', columnsize = 0,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
INSERT INTO message_search (message_search, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE note_search USING fts5 (
    body, content = '',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
INSERT INTO note_search (note_search, rank) VALUES ('secure-delete', 1);
