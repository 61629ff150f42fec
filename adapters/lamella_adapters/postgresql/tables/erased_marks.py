"""Marks of erased conversations and memories, which keep copies from restoring them."""

REMEMBER_ERASED = """
INSERT INTO erased_message (project, mark) SELECT here(), unnest(%(marks)s::bytea[]) ON CONFLICT DO NOTHING
"""
"""Statement that remembers some."""

KNOWN_MARKS = "SELECT mark FROM erased_message WHERE project = here() AND mark = ANY(%(marks)s::bytea[])"
"""Question for those of some that are known."""

ALL_MARKS = "SELECT mark FROM erased_message WHERE project = here()"
"""Question for all of them."""
