-- Made by `python -m tests.golden.squash`.
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
, author TEXT, replaced_by BLOB, aged INTEGER, keywords TEXT NOT NULL DEFAULT '', branch TEXT, head TEXT, client TEXT, metadata TEXT) STRICT;
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
  hunks TEXT NOT NULL, former TEXT, version TEXT, packed BLOB,
  PRIMARY KEY (seq, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX code_change_path ON code_change (path, seq);
CREATE TABLE statistics (live INTEGER NOT NULL, changes INTEGER NOT NULL) STRICT;
CREATE VIRTUAL TABLE search USING fts5(
  title, content, sub, context, content = 'live', content_rowid = 'seq', tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE search_purged USING fts5(
  title, content, sub, context, content = 'purged', content_rowid = 'seq', tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE search_terms USING fts5vocab('search', 'row');
CREATE VIRTUAL TABLE search_purged_terms USING fts5vocab('search_purged', 'row');
CREATE TABLE embedding_model (name TEXT NOT NULL, dimension INTEGER NOT NULL) STRICT;
CREATE TABLE unembedded (seq INTEGER PRIMARY KEY REFERENCES observation ON DELETE CASCADE) STRICT;
CREATE TABLE vector (
  seq INTEGER PRIMARY KEY REFERENCES observation ON DELETE CASCADE,
  purged INTEGER NOT NULL,
  code BLOB,
  vector BLOB
) STRICT;
CREATE TRIGGER embed_new AFTER INSERT ON observation BEGIN INSERT INTO unembedded VALUES (new.seq); END;
CREATE TRIGGER embed_purged AFTER UPDATE OF purged_at ON observation BEGIN
  UPDATE vector SET purged = new.purged_at IS NOT NULL WHERE seq = new.seq;
END;
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
, client TEXT) STRICT;
CREATE INDEX message_session ON message (session, number, at);
CREATE INDEX message_time ON message (number, at);
CREATE INDEX message_spoken ON message (session, number) WHERE role NOT IN ('tool', 'tool_result');
CREATE INDEX message_human ON message (session, number) WHERE role = 'human';
CREATE TABLE session_name (session TEXT PRIMARY KEY, name TEXT NOT NULL, titled INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
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
CREATE VIEW spoken AS SELECT number, heading || char(10) || text AS content, sub, context
  FROM message WHERE role NOT IN ('tool', 'tool_result');
CREATE VIRTUAL TABLE message_search USING fts5(
  content, sub, context, content = 'spoken', content_rowid = 'number', tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE message_search_terms USING fts5vocab('message_search', 'row');
CREATE TRIGGER index_message AFTER INSERT ON message WHEN new.role NOT IN ('tool', 'tool_result') BEGIN
  INSERT INTO message_search (rowid, content, sub, context) VALUES (new.number, new.heading || char(10) || new.text, new.sub, new.context);
  UPDATE message_statistics SET spoken = spoken + 1, changes = changes + 1;
END;
CREATE TRIGGER index_message_out AFTER DELETE ON message WHEN old.role NOT IN ('tool', 'tool_result') BEGIN
  INSERT INTO message_search (message_search, rowid, content, sub, context) VALUES ('delete', old.number, old.heading || char(10) || old.text, old.sub, old.context);
  UPDATE message_statistics SET spoken = spoken - 1, changes = changes + 1;
END;
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
CREATE TABLE activity (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  session TEXT,
  about TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  origin TEXT NOT NULL
, memories TEXT, edit TEXT) STRICT, WITHOUT ROWID;
CREATE INDEX activity_at ON activity (at);
CREATE INDEX observation_kind ON observation (kind, moment) WHERE purged_at IS NULL;
CREATE INDEX observation_decision ON observation (kind, source, moment)
  WHERE kind = 'note' AND source = 'decision' AND purged_at IS NULL;
CREATE INDEX message_at ON message (at);
CREATE TABLE erased_message (mark BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE code_block (block INTEGER PRIMARY KEY, states BLOB NOT NULL, codes BLOB NOT NULL) STRICT;
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
CREATE TABLE waiting_title (record TEXT PRIMARY KEY, title TEXT NOT NULL, origin TEXT NOT NULL) STRICT;
CREATE TABLE session_end (record TEXT PRIMARY KEY, session TEXT NOT NULL, origin TEXT NOT NULL) STRICT;
CREATE TRIGGER index_message_change AFTER UPDATE OF heading, text, sub, context ON message WHEN old.role NOT IN ('tool', 'tool_result') BEGIN
  INSERT INTO message_search (message_search, rowid, content, sub, context) VALUES ('delete', old.number, old.heading || char(10) || old.text, old.sub, old.context);
  INSERT INTO message_search (rowid, content, sub, context) VALUES (new.number, new.heading || char(10) || new.text, new.sub, new.context);
  UPDATE message_statistics SET changes = changes + 1;
END;
CREATE TABLE unanalysed (observation INTEGER NOT NULL, message INTEGER NOT NULL) STRICT;
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
CREATE INDEX observation_unaged ON observation (moment)
  WHERE kind = 'change' AND source IN ('edit', 'command') AND aged IS NULL;
CREATE TABLE ageing (unmerged INTEGER NOT NULL) STRICT;
CREATE TABLE restored (mark BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE INDEX observation_learned ON observation (kind, source)
  WHERE kind = 'change' AND source = 'git' AND purged_at IS NULL;
CREATE INDEX activity_edit ON activity (at, name) WHERE edit IS NOT NULL;
CREATE INDEX activity_given ON activity (at, tokens) WHERE kind = 'injected';
INSERT INTO search (search, rank) VALUES ('automerge', 16);
INSERT INTO message_search (message_search, rank) VALUES ('automerge', 16);
INSERT INTO ageing VALUES (0);
INSERT INTO message_statistics VALUES (0, 0);
INSERT INTO statistics VALUES (0, 0);
INSERT INTO unanalysed VALUES (0, 0);
PRAGMA user_version = 28;
