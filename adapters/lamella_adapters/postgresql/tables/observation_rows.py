"""Convert observations to rows and back, and write the rows."""

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import asdict
from psycopg.types.json import Jsonb

from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.ledger.fingerprints import LineFingerprints, packed
from lamella.domain.memories.ids import shortest
from lamella.domain.memories.observation import CodeChange, Kind, Observation
from lamella.domain.memories.query import Hit, Match
from lamella.domain.search import indexing
from lamella.domain.text.printing import canonical
from lamella_adapters.postgresql.database.columns import maybe_microseconds, maybe_time, to_microseconds
from lamella_adapters.postgresql.database.transaction import Row, Transaction
from lamella_adapters.statements import statements

PATH_KEY_CHARACTERS = 400
"""Indexed prefix length of a path, in characters. Queries compare the whole path too."""

_NAMES = (
    "id", "origin", "seq", "session", "kind", "actor", "author", "title", "content", "keywords", "source",
    "created_at", "updated_at", "purged_at", "moment", "changes", "replaced_by",
    "branch", "head", "client", "metadata",
)  # fmt: skip

_PLAIN = ("id", "origin", "session", "actor", "author", "keywords", "branch", "head", "client", "replaced_by")
"""Columns stored as they are in an observation."""

COLUMNS = ", ".join(f"o.{name}" for name in _NAMES)
"""Columns of an observation in the row `o`."""

WIDTH = len(_NAMES)
"""Number of `COLUMNS`."""

KIND, SEQUENCE = map(_NAMES.index, ("kind", "seq"))
"""Positions in `COLUMNS` of the columns that the order of hits depends on."""

WRITTEN = (*_NAMES, "title_key", "sub", "fingerprint", "request")
"""Names of the columns to write for a new observation."""

SQL = statements(__file__, written=", ".join(WRITTEN), values=", ".join(f"%({name})s" for name in WRITTEN))

BESIDE = SQL["beside"]
"""Columns with the ids directly before and after the id of row `o`. The short id is derived from these three ids.

No other id shares a longer prefix with the id of `o`.
"""

SELECT = f"SELECT {COLUMNS}, {BESIDE} FROM observation AS o WHERE o.project = here()"  # noqa: S608 - our own constants
"""Beginning of a query for hits; `hit` converts its rows."""


def observation(project: str, row: Row) -> Observation:
    """Convert a row that begins with `COLUMNS` to an observation of `project`."""
    values = dict(zip(_NAMES, row[:WIDTH], strict=True))
    for name in ("created_at", "updated_at", "moment", "purged_at"):
        values[name] = maybe_time(values[name])
    values["changes"] = tuple(CodeChange(**change) for change in values["changes"])
    return Observation(
        project=project,
        sequence=values.pop("seq"),
        occurred_at=values.pop("moment"),
        kind=Kind(values.pop("kind")),
        **values,
    )


def observations(tx: Transaction, rows: Iterable[Row]) -> tuple[Observation, ...]:
    """Convert rows that begin with `COLUMNS`."""
    return tuple(observation(tx.project, row) for row in rows)


def short_id(row: Row) -> str:
    """Return the short id of the observation in a row of `COLUMNS` and `BESIDE`."""
    return shortest(row[0].hex, [id.hex for id in row[WIDTH : WIDTH + 2] if id is not None])


def hit(project: str, row: Row, match: Match, **fields: Any) -> Hit:
    """Convert a row of `SELECT` to a hit. `fields` are further fields of `Hit`."""
    return Hit(observation=observation(project, row), short_id=short_id(row), match=match, **fields)


def indexed_texts(said: Observation, hidden_forms: str, context: str) -> tuple[str, str, str, str]:
    """Return the indexed texts of an observation, given its hidden forms and context (`search.indexing`)."""
    reason = indexing.reason_length(said.kind, said.source, said.content)
    return (
        indexing.indexed_title(said.title, said.content),
        f"{indexing.heading(said)}\n{said.content[reason:]}",
        hidden_forms,
        context,
    )


def hidden_forms_of(said: Observation) -> str:
    """Derive the hidden forms of an observation (see `domain.search.indexing`). This is slow."""
    return indexing.observation_hidden_forms(said.kind, said.source, said.title, said.content, said.keywords)


def insert(
    tx: Transaction,
    said: Observation,
    *,
    fingerprint: bytes,
    request: str | None,
    hidden_forms: str,
    lines: Sequence[LineFingerprints] = (),
) -> None:
    """Store an observation and its changes, except index entries.

    `lines` are the fingerprints of changed lines. If `lines` is missing, the fingerprints are computed, which is
    slow.
    """
    tx.run(SQL["insert"], **written(said, fingerprint=fingerprint, request=request, hidden_forms=hidden_forms))
    _write_changes(tx, said, lines or line_fingerprints(said.changes))


def written(said: Observation, *, fingerprint: bytes, request: str | None, hidden_forms: str) -> dict[str, object]:
    """Return the values of a new observation, keyed by the columns in `WRITTEN`."""
    return {
        **{name: getattr(said, name) for name in _PLAIN},
        "kind": said.kind.value,
        "metadata": Jsonb(said.metadata),
        "created_at": to_microseconds(said.created_at),
        "purged_at": maybe_microseconds(said.purged_at),
        "moment": to_microseconds(said.occurred_at),
        "fingerprint": fingerprint,
        "request": request,
        **_texts(said, hidden_forms),
    }


def amend(
    tx: Transaction, said: Observation, *, lines: Sequence[LineFingerprints] = (), aged: bool = False
) -> None:
    """Replace the texts and changes of an observation, and delete its vector until it is embedded again.

    Args:
        tx: Writing transaction on the project.
        said: The observation after the change.
        lines: Fingerprints of changed lines. If missing, they are computed, which is slow.
        aged: True if ageing has dropped the changed lines. The stored fingerprints of these lines stay.
    """
    tx.run(SQL["amend"], aged=aged, **_texts(said, hidden_forms_of(said)))
    tx.run(SQL["forget_vector"], seq=said.sequence)
    if not aged:
        tx.run(SQL["forget_changes"], seq=said.sequence)
        _write_changes(tx, said, lines or line_fingerprints(said.changes))


def _write_changes(tx: Transaction, said: Observation, lines: Sequence[LineFingerprints]) -> None:
    if said.changes:
        tx.run(
            SQL["add_changes"],
            seq=said.sequence,
            characters=PATH_KEY_CHARACTERS,
            paths=[change.path for change in said.changes],
            formers=[change.former for change in said.changes],
            came=[packed(each.added) for each in lines],
            went=[packed(each.removed) for each in lines],
        )


def _texts(said: Observation, hidden_forms: str) -> dict[str, object]:
    return {
        "seq": said.sequence,
        "title": said.title,
        "title_key": canonical(said.title),
        "content": said.content,
        "sub": hidden_forms,
        "source": said.source,
        "updated_at": to_microseconds(said.updated_at),
        "changes": Jsonb([asdict(change) for change in said.changes]),
    }
