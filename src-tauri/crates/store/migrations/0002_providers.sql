-- SPDX-License-Identifier: Apache-2.0
-- Messages in their provider's own form; the model that took over a run; pictures; what was spent, for the cap of a day.

ALTER TABLE messages ADD COLUMN native TEXT;
ALTER TABLE runs ADD COLUMN talks_to TEXT; -- the model that took over, if one did
ALTER TABLE runs ADD COLUMN compressed INTEGER NOT NULL DEFAULT 0;

CREATE TABLE pictures (
    id TEXT PRIMARY KEY,
    conversation TEXT NOT NULL,
    media_type TEXT NOT NULL,
    data BLOB NOT NULL
) STRICT;
CREATE INDEX pictures_conversation ON pictures (conversation);

-- An amount a request, without what it was for: it outlives its conversation. Written when the journal is, not when rows
-- are made from it anew.
CREATE TABLE spending (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    micros INTEGER NOT NULL
) STRICT;
CREATE INDEX spending_at ON spending (at);
