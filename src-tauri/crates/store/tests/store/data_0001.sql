-- SPDX-License-Identifier: Apache-2.0
INSERT INTO conversations (id, title, title_by_person, mode, model, starred, created, changed, updated, head, preview)
VALUES ('c1', 'Station hotel', 1, 'act', '{"provider":"demo","model":"demo-1"}', 1, 100, 150, 140, 'm2', '找一家酒店');
INSERT INTO title_search (rowid, body) VALUES (1, 'station hotel ');
INSERT INTO runs (id, conversation, prompt, mode, state, started, ledger, budget, send_key, model, nonce, unattended)
VALUES ('r1', 'c1', 'm1', 'act', 'waiting', 100, '{"rounds":1,"calls":0,"active_ms":5}',
    '{"rounds":12,"calls":32,"active_ms":600000}', 'key-1', '{"provider":"demo","model":"demo-1"}', 'abc', 0);
INSERT INTO journal (run, seq, at, type, payload) VALUES
('r1', 1, 100, 'opened', '{"type":"opened","conversation":"c1","prompt":"m1","mode":"act","model":{"provider":"demo","model":"demo-1"},"budget":{"rounds":12,"calls":32,"active_ms":600000},"nonce":"abc","unattended":false,"key":"key-1"}'),
('r1', 2, 100, 'prompt', '{"type":"prompt","message":"m1","parent":null,"text":"找一家酒店","labels":{"outside":[],"private":[]}}'),
('r1', 3, 110, 'round_opened', '{"type":"round_opened","round":1,"message":"m2","parent":"m1","ledger":{"rounds":1,"calls":0,"active_ms":5}}'),
('r1', 4, 120, 'round_closed', '{"type":"round_closed","message":"m2","blocks":[{"type":"call","call":{"id":"k1","provider_id":"p1","tool":"file_write","arguments":{"path":"a.md"},"state":"pending","parts":[],"ms":0}}],"status":"complete","labels":{"outside":[{"tool":"web_read","detail":"example.org"}],"private":[]},"usage":{"input":5,"cached":0,"output":6,"reasoning":0}}'),
('r1', 5, 140, 'asked', '{"type":"asked","ask":{"id":"x1","conversation":"c1","run":"r1","call":"k1","kind":{"type":"confirm","tool":"file_write","danger":"medium","leaves":false,"arguments":{"path":"a.md"},"reasons":[{"type":"mode","mode":"act"}],"grantable":true},"asked":140,"left_ms":300000},"tool_digest":"d"}');
INSERT INTO messages (id, conversation, parent, run, role, status, at, unfinished, model, usage, labels, blocks) VALUES
('m1', 'c1', NULL, 'r1', 'user', 'complete', 100, 0, NULL, NULL, NULL, '[{"type":"text","text":"找一家酒店"}]'),
('m2', 'c1', 'm1', 'r1', 'assistant', 'complete', 110, 1, 'demo-1', '{"input":5,"cached":0,"output":6,"reasoning":0}',
    '{"outside":[{"tool":"web_read","detail":"example.org"}],"private":[]}',
    '[{"type":"call","call":{"id":"k1","provider_id":"p1","tool":"file_write","arguments":{"path":"a.md"},"state":"waiting","parts":[],"ms":0}}]');
INSERT INTO message_search (rowid, body) VALUES (1, '找一 一家 家酒 酒店 店 ');
INSERT INTO asks (id, run, conversation, call, kind, tool_digest, asked, left_ms)
VALUES ('x1', 'r1', 'c1', 'k1', '{"type":"confirm","tool":"file_write","danger":"medium","leaves":false,"arguments":{"path":"a.md"},"reasons":[{"type":"mode","mode":"act"}],"grantable":true}', 'd', 140, 1234);
INSERT INTO grants (id, tool, scope, target, expires, at) VALUES ('g1', 'file_write', 'conversation', 'c1', NULL, 130);
INSERT INTO settings (one, settings) VALUES (1, '{"onboarded":true,"language":"zh","default_mode":"act","shell":true}');
INSERT INTO notes (text, labels, at, conversation) VALUES ('Likes a window seat', NULL, 90, 'c0');
INSERT INTO note_search (rowid, body) VALUES (1, 'likes a window seat ');
