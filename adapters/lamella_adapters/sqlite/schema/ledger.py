"""Tables of the ledger of code changes."""

# `changed_lines` keeps the fingerprints of added (`came`) and removed (`went`) lines. They can be computed from
# the hunks again, but that takes a while. A capture outlives its observation, so that an erased one is not
# captured again: it is a hash, and holds no text.
LEDGER = """
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
"""
"""Migration: tables of the ledger."""
