-- Schema of the registry, as numbered migrations. All but access tokens can be rebuilt from the files of projects.
-- Never edit a released migration: append a new one. The version of a file (`PRAGMA user_version`) is the number of its
-- migrations. `(not read)` marks a migration that is fast even in a large file, and changes nothing that is read.

-- migration: projects
CREATE TABLE project (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL, moved_to TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE alias (
  alias BLOB PRIMARY KEY, project TEXT NOT NULL REFERENCES project
) STRICT, WITHOUT ROWID;

-- migration: off_periods (not read)
-- Periods in which memory was switched off.
CREATE TABLE off_period (
  project TEXT NOT NULL REFERENCES project,
  since INTEGER NOT NULL,
  until INTEGER,
  PRIMARY KEY (project, since)
) STRICT, WITHOUT ROWID;

-- migration: access_tokens (not read)
-- A registry that was rebuilt from the files of the projects has no tokens.
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

-- migration: access_events (not read)
CREATE TABLE access_event (
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  about TEXT NOT NULL,
  by TEXT NOT NULL,
  origin TEXT NOT NULL
) STRICT;
