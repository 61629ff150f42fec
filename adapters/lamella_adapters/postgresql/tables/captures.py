"""Requests of captures that were recorded, as hashes, which outlive their observations."""

REMEMBER = """
INSERT INTO capture (project, mark, origin) SELECT here(), unnest(%(marks)s::bytea[]), %(origin)s
ON CONFLICT DO NOTHING
"""
"""Statement that remembers some."""

KNOWN = "SELECT mark FROM capture WHERE project = here() AND mark = ANY(%(marks)s::bytea[])"
"""Question for those of some that are known."""
