"""Schemas of a project's file and of the registry, as numbered migrations.

A released migration is never edited: append a new one to its list to change the schema. The version of a file
(`PRAGMA user_version`) is the number of migrations that it has seen.
"""

from collections.abc import Sequence

from lamella_adapters.sqlite.schema.audit import AUDIT, OFF_PERIODS
from lamella_adapters.sqlite.schema.conversations import (
    CONVERSATIONS,
    ERASED_MESSAGES,
    MESSAGE_CHANGES,
    MESSAGE_TIMES,
    SESSION_TITLES,
)
from lamella_adapters.sqlite.schema.embeddings import CODE_BLOCKS, VECTORS
from lamella_adapters.sqlite.schema.ledger import LEDGER

APPLICATION_ID = 0x4C414D45
"""`LAME` in ASCII, in the header of each of our files, to tell them from other databases."""

_INDEXED = "title, content, sub, context"
_NEW = "new.indexed_title, new.heading || char(10) || new.content, new.sub, new.context"
_OLD = "old.indexed_title, old.heading || char(10) || old.content, old.sub, old.context"

# One index for live rows and one of the same columns for purged rows: LIMIT is exact without a filter, and purged
# rows never touch the statistics of live ones. Their contents are views, so that `rebuild` restores no purged row.
# There is one trigger for each event: SQLite does not define the order of several, and the wrong order corrupts
# the index.
_FIRST = f"""
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
  {_INDEXED}, content = 'live', content_rowid = 'seq', tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE search_purged USING fts5(
  {_INDEXED}, content = 'purged', content_rowid = 'seq', tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE search_terms USING fts5vocab('search', 'row');
CREATE VIRTUAL TABLE search_purged_terms USING fts5vocab('search_purged', 'row');
INSERT INTO search (search, rank) VALUES ('automerge', 16);

CREATE TRIGGER index_new AFTER INSERT ON observation BEGIN
  INSERT INTO search (rowid, {_INDEXED}) SELECT new.seq, {_NEW} WHERE new.purged_at IS NULL;
  INSERT INTO search_purged (rowid, {_INDEXED}) SELECT new.seq, {_NEW} WHERE new.purged_at IS NOT NULL;
  UPDATE statistics SET live = live + (new.purged_at IS NULL), changes = changes + 1;
END;
CREATE TRIGGER index_out AFTER DELETE ON observation BEGIN
  INSERT INTO search (search, rowid, {_INDEXED}) SELECT 'delete', old.seq, {_OLD} WHERE old.purged_at IS NULL;
  INSERT INTO search_purged (search_purged, rowid, {_INDEXED})
    SELECT 'delete', old.seq, {_OLD} WHERE old.purged_at IS NOT NULL;
  UPDATE statistics SET live = live - (old.purged_at IS NULL), changes = changes + 1;
END;
CREATE TRIGGER index_change
AFTER UPDATE OF indexed_title, heading, content, sub, context, purged_at ON observation BEGIN
  INSERT INTO search (search, rowid, {_INDEXED}) SELECT 'delete', old.seq, {_OLD} WHERE old.purged_at IS NULL;
  INSERT INTO search_purged (search_purged, rowid, {_INDEXED})
    SELECT 'delete', old.seq, {_OLD} WHERE old.purged_at IS NOT NULL;
  INSERT INTO search (rowid, {_INDEXED}) SELECT new.seq, {_NEW} WHERE new.purged_at IS NULL;
  INSERT INTO search_purged (rowid, {_INDEXED}) SELECT new.seq, {_NEW} WHERE new.purged_at IS NOT NULL;
  UPDATE statistics
    SET live = live + (new.purged_at IS NULL) - (old.purged_at IS NULL), changes = changes + 1;
END;
"""  # noqa: S608 - made of our own constants

# The log is read by time, for the last days and for entries past their retention: every addition deletes those.
# The latest memories of a kind are read at the start of a session, which must not take longer in a large project.
# SQLite uses the index of decisions only with the columns that it fixes in front. Both indexes cost a save 3 %.
_ACTIVITY = """
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
"""

# The ids of the memories that a hook gave, each with a space behind it.
_SHOWN = "ALTER TABLE activity ADD COLUMN memories TEXT"

_AUTHOR = "ALTER TABLE observation ADD COLUMN author TEXT"

# Rows with a link are purged: they are found by the index of purged rows.
_REPLACED_BY = "ALTER TABLE observation ADD COLUMN replaced_by BLOB"
_VERSION = "ALTER TABLE code_change ADD COLUMN version TEXT"

# Long hunks are compressed, and `hunks` is empty then (`tables/packed_hunks`). Captured edits lose their lines
# with age. The index has those that did not yet; `ageing` says how many did since the search index was merged. A
# row in `restored` names the restore that made the file.
_PACKED = "ALTER TABLE code_change ADD COLUMN packed BLOB"
_AGED = "ALTER TABLE observation ADD COLUMN aged INTEGER"
_UPKEEP = """
CREATE INDEX observation_unaged ON observation (moment)
  WHERE kind = 'change' AND source IN ('edit', 'command') AND aged IS NULL;
CREATE TABLE ageing (unmerged INTEGER NOT NULL) STRICT;
INSERT INTO ageing VALUES (0);
CREATE TABLE restored (mark BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
"""

# Rows are analysed backwards: recent ones come first, and new ones are never among those that are left.
_UNANALYSED = """
CREATE TABLE unanalysed (observation INTEGER NOT NULL, message INTEGER NOT NULL) STRICT;
INSERT INTO unanalysed VALUES (0, 0);
"""

