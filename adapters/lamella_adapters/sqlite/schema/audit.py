"""Tables of the audit trail, and of the times in which memory was switched off."""

# The trail holds no text of memories. `audited` names those that were not erased, in the order of the change.
AUDIT = """
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
"""
"""Migration of a project's file."""

OFF_PERIODS = """
CREATE TABLE off_period (
  project TEXT NOT NULL REFERENCES project,
  since INTEGER NOT NULL,
  until INTEGER,
  PRIMARY KEY (project, since)
) STRICT, WITHOUT ROWID;
"""
"""Migration of the registry."""
