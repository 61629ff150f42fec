"""Rows of observations. Only this module converts between columns of observations and values.

Rows of code changes are imported on first use: the first save has none.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

import apsw
from attrs import evolve, frozen

from lamella.domain.memories.observation import CodeChange, Kind, Observation
from lamella.domain.search import indexing
from lamella.domain.text.printing import canonical
from lamella_adapters.sqlite.file.connection import failure, fetch
from lamella_adapters.sqlite.tables.context_column import needed_context

if TYPE_CHECKING:
    from cattrs import Converter

    from lamella.domain.ledger.fingerprints import LineFingerprints
    from lamella.domain.memories.query import Hit, Match
    from lamella.domain.transactions.plan import Insert
    from lamella_adapters.sqlite.tables.code_change_rows import ChangeRows

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_T = TypeVar("_T")

ALL_COLUMNS = (
    "id", "origin", "session", "kind", "actor", "source", "title", "title_key", "indexed_title", "heading",
    "content", "sub", "context", "created_at", "updated_at", "purged_at", "moment", "fingerprint", "request",
    "author", "replaced_by", "keywords", "branch", "head", "client", "metadata",
)  # fmt: skip
"""All columns of an observation except its sequence number."""

_NOT_IN_VALUES = frozenset({
    "title_key", "indexed_title", "heading", "sub", "context", "fingerprint", "request",
})  # fmt: skip
_PLAIN = ("origin", "session", "actor", "source", "author", "keywords", "branch", "head", "client")
"""Columns with the same values as the fields of an observation."""

_FIELDS = {"seq": "sequence", "moment": "occurred_at"}
"""Names of fields of `Observation`, keyed by column, if they differ."""

_READ = ("seq", *(each for each in ALL_COLUMNS if each not in _NOT_IN_VALUES))
_NAMES = tuple(_FIELDS.get(each, each) for each in _READ)
COLUMNS = ", ".join(_READ)
"""Columns that are read into an `Observation`. The sequence number is the first."""

# These columns are constants, so nothing can be injected into the SQL.
SELECT = f"SELECT {COLUMNS} FROM observation"  # noqa: S608 - made of our own constants
"""Beginning of every query for whole observations. `observations` converts the rows."""

INSERT = f"INSERT INTO observation (seq, {', '.join(ALL_COLUMNS)}) VALUES ({', '.join(f':{each}' for each in ('seq', *ALL_COLUMNS))})"  # noqa: S608, E501 - made of our own constants
"""Statement to store a row, with a parameter for each column. If `seq` is None, it gets the next number."""

_ROW = ("seq", *ALL_COLUMNS, "aged")
_READ_ROW = f"SELECT {', '.join(_ROW)} FROM observation WHERE seq = ?"  # noqa: S608 - made of our own constants
_WRITE_ROW = f"INSERT INTO observation ({', '.join(_ROW)}) VALUES ({', '.join(f':{each}' for each in _ROW)})"  # noqa: S608 - made of our own constants
_AMEND = """
UPDATE observation SET source = :source, title = :title, title_key = :title_key, indexed_title = :indexed_title,
  content = :content, sub = :sub, updated_at = :updated_at WHERE seq = :seq
