-- SPDX-License-Identifier: Apache-2.0
INSERT INTO conversations (id, title, mode, model, created, changed, updated, head, preview, root)
VALUES ('c2', 'Look up hotels', 'chat_plus', '{"provider":"demo","model":"demo-1"}', 141, 141, 145, 'm4', 'Look up hotels', 'c1');
INSERT INTO runs (id, conversation, prompt, mode, state, started, ledger, budget, model, nonce, unattended, automation, parent, parent_call)
VALUES ('r2', 'c2', 'm3', 'chat_plus', 'done', 141, '{"rounds":1,"calls":0,"active_ms":5}',
    '{"rounds":8,"calls":25,"active_ms":600000}', '{"provider":"demo","model":"demo-1"}', 'def', 1, 'daily', 'r1', 'k0');
INSERT INTO journal (run, seq, at, type, payload) VALUES
('r2', 1, 141, 'opened', '{"type":"opened","conversation":"c2","prompt":"m3","mode":"chat_plus","model":{"provider":"demo","model":"demo-1"},"budget":{"rounds":8,"calls":25,"active_ms":600000},"nonce":"def","unattended":true,"automation":"daily","parent":{"run":"r1","call":"k0","conversation":"c1","depth":1,"task":"Look up hotels"},"key":null}'),
('r2', 2, 141, 'prompt', '{"type":"prompt","message":"m3","parent":null,"text":"Look up hotels","labels":{"outside":[],"private":[]}}'),
('r2', 3, 142, 'round_opened', '{"type":"round_opened","round":1,"message":"m4","parent":"m3","ledger":{"rounds":1,"calls":0,"active_ms":5},"summary":true}'),
('r2', 4, 144, 'round_closed', '{"type":"round_closed","message":"m4","blocks":[{"type":"text","text":"All of it, in short"}],"status":"complete","labels":{"outside":[],"private":[]},"usage":null}'),
('r2', 5, 145, 'closed', '{"type":"closed","state":"done","error":null,"ledger":{"rounds":1,"calls":0,"active_ms":5}}');
INSERT INTO messages (id, conversation, parent, run, role, status, at, unfinished, model, usage, labels, blocks, summary) VALUES
('m3', 'c2', NULL, 'r2', 'user', 'complete', 141, 0, NULL, NULL, NULL, '[{"type":"text","text":"Look up hotels"}]', NULL),
('m4', 'c2', 'm3', 'r2', 'assistant', 'complete', 142, 0, 'demo-1', NULL, NULL, '[{"type":"text","text":"All of it, in short"}]', 'undone');
UPDATE grants SET arguments = '[{"argument":"path","pattern":"a*"}]' WHERE id = 'g1';
UPDATE notes SET kept = 1;
