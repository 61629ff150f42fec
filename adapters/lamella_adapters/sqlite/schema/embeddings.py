"""Tables of the vectors: ordinary ones, which every SQLite can read, write, check and copy."""

# An observation is either in `unembedded` or in `vector`, with NULLs if there was nothing to embed. Its sign code
# has one bit for the sign of each dimension, so that it can be compared with all others quickly.
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
"""Migration: tables and triggers of vectors. `embedding_model` has one row at most: the model adopted last."""

PLACES = 256
"""Sequence numbers in a block. At 256 all sign codes of 40,000 rows are read in 0.2 ms."""

NONE, LIVE, PURGED = 0, 1, 2
"""States of a place in a block: no code, the code of a live row, or the code of a purged one."""

_STATE = (
    f"CASE WHEN {{code}} IS NULL THEN x'{NONE:02x}' WHEN {{purged}} THEN x'{PURGED:02x}' ELSE x'{LIVE:02x}' END"
)
_WIDTH = f"(length(codes) / {PLACES})"
_BEGIN = f"""
  INSERT INTO code_block SELECT new.seq / {PLACES}, zeroblob({PLACES}), zeroblob({PLACES} * length(new.code))
  WHERE new.code IS NOT NULL ON CONFLICT DO NOTHING;
"""
_SET = f"""
  UPDATE code_block SET
    states = CAST(substr(states, 1, {{place}}) || {{state}} || substr(states, {{place}} + 2) AS BLOB),
    codes = CAST(substr(codes, 1, {{place}} * {_WIDTH}) || coalesce({{code}}, zeroblob({_WIDTH}))
      || substr(codes, ({{place}} + 1) * {_WIDTH} + 1) AS BLOB)
  WHERE block = {{seq}} / {PLACES};
"""  # noqa: S608 - made of our own constants
_NEW = _SET.format(
    seq="new.seq",
    place=f"(new.seq % {PLACES})",
    state=_STATE.format(code="new.code", purged="new.purged"),
    code="new.code",
)
_OUT = _SET.format(seq="old.seq", place=f"(old.seq % {PLACES})", state=f"x'{NONE:02x}'", code="NULL")

CODED = f"""
WITH RECURSIVE place (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM place WHERE place < {PLACES - 1}),
  begun (block) AS (SELECT block FROM code_block UNION SELECT seq / {PLACES} FROM vector WHERE code IS NOT NULL)
SELECT block,
  unhex(group_concat(hex({_STATE.format(code="code", purged="purged")}), '' ORDER BY place)),
  unhex(group_concat(hex(coalesce(code, zeroblob((dimension + 7) / 8))), '' ORDER BY place))
FROM embedding_model, begun, place LEFT JOIN vector ON seq = block * {PLACES} + place GROUP BY block
"""  # noqa: S608 - made of our own constants
"""Query for the blocks as the rows of `vector` define them, including blocks that have become empty."""

CODE_BLOCKS = f"""
CREATE TABLE code_block (block INTEGER PRIMARY KEY, states BLOB NOT NULL, codes BLOB NOT NULL) STRICT;
INSERT INTO code_block {CODED};
CREATE TRIGGER code_new AFTER INSERT ON vector BEGIN {_BEGIN} {_NEW} END;
CREATE TRIGGER code_change AFTER UPDATE OF purged, code ON vector BEGIN {_BEGIN} {_NEW} END;
CREATE TRIGGER code_out AFTER DELETE ON vector BEGIN {_OUT} END;
DROP INDEX vector_code;
"""
"""Migration: blocks of sign codes, `PLACES` to a row, so that all codes of a project are read at once.

Triggers update them whenever a vector is written, purged or erased.
"""
