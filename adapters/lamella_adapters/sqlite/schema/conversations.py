"""Tables of a project's conversations, independent of its observations."""

SPOKEN = "role NOT IN ('tool', 'tool_result')"
"""Condition for messages that are searched; see `Role.searched`.

A query must repeat it literally to use a partial index.
"""

INDEX = "message_search"
"""Name of the full-text index of the messages."""

_INDEXED = "content, sub, context"
_NEW = "new.heading || char(10) || new.text, new.sub, new.context"
_OLD = "old.heading || char(10) || old.text, old.sub, old.context"

# Search reads the time of each match: from a narrow index, twice as fast as from its row. A session has a
# name here only if its source gave it one.
CONVERSATIONS = f"""
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
CREATE INDEX message_spoken ON message (session, number) WHERE {SPOKEN};
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
  FROM message WHERE {SPOKEN};
CREATE VIRTUAL TABLE {INDEX} USING fts5(
  {_INDEXED}, content = 'spoken', content_rowid = 'number', tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE {INDEX}_terms USING fts5vocab('{INDEX}', 'row');
INSERT INTO {INDEX} ({INDEX}, rank) VALUES ('automerge', 16);

CREATE TRIGGER index_message AFTER INSERT ON message WHEN new.{SPOKEN} BEGIN
  INSERT INTO {INDEX} (rowid, {_INDEXED}) VALUES (new.number, {_NEW});
  UPDATE message_statistics SET spoken = spoken + 1, changes = changes + 1;
END;
CREATE TRIGGER index_message_out AFTER DELETE ON message WHEN old.{SPOKEN} BEGIN
  INSERT INTO {INDEX} ({INDEX}, rowid, {_INDEXED}) VALUES ('delete', old.number, {_OLD});
  UPDATE message_statistics SET spoken = spoken - 1, changes = changes + 1;
END;
"""  # noqa: S608 - made of our own constants
"""Migration: tables, indexes and triggers of conversations."""

MESSAGE_CHANGES = f"""
CREATE TRIGGER index_message_change AFTER UPDATE OF heading, text, sub, context ON message WHEN old.{SPOKEN} BEGIN
  INSERT INTO {INDEX} ({INDEX}, rowid, {_INDEXED}) VALUES ('delete', old.number, {_OLD});
  INSERT INTO {INDEX} (rowid, {_INDEXED}) VALUES (new.number, {_NEW});
  UPDATE message_statistics SET changes = changes + 1;
END;
"""  # noqa: S608 - made of our own constants
"""Migration: index a message anew when it is analysed anew, the only change of a message."""

MESSAGE_TIMES = "CREATE INDEX message_at ON message (at);"
"""Migration: an index to read the time of the latest message, which bounds the recency of all others."""

ERASED_MESSAGES = "CREATE TABLE erased_message (mark BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;"
"""Migration: hashes of the keys of erased messages and of erased sessions; they hold no text."""

SESSION_TITLES = """
ALTER TABLE session_name ADD COLUMN titled INTEGER NOT NULL DEFAULT 0;
CREATE TABLE waiting_title (record TEXT PRIMARY KEY, title TEXT NOT NULL, origin TEXT NOT NULL) STRICT;
CREATE TABLE session_end (record TEXT PRIMARY KEY, session TEXT NOT NULL, origin TEXT NOT NULL) STRICT;
"""
"""Migration: titles that name a session by one of its records.

`titled` marks a name that is such a title. `waiting_title` holds titles whose record has not been imported yet,
`session_end` records without a message at which a conversation may have ended.
"""
