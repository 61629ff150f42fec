-- Schema of a project's file, as numbered migrations. Never edit a released migration: append a new one. The version of
-- a file (`PRAGMA user_version`) is the number of its migrations. Two marks are for migrations that are fast even in a
-- large file: `(not read)` if nothing reads what they change, `(not read by hooks)` if hooks don't.

-- migration: memories
-- Live rows and purged rows have separate indexes of the same columns: LIMIT is exact without a filter, and purged rows
-- don't affect the statistics of live ones. The indexes read views, so that `rebuild` adds no purged row to the index
-- of live rows. Each event has only one trigger: SQLite does not define an order of several, and the wrong order
-- corrupts the index.
CREATE TABLE project (
  id TEXT NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL, moved_to TEXT
) STRICT;
CREATE TABLE alias (alias BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE departed (id BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE unfinished_erase (id BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE observation (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  origin TEXT NOT NULL,
  session TEXT,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  source TEXT NOT NULL,
  title TEXT NOT NULL,
  title_key TEXT NOT NULL,
  indexed_title TEXT NOT NULL,
  heading TEXT NOT NULL,
  content TEXT NOT NULL,
  sub TEXT NOT NULL,
  context TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  purged_at INTEGER,
  moment INTEGER NOT NULL,
  fingerprint BLOB NOT NULL,
  request TEXT
) STRICT;
CREATE INDEX observation_moment ON observation (moment);
CREATE INDEX observation_session ON observation (session, moment);
CREATE INDEX observation_fingerprint ON observation (fingerprint);
CREATE INDEX observation_purged ON observation (purged_at) WHERE purged_at IS NOT NULL;

CREATE TABLE code_change (
  seq INTEGER NOT NULL REFERENCES observation ON DELETE CASCADE,
  place INTEGER NOT NULL,
  path TEXT NOT NULL,
  additions INTEGER,
  deletions INTEGER,
  hunks TEXT NOT NULL,
  PRIMARY KEY (seq, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX code_change_path ON code_change (path, seq);

CREATE TABLE statistics (live INTEGER NOT NULL, changes INTEGER NOT NULL) STRICT;
INSERT INTO statistics VALUES (0, 0);

CREATE VIEW live AS SELECT seq, indexed_title AS title, heading || char(10) || content AS content, sub, context
  FROM observation WHERE purged_at IS NULL;
CREATE VIEW purged AS SELECT seq, indexed_title AS title, heading || char(10) || content AS content, sub, context
  FROM observation WHERE purged_at IS NOT NULL;
CREATE VIRTUAL TABLE search USING fts5(
  title, content, sub, context, content = 'live', content_rowid = 'seq', tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE search_purged USING fts5(
  title, content, sub, context, content = 'purged', content_rowid = 'seq', tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE search_terms USING fts5vocab('search', 'row');
CREATE VIRTUAL TABLE search_purged_terms USING fts5vocab('search_purged', 'row');
INSERT INTO search (search, rank) VALUES ('automerge', 16);

CREATE TRIGGER index_new AFTER INSERT ON observation BEGIN
  INSERT INTO search (rowid, title, content, sub, context) SELECT new.seq, new.indexed_title, new.heading || char(10) || new.content, new.sub, new.context WHERE new.purged_at IS NULL;
  INSERT INTO search_purged (rowid, title, content, sub, context) SELECT new.seq, new.indexed_title, new.heading || char(10) || new.content, new.sub, new.context WHERE new.purged_at IS NOT NULL;
  UPDATE statistics SET live = live + (new.purged_at IS NULL), changes = changes + 1;
END;
CREATE TRIGGER index_out AFTER DELETE ON observation BEGIN
  INSERT INTO search (search, rowid, title, content, sub, context) SELECT 'delete', old.seq, old.indexed_title, old.heading || char(10) || old.content, old.sub, old.context WHERE old.purged_at IS NULL;
  INSERT INTO search_purged (search_purged, rowid, title, content, sub, context)
    SELECT 'delete', old.seq, old.indexed_title, old.heading || char(10) || old.content, old.sub, old.context WHERE old.purged_at IS NOT NULL;
  UPDATE statistics SET live = live - (old.purged_at IS NULL), changes = changes + 1;
END;
CREATE TRIGGER index_change
AFTER UPDATE OF indexed_title, heading, content, sub, context, purged_at ON observation BEGIN
  INSERT INTO search (search, rowid, title, content, sub, context) SELECT 'delete', old.seq, old.indexed_title, old.heading || char(10) || old.content, old.sub, old.context WHERE old.purged_at IS NULL;
  INSERT INTO search_purged (search_purged, rowid, title, content, sub, context)
    SELECT 'delete', old.seq, old.indexed_title, old.heading || char(10) || old.content, old.sub, old.context WHERE old.purged_at IS NOT NULL;
  INSERT INTO search (rowid, title, content, sub, context) SELECT new.seq, new.indexed_title, new.heading || char(10) || new.content, new.sub, new.context WHERE new.purged_at IS NULL;
  INSERT INTO search_purged (rowid, title, content, sub, context) SELECT new.seq, new.indexed_title, new.heading || char(10) || new.content, new.sub, new.context WHERE new.purged_at IS NOT NULL;
  UPDATE statistics
    SET live = live + (new.purged_at IS NULL) - (old.purged_at IS NULL), changes = changes + 1;
END;

-- migration: vectors
-- Ordinary tables, which every SQLite can read, write, check and copy. An observation is either in `unembedded` or in
-- `vector`, with NULLs if there was nothing to embed. Its sign code has one bit for the sign of each dimension, so that
-- it can be compared with all others quickly. `embedding_model` has one row at most: the model adopted last.
CREATE TABLE embedding_model (name TEXT NOT NULL, dimension INTEGER NOT NULL) STRICT;
CREATE TABLE unembedded (seq INTEGER PRIMARY KEY REFERENCES observation ON DELETE CASCADE) STRICT;
CREATE TABLE vector (
  seq INTEGER PRIMARY KEY REFERENCES observation ON DELETE CASCADE,
  purged INTEGER NOT NULL,
  code BLOB,
  vector BLOB
) STRICT;
CREATE INDEX vector_code ON vector (code) WHERE code IS NOT NULL AND NOT purged;
CREATE TRIGGER embed_new AFTER INSERT ON observation BEGIN INSERT INTO unembedded VALUES (new.seq); END;
CREATE TRIGGER embed_purged AFTER UPDATE OF purged_at ON observation BEGIN
  UPDATE vector SET purged = new.purged_at IS NOT NULL WHERE seq = new.seq;
END;
INSERT INTO unembedded SELECT seq FROM observation;

-- migration: conversations
-- Search reads the time of each match. A narrow index makes this twice as fast as reading rows. A session has a name
-- here only if its source gave it one. `conversations.SPOKEN` is the condition for searchable messages: a query must
-- repeat it literally to use a partial index.
CREATE TABLE message (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  origin TEXT NOT NULL,
  session TEXT NOT NULL,
  role TEXT NOT NULL,
  at INTEGER NOT NULL,
  heading TEXT NOT NULL,
  text TEXT NOT NULL,
  sub TEXT NOT NULL,
  context TEXT NOT NULL
) STRICT;
CREATE INDEX message_session ON message (session, number, at);
CREATE INDEX message_time ON message (number, at);
CREATE INDEX message_spoken ON message (session, number) WHERE role NOT IN ('tool', 'tool_result');
CREATE INDEX message_human ON message (session, number) WHERE role = 'human';

CREATE TABLE session_name (session TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE transcript_position (
  source TEXT PRIMARY KEY, position TEXT NOT NULL, origin TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE summary (
  session TEXT NOT NULL,
  level INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  sentences TEXT NOT NULL,
  files TEXT NOT NULL,
  PRIMARY KEY (session, level, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE message_statistics (spoken INTEGER NOT NULL, changes INTEGER NOT NULL) STRICT;
INSERT INTO message_statistics VALUES (0, 0);

CREATE VIEW spoken AS SELECT number, heading || char(10) || text AS content, sub, context
  FROM message WHERE role NOT IN ('tool', 'tool_result');
CREATE VIRTUAL TABLE message_search USING fts5(
  content, sub, context, content = 'spoken', content_rowid = 'number', tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE message_search_terms USING fts5vocab('message_search', 'row');
INSERT INTO message_search (message_search, rank) VALUES ('automerge', 16);

CREATE TRIGGER index_message AFTER INSERT ON message WHEN new.role NOT IN ('tool', 'tool_result') BEGIN
  INSERT INTO message_search (rowid, content, sub, context) VALUES (new.number, new.heading || char(10) || new.text, new.sub, new.context);
  UPDATE message_statistics SET spoken = spoken + 1, changes = changes + 1;
END;
CREATE TRIGGER index_message_out AFTER DELETE ON message WHEN old.role NOT IN ('tool', 'tool_result') BEGIN
  INSERT INTO message_search (message_search, rowid, content, sub, context) VALUES ('delete', old.number, old.heading || char(10) || old.text, old.sub, old.context);
  UPDATE message_statistics SET spoken = spoken - 1, changes = changes + 1;
END;

-- migration: ledger
-- `changed_lines` keeps the fingerprints of added (`came`) and removed (`went`) lines. They can be computed from the
-- hunks again, but that takes a while. A row of `capture` stays when its observation is erased, so that the edit isn't
-- captured again. It is a hash, and holds no text.
ALTER TABLE code_change ADD COLUMN former TEXT;
CREATE TABLE changed_lines (
  seq INTEGER NOT NULL REFERENCES observation ON DELETE CASCADE,
  place INTEGER NOT NULL,
  came BLOB NOT NULL,
  went BLOB NOT NULL,
  PRIMARY KEY (seq, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE capture (mark BLOB PRIMARY KEY, origin TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE told_removal (
  seq INTEGER NOT NULL REFERENCES observation ON DELETE CASCADE,
  mark BLOB NOT NULL,
  PRIMARY KEY (seq, mark)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER embed_changed AFTER UPDATE OF content ON observation BEGIN
  DELETE FROM vector WHERE seq = new.seq;
  INSERT OR IGNORE INTO unembedded VALUES (new.seq);
END;

-- migration: activity
-- The log is read by time, for the last days and for expired entries, which every addition deletes. At the start of a
-- session, the latest memories of a kind are read, which must be fast in a large project, too. SQLite uses the index of
-- decisions only if the columns with fixed values come first. Both indexes make a save 3 % slower.
CREATE TABLE activity (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  session TEXT,
  about TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  origin TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX activity_at ON activity (at);
CREATE INDEX observation_kind ON observation (kind, moment) WHERE purged_at IS NULL;
CREATE INDEX observation_decision ON observation (kind, source, moment)
  WHERE kind = 'note' AND source = 'decision' AND purged_at IS NULL;

-- migration: message_times
-- For reading the time of the latest message: the recency of other messages is relative to it.
CREATE INDEX message_at ON message (at);

-- migration: erased_messages
-- Hashes of the keys of erased messages and of erased sessions, without any text.
CREATE TABLE erased_message (mark BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;

-- migration: code_blocks
-- Blocks of sign codes, `embeddings.PLACES` to a row, so that all codes of a project are read at once. Triggers update
-- them whenever a vector is written, purged or erased.
CREATE TABLE code_block (block INTEGER PRIMARY KEY, states BLOB NOT NULL, codes BLOB NOT NULL) STRICT;
INSERT INTO code_block 
WITH RECURSIVE place (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM place WHERE place < 255),
  begun (block) AS (SELECT block FROM code_block UNION SELECT seq / 256 FROM vector WHERE code IS NOT NULL)
SELECT block,
  unhex(group_concat(hex(CASE WHEN code IS NULL THEN x'00' WHEN purged THEN x'02' ELSE x'01' END), '' ORDER BY place)),
  unhex(group_concat(hex(coalesce(code, zeroblob((dimension + 7) / 8))), '' ORDER BY place))
FROM embedding_model, begun, place LEFT JOIN vector ON seq = block * 256 + place GROUP BY block
;
CREATE TRIGGER code_new AFTER INSERT ON vector BEGIN 
  INSERT INTO code_block SELECT new.seq / 256, zeroblob(256), zeroblob(256 * length(new.code))
  WHERE new.code IS NOT NULL ON CONFLICT DO NOTHING;
 
  UPDATE code_block SET
    states = CAST(substr(states, 1, (new.seq % 256)) || CASE WHEN new.code IS NULL THEN x'00' WHEN new.purged THEN x'02' ELSE x'01' END || substr(states, (new.seq % 256) + 2) AS BLOB),
    codes = CAST(substr(codes, 1, (new.seq % 256) * (length(codes) / 256)) || coalesce(new.code, zeroblob((length(codes) / 256)))
      || substr(codes, ((new.seq % 256) + 1) * (length(codes) / 256) + 1) AS BLOB)
  WHERE block = new.seq / 256;
 END;
CREATE TRIGGER code_change AFTER UPDATE OF purged, code ON vector BEGIN 
  INSERT INTO code_block SELECT new.seq / 256, zeroblob(256), zeroblob(256 * length(new.code))
  WHERE new.code IS NOT NULL ON CONFLICT DO NOTHING;
 
  UPDATE code_block SET
    states = CAST(substr(states, 1, (new.seq % 256)) || CASE WHEN new.code IS NULL THEN x'00' WHEN new.purged THEN x'02' ELSE x'01' END || substr(states, (new.seq % 256) + 2) AS BLOB),
    codes = CAST(substr(codes, 1, (new.seq % 256) * (length(codes) / 256)) || coalesce(new.code, zeroblob((length(codes) / 256)))
      || substr(codes, ((new.seq % 256) + 1) * (length(codes) / 256) + 1) AS BLOB)
  WHERE block = new.seq / 256;
 END;
CREATE TRIGGER code_out AFTER DELETE ON vector BEGIN 
  UPDATE code_block SET
    states = CAST(substr(states, 1, (old.seq % 256)) || x'00' || substr(states, (old.seq % 256) + 2) AS BLOB),
    codes = CAST(substr(codes, 1, (old.seq % 256) * (length(codes) / 256)) || coalesce(NULL, zeroblob((length(codes) / 256)))
      || substr(codes, ((old.seq % 256) + 1) * (length(codes) / 256) + 1) AS BLOB)
  WHERE block = old.seq / 256;
 END;
DROP INDEX vector_code;

-- migration: session_titles
-- A title can name a session by one of its records. `titled` marks a name that is such a title. `waiting_title` has the
-- titles whose record has not been imported yet. `session_end` has records without a message that may end a
-- conversation.
ALTER TABLE session_name ADD COLUMN titled INTEGER NOT NULL DEFAULT 0;
CREATE TABLE waiting_title (record TEXT PRIMARY KEY, title TEXT NOT NULL, origin TEXT NOT NULL) STRICT;
CREATE TABLE session_end (record TEXT PRIMARY KEY, session TEXT NOT NULL, origin TEXT NOT NULL) STRICT;

-- migration: author
ALTER TABLE observation ADD COLUMN author TEXT

-- migration: message_changes (not read)
-- Index a message again when it is analysed again. Messages are never changed otherwise.
CREATE TRIGGER index_message_change AFTER UPDATE OF heading, text, sub, context ON message WHEN old.role NOT IN ('tool', 'tool_result') BEGIN
  INSERT INTO message_search (message_search, rowid, content, sub, context) VALUES ('delete', old.number, old.heading || char(10) || old.text, old.sub, old.context);
  INSERT INTO message_search (rowid, content, sub, context) VALUES (new.number, new.heading || char(10) || new.text, new.sub, new.context);
  UPDATE message_statistics SET changes = changes + 1;
END;

-- migration: unanalysed (not read)
-- Rows are analysed again from the latest to the oldest, so new rows are never among the remaining ones. `unanalysed`
-- has the highest numbers of rows that may have columns of an earlier analysis, 0 if there are none.
CREATE TABLE unanalysed (observation INTEGER NOT NULL, message INTEGER NOT NULL) STRICT;
INSERT INTO unanalysed VALUES (0, 0);

-- migration: analyse_anew (not read)
-- Mark all rows as not analysed. Append this migration again whenever `domain/search/indexing` changes. The version of
-- a file keeps programs with an earlier analysis from adding rows.
UPDATE unanalysed SET
  observation = (SELECT coalesce(max(seq), 0) FROM observation),
  message = (SELECT coalesce(max(number), 0) FROM message)

-- migration: replaced_by
-- Rows with a link are purged, so the index of purged rows finds them.
ALTER TABLE observation ADD COLUMN replaced_by BLOB

-- migration: version
ALTER TABLE code_change ADD COLUMN version TEXT

-- migration: prompts (not read)
-- The prompt of a captured edit is indexed in `sub`, after the first line end, not in the content. Rows of earlier
-- versions have no line end there: their index has the whole content. See `ACCOUNT`.
DROP TRIGGER index_new; DROP TRIGGER index_out; DROP TRIGGER index_change; DROP VIEW live; DROP VIEW purged;
CREATE VIEW live AS SELECT seq, indexed_title AS title, heading || char(10) || substr(content, 1 + iif(instr(sub, char(10)), length(sub) - instr(sub, char(10)), 0)) AS content, sub, context
  FROM observation WHERE purged_at IS NULL;
CREATE VIEW purged AS SELECT seq, indexed_title AS title, heading || char(10) || substr(content, 1 + iif(instr(sub, char(10)), length(sub) - instr(sub, char(10)), 0)) AS content, sub, context
  FROM observation WHERE purged_at IS NOT NULL;

CREATE TRIGGER index_new AFTER INSERT ON observation BEGIN
  INSERT INTO search (rowid, title, content, sub, context) SELECT new.seq, new.indexed_title, new.heading || char(10) || substr(new.content, 1 + iif(instr(new.sub, char(10)), length(new.sub) - instr(new.sub, char(10)), 0)), new.sub, new.context WHERE new.purged_at IS NULL;
  INSERT INTO search_purged (rowid, title, content, sub, context) SELECT new.seq, new.indexed_title, new.heading || char(10) || substr(new.content, 1 + iif(instr(new.sub, char(10)), length(new.sub) - instr(new.sub, char(10)), 0)), new.sub, new.context WHERE new.purged_at IS NOT NULL;
  UPDATE statistics SET live = live + (new.purged_at IS NULL), changes = changes + 1;
END;
CREATE TRIGGER index_out AFTER DELETE ON observation BEGIN
  INSERT INTO search (search, rowid, title, content, sub, context) SELECT 'delete', old.seq, old.indexed_title, old.heading || char(10) || substr(old.content, 1 + iif(instr(old.sub, char(10)), length(old.sub) - instr(old.sub, char(10)), 0)), old.sub, old.context WHERE old.purged_at IS NULL;
  INSERT INTO search_purged (search_purged, rowid, title, content, sub, context)
    SELECT 'delete', old.seq, old.indexed_title, old.heading || char(10) || substr(old.content, 1 + iif(instr(old.sub, char(10)), length(old.sub) - instr(old.sub, char(10)), 0)), old.sub, old.context WHERE old.purged_at IS NOT NULL;
  UPDATE statistics SET live = live - (old.purged_at IS NULL), changes = changes + 1;
END;
CREATE TRIGGER index_change
AFTER UPDATE OF indexed_title, heading, content, sub, context, purged_at ON observation BEGIN
  INSERT INTO search (search, rowid, title, content, sub, context) SELECT 'delete', old.seq, old.indexed_title, old.heading || char(10) || substr(old.content, 1 + iif(instr(old.sub, char(10)), length(old.sub) - instr(old.sub, char(10)), 0)), old.sub, old.context WHERE old.purged_at IS NULL;
  INSERT INTO search_purged (search_purged, rowid, title, content, sub, context)
    SELECT 'delete', old.seq, old.indexed_title, old.heading || char(10) || substr(old.content, 1 + iif(instr(old.sub, char(10)), length(old.sub) - instr(old.sub, char(10)), 0)), old.sub, old.context WHERE old.purged_at IS NOT NULL;
  INSERT INTO search (rowid, title, content, sub, context) SELECT new.seq, new.indexed_title, new.heading || char(10) || substr(new.content, 1 + iif(instr(new.sub, char(10)), length(new.sub) - instr(new.sub, char(10)), 0)), new.sub, new.context WHERE new.purged_at IS NULL;
  INSERT INTO search_purged (rowid, title, content, sub, context) SELECT new.seq, new.indexed_title, new.heading || char(10) || substr(new.content, 1 + iif(instr(new.sub, char(10)), length(new.sub) - instr(new.sub, char(10)), 0)), new.sub, new.context WHERE new.purged_at IS NOT NULL;
  UPDATE statistics
    SET live = live + (new.purged_at IS NULL) - (old.purged_at IS NULL), changes = changes + 1;
END;

-- migration: analyse_anew (not read)
UPDATE unanalysed SET
  observation = (SELECT coalesce(max(seq), 0) FROM observation),
  message = (SELECT coalesce(max(number), 0) FROM message)

-- migration: audit
-- The trail has no text of memories. `audited` has the ids of memories not erased, in the order of the change.
CREATE TABLE audit (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  actor TEXT NOT NULL,
  author TEXT,
  session TEXT,
  undoes BLOB,
  count INTEGER NOT NULL,
  old TEXT,
  new TEXT,
  origin TEXT NOT NULL
) STRICT;
CREATE INDEX audit_at ON audit (at, number);
CREATE TABLE audited (
  entry INTEGER NOT NULL REFERENCES audit ON DELETE CASCADE,
  change TEXT NOT NULL,
  place INTEGER NOT NULL,
  memory BLOB NOT NULL,
  PRIMARY KEY (entry, change, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX audited_memory ON audited (memory);
CREATE TABLE off_period (since INTEGER PRIMARY KEY, until INTEGER) STRICT;

-- migration: packed
-- For long hunks, `hunks` is empty: they are compressed (`tables/packed_hunks`).
ALTER TABLE code_change ADD COLUMN packed BLOB

-- migration: aged (not read)
-- Captured edits lose their lines with age.
ALTER TABLE observation ADD COLUMN aged INTEGER

-- migration: upkeep (not read)
-- The index has the captured edits that still have their lines. `ageing` counts those that have lost them since the
-- last merge of the search index. A row in `restored` names the restore that created the file.
CREATE INDEX observation_unaged ON observation (moment)
  WHERE kind = 'change' AND source IN ('edit', 'command') AND aged IS NULL;
CREATE TABLE ageing (unmerged INTEGER NOT NULL) STRICT;
INSERT INTO ageing VALUES (0);
CREATE TABLE restored (mark BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;

-- migration: shown (not read)
-- Ids of the memories shown by a hook, each followed by a space.
ALTER TABLE activity ADD COLUMN memories TEXT

-- migration: keywords (not read by hooks)
ALTER TABLE observation ADD COLUMN keywords TEXT NOT NULL DEFAULT ''

-- migration: checkout (not read by hooks)
-- Hooks read an older file through a view: see `open_project`.
ALTER TABLE observation ADD COLUMN branch TEXT;
ALTER TABLE observation ADD COLUMN head TEXT

-- migration: client (not read by hooks)
ALTER TABLE observation ADD COLUMN client TEXT;
ALTER TABLE message ADD COLUMN client TEXT

-- migration: learned (not read)
-- Counts learned commits fast: the overview at the start of a session leaves them out.
CREATE INDEX observation_learned ON observation (kind, source)
  WHERE kind = 'change' AND source = 'git' AND purged_at IS NULL

-- migration: warned_edit (not read by hooks)
-- `edit` is the edit that a hook warned about, null for any other entry. One index has only the entries of warnings, to
-- read the latest ones. The other one has the tokens of each entry: reading the 36,000 rows of a year instead would
-- take twenty times as long.
ALTER TABLE activity ADD COLUMN edit TEXT;
CREATE INDEX activity_edit ON activity (at, name) WHERE edit IS NOT NULL;
CREATE INDEX activity_given ON activity (at, tokens) WHERE kind = 'injected'

-- migration: metadata (not read by hooks)
-- JSON object of strings, null if it is empty.
ALTER TABLE observation ADD COLUMN metadata TEXT
