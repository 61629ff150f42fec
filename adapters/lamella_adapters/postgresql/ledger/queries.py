"""Questions about the changes of files: their names over time, and the changes under these names."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from lamella.domain.ledger.file_change import FileChange, Place
from lamella.domain.ledger.fingerprints import unpacked
from lamella.domain.ledger.hunk_fingerprints import LineFingerprints
from lamella.domain.ledger.reintroduction import names_over_time
from lamella.domain.memories.ids import shortest
from lamella.domain.memories.observation import CodeChange, Kind
from lamella_adapters.postgresql.database.columns import from_microseconds
from lamella_adapters.postgresql.database.turn import Row, Turn
from lamella_adapters.postgresql.tables.observation_rows import BESIDE, PATH_KEY_CHARACTERS

Names = Sequence[tuple[str, Place | None]]
"""Names of a file, latest first, each with the place of the rename that ended it."""

_RENAMES = """
WITH RECURSIVE rename AS (
  SELECT c.path, c.former, o.moment, o.seq, c.place
  FROM code_change AS c JOIN observation AS o USING (project, seq)
  WHERE project = here() AND c.path_key = left(%(path)s, %(characters)s) AND c.path = %(path)s
    AND c.former <> c.path AND o.purged_at IS NULL
  UNION
  SELECT c.path, c.former, o.moment, o.seq, c.place FROM rename AS r
  JOIN code_change AS c ON c.project = here() AND c.path_key = left(r.former, %(characters)s) AND c.path = r.former
    AND c.former <> c.path
  JOIN observation AS o ON o.project = here() AND o.seq = c.seq AND o.purged_at IS NULL
)
SELECT path, former, moment, seq FROM rename ORDER BY moment DESC, seq DESC, place
"""
_CHANGES = f"""
SELECT o.id, {BESIDE}, o.moment, o.seq, c.place, o.kind, o.session, o.title, o.source, c.path,
  (o.changes -> c.place) - 'hunks' - 'version', c.came, c.went
FROM code_change AS c JOIN observation AS o ON o.project = here() AND o.seq = c.seq
WHERE c.project = here() AND o.purged_at IS NULL AND {{condition}}
ORDER BY o.moment DESC, o.seq DESC, c.place DESC
"""  # noqa: S608 - our own constants
_NAMED = _CHANGES.format(condition="c.path_key = ANY(%(keys)s::text[]) AND c.path = ANY(%(names)s::text[])")
_BELOW = (
    _CHANGES.format(
        condition="""(%(every)s OR c.path_key BETWEEN %(key)s AND %(key)s || U&'\\+10FFFF')
  AND starts_with(c.path, %(folder)s)"""
    )
    + " LIMIT %(limit)s"
)


@frozen
class Entry:
    """A change of a file, with its place and the fingerprints of its lines."""

    change: FileChange
    place: tuple[Place, int]
    lines: LineFingerprints

    @classmethod
    def of(cls, row: Row) -> "Entry":
        """Return the entry in a row of a question for changes."""
        id, before, after, moment, seq, place, kind, session, title, source, _, change, came, went = row
        at: datetime = from_microseconds(moment)
        entry = FileChange(
            observation=id,
            short_id=shortest(id.hex, [each.hex for each in (before, after) if each is not None]),
            at=at,
            kind=Kind(kind),
            session=session,
            title=title,
            source=source,
            change=CodeChange(**change),
        )
        lines = LineFingerprints(added=unpacked(came), removed=unpacked(went))
        return cls(entry, (Place(at, seq), place), lines)


def file_names(turn: Turn, path: str) -> Names:
    """Return all names of the file that is at `path` now."""
    renames = [
        (name, former, Place(from_microseconds(moment), seq))
        for name, former, moment, seq in turn.rows(_RENAMES, path=path, characters=PATH_KEY_CHARACTERS)
    ]

    def rename(name: str, before: Place | None) -> tuple[str, Place] | None:
        earlier = (
            (former, place)
            for path, former, place in renames
            if path == name and (before is None or place < before)
        )
        return next(earlier, None)

    return names_over_time(path, rename)


def file_changes(turn: Turn, path: str) -> list[Entry]:
    """Return every change of a file, under all of its names, latest first."""
    names = file_names(turn, path)
    rows = turn.rows(
        _NAMED,
        names=[name for name, _ in names],
        keys=[name[:PATH_KEY_CHARACTERS] for name, _ in names],
    )
    return [each for each in map(Entry.of, rows) if _is_of(each, names)]


def changes_below(turn: Turn, path: str, limit: int) -> list[Entry]:
    """Return the latest changes of a file, and of the files in the folder of that name, latest first."""
    folder = "" if path == "." else f"{path}/"
    rows = turn.rows(_BELOW, every=not folder, folder=folder, key=folder[:PATH_KEY_CHARACTERS], limit=limit)
    found = {each.place: each for each in (*file_changes(turn, path), *map(Entry.of, rows))}
    return sorted(found.values(), key=lambda each: each.place, reverse=True)[:limit]


def _is_of(entry: Entry, names: Names) -> bool:
    place, path = entry.place[0], entry.change.change.path
    return any(path == name and (end is None or place < end) for name, end in names)
