"""What the hooks of a client need: the table of the log of activity, and indexes for what they ask."""

# The log is asked by moment, for the last days and for what is too old to be kept: every addition looks for that.
# The latest of a kind are asked for at the start of a session, which must not take longer where there are many
# memories. SQLite uses the index of decisions only with the columns that it fixes in front. Both cost a save 3 %.
ACTIVITY = """
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
"""The migration that makes them."""
