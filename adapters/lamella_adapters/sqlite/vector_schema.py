"""The tables of the vectors: ordinary ones, which every SQLite can read, write, check and copy."""

# An observation is either in `unembedded` or in `vector`, with NULLs where there was nothing to embed. Its code is
# the sign of each dimension, one bit, so that it can be compared with all others quickly. Their index is not there
# to look anything up: it is read from one end to the other, because it holds nothing else.
VECTORS = """
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
"""
"""The migration that makes them. `embedding_model` has one row at most: the model that was adopted last."""
