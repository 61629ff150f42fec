"""The tables of a project's conversations: a second collection, which the observations know nothing of."""

SPOKEN = "role NOT IN ('tool', 'tool_result')"
"""Which messages are searched; see `Role.searched`. Written alike wherever a partial index is to be used."""

INDEX = "message_search"
"""The full-text index of the messages."""

_INDEXED = "content, sub, context"
_NEW = "new.heading || char(10) || new.text, new.sub, new.context"
_OLD = "old.heading || char(10) || old.text, old.sub, old.context"

# The time of each message that matches is looked up: in a narrow index, twice as fast as in its row. A message
# never changes, so there is no trigger for updates. A session has a name here only where its source gave it one.
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
"""The migration that brings conversations into a project's file."""

MESSAGE_TIMES = "CREATE INDEX message_at ON message (at);"
"""The migration by which the latest message is known without reading all: none can be fresher."""

ERASED_MESSAGES = "CREATE TABLE erased_message (mark BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;"
"""The migration by which keys of erased messages, and erased sessions, stay known: as hashes that hold no text."""

SESSION_TITLES = """
ALTER TABLE session_name ADD COLUMN titled INTEGER NOT NULL DEFAULT 0;
CREATE TABLE waiting_title (record TEXT PRIMARY KEY, title TEXT NOT NULL, origin TEXT NOT NULL) STRICT;
CREATE TABLE session_end (record TEXT PRIMARY KEY, session TEXT NOT NULL, origin TEXT NOT NULL) STRICT;
"""
"""The migration by which a session gets its name from who knows only one of its records.

Whether its name is such a title (`titled`), titles whose records are not here yet, and records at which a
conversation may have ended and that hold no message.
"""