# The prompt of a captured edit stands in `sub`, after its first line end, and not in the indexed content, which
# would begin with it. Rows of earlier versions have no line end there: their index holds the whole content.
_ACCOUNT = (
    "{row}heading || char(10) || substr({row}content, 1 + "
    "iif(instr({row}sub, char(10)), length({row}sub) - instr({row}sub, char(10)), 0))"
)
ACCOUNT = _ACCOUNT.format(row="")
"""The indexed content of a row of `observation`."""

_NEW_EDIT = f"new.indexed_title, {_ACCOUNT.format(row='new.')}, new.sub, new.context"
_OLD_EDIT = f"old.indexed_title, {_ACCOUNT.format(row='old.')}, old.sub, old.context"
_PROMPTS = f"""
DROP TRIGGER index_new; DROP TRIGGER index_out; DROP TRIGGER index_change; DROP VIEW live; DROP VIEW purged;
CREATE VIEW live AS SELECT seq, indexed_title AS title, {ACCOUNT} AS content, sub, context
  FROM observation WHERE purged_at IS NULL;
CREATE VIEW purged AS SELECT seq, indexed_title AS title, {ACCOUNT} AS content, sub, context
  FROM observation WHERE purged_at IS NOT NULL;

CREATE TRIGGER index_new AFTER INSERT ON observation BEGIN
  INSERT INTO search (rowid, {_INDEXED}) SELECT new.seq, {_NEW_EDIT} WHERE new.purged_at IS NULL;
  INSERT INTO search_purged (rowid, {_INDEXED}) SELECT new.seq, {_NEW_EDIT} WHERE new.purged_at IS NOT NULL;
  UPDATE statistics SET live = live + (new.purged_at IS NULL), changes = changes + 1;
END;
CREATE TRIGGER index_out AFTER DELETE ON observation BEGIN
  INSERT INTO search (search, rowid, {_INDEXED}) SELECT 'delete', old.seq, {_OLD_EDIT} WHERE old.purged_at IS NULL;
  INSERT INTO search_purged (search_purged, rowid, {_INDEXED})
    SELECT 'delete', old.seq, {_OLD_EDIT} WHERE old.purged_at IS NOT NULL;
  UPDATE statistics SET live = live - (old.purged_at IS NULL), changes = changes + 1;
END;
CREATE TRIGGER index_change
AFTER UPDATE OF indexed_title, heading, content, sub, context, purged_at ON observation BEGIN
  INSERT INTO search (search, rowid, {_INDEXED}) SELECT 'delete', old.seq, {_OLD_EDIT} WHERE old.purged_at IS NULL;
  INSERT INTO search_purged (search_purged, rowid, {_INDEXED})
    SELECT 'delete', old.seq, {_OLD_EDIT} WHERE old.purged_at IS NOT NULL;
  INSERT INTO search (rowid, {_INDEXED}) SELECT new.seq, {_NEW_EDIT} WHERE new.purged_at IS NULL;
  INSERT INTO search_purged (rowid, {_INDEXED}) SELECT new.seq, {_NEW_EDIT} WHERE new.purged_at IS NOT NULL;
  UPDATE statistics
    SET live = live + (new.purged_at IS NULL) - (old.purged_at IS NULL), changes = changes + 1;
END;
"""  # noqa: S608 - made of our own constants

ANALYSE_ANEW = """
UPDATE unanalysed SET
  observation = (SELECT coalesce(max(seq), 0) FROM observation),
  message = (SELECT coalesce(max(number), 0) FROM message)
"""
"""Migration: leave all rows to be analysed anew. Append it again whenever `domain/search/indexing` changes.

`unanalysed` has the highest numbers of rows whose columns an earlier analysis may have made, 0 if there are none.
The version of a file keeps programs with an earlier analysis from adding such rows later.
"""

PROJECT: Sequence[str] = (
    _FIRST,
    VECTORS,
    CONVERSATIONS,
    LEDGER,
    _ACTIVITY,
    MESSAGE_TIMES,
    ERASED_MESSAGES,
    CODE_BLOCKS,
    SESSION_TITLES,
    _AUTHOR,
    MESSAGE_CHANGES,
    _UNANALYSED,
    ANALYSE_ANEW,
    _REPLACED_BY,
    _VERSION,
    _PROMPTS,
    ANALYSE_ANEW,
    AUDIT,
    _PACKED,
    _AGED,
    _UPKEEP,
    _SHOWN,
)
"""Migrations of a project's file."""

# A registry that is made anew from the files of the projects has no tokens.
_ACCESS_TOKENS = """
CREATE TABLE access_token (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  project TEXT,
  author TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  used_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
"""

_NOT_READ = frozenset(
    {MESSAGE_CHANGES, _UNANALYSED, ANALYSE_ANEW, _PROMPTS, _AGED, _UPKEEP, _SHOWN, OFF_PERIODS, _ACCESS_TOKENS}
)
"""Migrations that change nothing that is read, and that take no longer in a large file."""

REGISTRY: Sequence[str] = (
    """
CREATE TABLE project (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL, moved_to TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE alias (
  alias BLOB PRIMARY KEY, project TEXT NOT NULL REFERENCES project
) STRICT, WITHOUT ROWID;
""",
    OFF_PERIODS,
    _ACCESS_TOKENS,
)
"""Migrations of the registry, which can be rebuilt from the files of the projects, but for access tokens."""


def reads_alike(migrations: Sequence[str], version: int) -> bool:
    """Return True if a file of that `version` is read as if it had seen all `migrations`.

    Such a file needs no backup before it is migrated, and is read without that if it cannot be written.
    """
    return version <= len(migrations) and _NOT_READ.issuperset(migrations[version:])
