-- SPDX-License-Identifier: Apache-2.0
-- Sub-agents, which have conversations and runs of their own; what a permission is limited to; summaries; notes that the
-- person kept.

-- The person's conversation that a sub-agent's works for. Such a one is in no list and in no search index, and is deleted
-- and purged with its root.
ALTER TABLE conversations ADD COLUMN root TEXT REFERENCES conversations (id);
CREATE INDEX conversations_root ON conversations (root) WHERE root IS NOT NULL;

ALTER TABLE runs ADD COLUMN automation TEXT;  -- that started it
ALTER TABLE runs ADD COLUMN parent TEXT;      -- the run that started it
ALTER TABLE runs ADD COLUMN parent_call TEXT; -- the call of that run that did
CREATE UNIQUE INDEX runs_parent_call ON runs (parent_call) WHERE parent_call IS NOT NULL;

ALTER TABLE asks ADD COLUMN origin TEXT; -- the sub-agent that asks; its conversation here is the root
ALTER TABLE messages ADD COLUMN summary TEXT; -- 'used', or 'undone' by the person
ALTER TABLE grants ADD COLUMN arguments TEXT NOT NULL DEFAULT '[]';
ALTER TABLE notes ADD COLUMN kept INTEGER NOT NULL DEFAULT 0; -- the person took it as their own
