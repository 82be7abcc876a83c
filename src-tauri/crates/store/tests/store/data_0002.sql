-- SPDX-License-Identifier: Apache-2.0
INSERT INTO pictures (id, conversation, media_type, data) VALUES ('i1', 'c1', 'image/png', X'89504E47');
INSERT INTO pictures (id, conversation, media_type, data) VALUES ('i2', 'never-written', 'image/png', X'89504E47');
INSERT INTO spending (at, micros) VALUES (100, 7), (200, 12000), (300, 5);