"""


@lru_cache(maxsize=1_024)
def to_microseconds(time: datetime) -> int:
    """Return the microseconds since 1970 in UTC, as stored.

    Cached, because most rows have the same time in three columns.
    """
    return (time - _EPOCH) // _MICROSECOND


@lru_cache(maxsize=1_024)
def from_microseconds(stored: int, _: type = datetime) -> datetime:
    """Convert stored microseconds to an aware time in UTC. Cached, like `to_microseconds`."""
    return _EPOCH + timedelta(microseconds=stored)


def _uuid(stored: bytes) -> UUID:
    return UUID(bytes=stored)


_TIMES = dict.fromkeys(("created_at", "updated_at", "purged_at", "occurred_at"), from_microseconds)
_STORED: Mapping[str, Callable[[Any], object]] = {"id": _uuid, "kind": Kind, "replaced_by": _uuid, **_TIMES}
"""Functions that convert stored values other than NULL, keyed by field."""


@lru_cache(maxsize=2_048)
def _observation(project: str, *row: object) -> Observation:
    """Convert a row, without its changes. Cached, because a review reads the same 1,000 notes again and again."""
    import json

    fields: dict[str, Any] = dict(zip(_NAMES, row, strict=True))
    for name, converted in _STORED.items():
        if fields[name] is not None:
            fields[name] = converted(fields[name])
    fields["metadata"] = json.loads(fields["metadata"]) if fields["metadata"] else {}
    return Observation(**fields, project=project)


@cache
def _rows() -> Converter:
    from cattrs import Converter

    rows = Converter(detailed_validation=False, forbid_extra_keys=True)
    rows.register_structure_hook(datetime, from_microseconds)
    # Keep ids as text. Converting them would take half of the time of a page about activity.
    rows.register_structure_hook_func(lambda kind: kind == tuple[str, ...], lambda stored, _: tuple(stored))
    return rows


def structured(kind: type[_T], rows: Iterable[Mapping[str, object]]) -> tuple[_T, ...]:
    """Convert rows to instances of the class `kind`. A row maps names of fields to values.

    Raises:
        StorageDamagedError: A row can't be converted, so another program has altered it.
    """
    try:
        return tuple(_rows().structure(row, kind) for row in rows)
    except (ValueError, TypeError, OverflowError) as error:
        raise failure("damaged") from error


def observations(
    connection: apsw.Connection, project: str, rows: Collection[Sequence[Any]]
) -> tuple[Observation, ...]:
    """Convert rows of `SELECT`, from the file of `project`, to observations. Their code changes are read, too."""
    if not rows:
        return ()
    from lamella_adapters.sqlite.tables.code_change_rows import changes_of

    changes = changes_of(connection, [row[0] for row in rows])
    try:
        return tuple(_with(_observation(project, *row), changes[row[0]]) for row in rows)
    except (ValueError, TypeError, OverflowError) as error:
        raise failure("damaged") from error


def _with(said: Observation, changes: Sequence[Mapping[str, Any]]) -> Observation:
    return evolve(said, changes=tuple(CodeChange(**each) for each in changes)) if changes else said


def observations_where(
    connection: apsw.Connection, project: str, condition: str, values: Sequence[object]
) -> tuple[Observation, ...]:
    """Return the observations of `project` that meet an SQL condition. It may end with an order and a limit."""
    return observations(connection, project, fetch(connection, f"{SELECT} WHERE {condition}", values))


def hits(
    connection: apsw.Connection,
    observations: Sequence[Observation],
    match: Match,
    scores: Sequence[float | None] = (),
) -> tuple[Hit, ...]:
    """Return observations as hits with their short ids. If `scores` are given, hits have scores."""
    from lamella.domain.memories.query import Hit
    from lamella_adapters.sqlite.tables.short_ids import short_ids

    found = short_ids(connection, [each.id.bytes for each in observations])
    return tuple(
        Hit(observation=each, short_id=short_id, match=match, score=score)
        for each, short_id, score in zip(observations, found, scores or [None] * len(found), strict=True)
    )


def observation(connection: apsw.Connection, project: str, id: UUID, condition: str = "") -> Observation:
    """Return the observation that has the id `id`, and meets `condition`.

    `condition` is SQL that begins with ` AND `, or empty.

    Raises:
        ObservationNotFoundError: No observation has the id and meets the condition.
    """
    for found in observations_where(connection, project, f"id = ?{condition}", (id.bytes,)):
        return found
    from lamella.domain.memories.errors import ObservationNotFoundError

    raise ObservationNotFoundError(id=str(id))


@frozen(eq=False, repr=False)
class DerivedRow:
    """Column values that depend on the observation only. Deriving them is slow.

    Attributes:
        columns: Parameters of `INSERT`.
        changes: Rows of the observation's changes; None without changes.
        needs_context: True if the text can hardly be found without its context.
    """

    columns: Mapping[str, object]
    changes: ChangeRows | None
    needs_context: bool

    @classmethod
    def of(cls, said: Observation) -> DerivedRow:
        """Derive the row of an observation."""
        metadata = changes = None
        if said.metadata:
            import json

            metadata = json.dumps(said.metadata)
        if said.changes:
            from lamella_adapters.sqlite.tables.code_change_rows import ChangeRows

            changes = ChangeRows.of(said)
        columns = {
            **{name: getattr(said, name) for name in _PLAIN},
            "id": said.id.bytes,
            "kind": said.kind.value,
            "heading": indexing.observation_heading(said.actor, said.kind, said.created_at, said.keywords),
            "created_at": to_microseconds(said.created_at),
            "updated_at": to_microseconds(said.updated_at),
            "purged_at": None if said.purged_at is None else to_microseconds(said.purged_at),
            "moment": to_microseconds(said.occurred_at),
            "metadata": metadata,
            "replaced_by": None if said.replaced_by is None else said.replaced_by.bytes,
            **_texts(said),
        }
        return cls(columns, changes, indexing.needs_context(said.content))

    def write(self, connection: apsw.Connection, insert: Insert) -> None:
        """Store the row under the sequence number of its observation."""
        said = insert.observation
        place = said.session, to_microseconds(said.occurred_at), said.sequence
        own = {
            "seq": said.sequence,
            "fingerprint": insert.fingerprint,
            "request": insert.request,
            # A purged row has no context.
            "context": needed_context(connection, *place) if self.needs_context and not said.purged else "",
        }
        connection.execute(INSERT, {**self.columns, **own})
        changes = self.changes
        if insert.lines:
            from lamella_adapters.sqlite.tables.code_change_rows import ChangeRows

            changes = ChangeRows.of(said, insert.lines)
        if changes is not None:
            changes.write(connection, said.sequence)


def amend(connection: apsw.Connection, observation: Observation, lines: Sequence[LineFingerprints] = ()) -> None:
    """Store the new texts and changes of `observation` after a further edit. Its time and sequence number stay.

    `lines` are the fingerprints of changed lines. Without `lines`, they are computed, which is slow.
    """
    from lamella_adapters.sqlite.tables.code_change_rows import ChangeRows

    connection.execute(
        _AMEND,
        {
            "seq": observation.sequence,
            "source": observation.source,
            "updated_at": to_microseconds(observation.updated_at),
            **_texts(observation),
        },
    )
    ChangeRows.of(observation, lines).write(connection, observation.sequence)


def age(connection: apsw.Connection, aged: Mapping[Observation, Observation | None]) -> None:
    """Store aged observations, and mark them as examined.

    `aged` has the aged observations, keyed by the observation before ageing. The value is None if there was
    nothing to age. Rows are deleted and written again, because an update in place would leave pages half empty.
    """
    from lamella_adapters.sqlite.tables.code_change_rows import changes_without_hunks, write_back

    rows, changes = [], []
    for former, whole in aged.items():
        values = dict(zip(_ROW, fetch(connection, _READ_ROW, (former.sequence,))[0], strict=True))
        rows.append(values | (_texts(whole) if whole else {}) | {"aged": 1})
        changes.append(changes_without_hunks(connection, former.sequence, former.changes))
    connection.executemany("DELETE FROM observation WHERE seq = ?", [(each["seq"],) for each in rows])
    connection.executemany(_WRITE_ROW, rows)
    for each in changes:
        write_back(connection, each)


def _texts(said: Observation) -> dict[str, str]:
    """Return the columns of an observation's texts, including the search columns."""
    return {
        "title": said.title,
        "title_key": canonical(said.title),
        "indexed_title": indexing.indexed_title(said.title, said.content),
        "content": said.content,
        "sub": indexing.observation_hidden_forms(said.kind, said.source, said.title, said.content, said.keywords),
    }
