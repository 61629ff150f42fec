"""Observations as rows: the only place that converts between columns and values."""

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import asdict
from psycopg.types.json import Jsonb

from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.ledger.fingerprints import packed
from lamella.domain.ledger.hunk_fingerprints import LineFingerprints
from lamella.domain.memories.ids import shortest
from lamella.domain.memories.observation import CodeChange, Kind, Observation
from lamella.domain.memories.query import Hit, Match
from lamella.domain.search import indexing
from lamella.domain.text.printing import canonical
from lamella_adapters.postgresql.database.columns import maybe_microseconds, maybe_time, to_microseconds
from lamella_adapters.postgresql.database.transaction import Row, Transaction
from lamella_adapters.statements import statements

SQL = statements(__file__)

PATH_KEY_CHARACTERS = 400
"""Characters of a path that its index holds; the whole path is compared after it."""

_NAMES = (
    "id", "origin", "seq", "session", "kind", "actor", "author", "title", "content", "keywords", "source",
    "created_at", "updated_at", "purged_at", "moment", "changes", "replaced_by",
    "branch", "head", "client", "metadata",
)  # fmt: skip

COLUMNS = ", ".join(f"o.{name}" for name in _NAMES)
"""Columns of `observation`, from the row `o`."""

WIDTH = len(_NAMES)
"""Number of these."""

KIND, SEQUENCE = map(_NAMES.index, ("kind", "seq"))
"""Places of two of them, which an order needs."""

BESIDE = """
(SELECT b.id FROM observation AS b WHERE b.project = here() AND b.id < o.id ORDER BY b.id DESC LIMIT 1),
(SELECT b.id FROM observation AS b WHERE b.project = here() AND b.id > o.id ORDER BY b.id LIMIT 1)"""
"""The ids before and after that of the row `o`: no other has a longer beginning in common with it."""

BETWEEN = """
SELECT * FROM observation AS o WHERE o.project = here() AND o.id BETWEEN a.first AND a.last
ORDER BY o.id LIMIT %(each)s
"""
"""Rows whose ids are between those of the row `a`, the first of them."""

SELECT = f"SELECT {COLUMNS}, {BESIDE} FROM observation AS o WHERE o.project = here()"  # noqa: S608 - our own constants
"""Beginning of a question for hits; `hit` reads its rows."""

WRITTEN = (*_NAMES, "title_key", "sub", "fingerprint", "request")
"""Names of the columns that a new observation brings."""

INSERT = f"""
INSERT INTO observation (project, {", ".join(WRITTEN)})
VALUES (here(), {", ".join(f"%({name})s" for name in WRITTEN)})
"""  # noqa: S608 - our own constants


def observation(project: str, row: Row) -> Observation:
    """Return the observation of `project` in a row that begins with `COLUMNS`."""
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
    """Return the observations of rows that begin with `COLUMNS`."""
    return tuple(observation(tx.project, row) for row in rows)


def short_id(row: Row) -> str:
    """Return the short id of a row that goes on with `BESIDE`."""
    return shortest(row[0].hex, [id.hex for id in row[WIDTH : WIDTH + 2] if id is not None])


def hit(project: str, row: Row, match: Match, **fields: Any) -> Hit:
    """Return a row of `SELECT` as a hit."""
    return Hit(observation=observation(project, row), short_id=short_id(row), match=match, **fields)


def indexed_texts(said: Observation, sub: str, context: str) -> tuple[str, str, str, str]:
    """Return the indexed columns of an observation whose hidden forms and context are known."""
    reason = indexing.reason_length(said.kind, said.source, said.content)
    return (
        indexing.indexed_title(said.title, said.content),
        f"{indexing.heading(said)}\n{said.content[reason:]}",
        sub,
        context,
    )


def sub_of(said: Observation) -> str:
    """Return the hidden forms of an observation."""
    return indexing.observation_sub(said.kind, said.source, said.title, said.content, said.keywords)


def insert(
    tx: Transaction,
    said: Observation,
    *,
    fingerprint: bytes,
    request: str | None,
    sub: str,
    lines: Sequence[LineFingerprints] = (),
) -> None:
    """Store an observation under its sequence number, with its changes and without an index entry.

    Without the fingerprints of the lines of its changes, they are computed, slowly.
    """
    tx.run(INSERT, **written(said, fingerprint=fingerprint, request=request, sub=sub))
    _write_changes(tx, said, lines or line_fingerprints(said.changes))


def written(said: Observation, *, fingerprint: bytes, request: str | None, sub: str) -> dict[str, object]:
    """Return the values of a new observation by the names of `WRITTEN`."""
    return {
        "id": said.id,
        "origin": said.origin,
        "session": said.session,
        "kind": said.kind.value,
        "actor": said.actor,
        "author": said.author,
        "keywords": said.keywords,
        "branch": said.branch,
        "head": said.head,
        "client": said.client,
        "metadata": Jsonb(said.metadata),
        "created_at": to_microseconds(said.created_at),
        "purged_at": maybe_microseconds(said.purged_at),
        "moment": to_microseconds(said.occurred_at),
        "replaced_by": said.replaced_by,
        "fingerprint": fingerprint,
        "request": request,
        **_texts(said, sub),
    }


def amend(
    tx: Transaction, said: Observation, *, lines: Sequence[LineFingerprints] = (), aged: bool = False
) -> None:
    """Store new texts and changes of an observation. Its place stays, and its vector is pending again.

    Args:
        tx: The transaction.
        said: The observation as it is now.
        lines: Fingerprints of the lines of its changes. Without them they are computed, slowly.
        aged: True if its lines were dropped, whose fingerprints stay.
    """
    tx.run(SQL["amend"], aged=aged, **_texts(said, sub_of(said)))
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


def _texts(said: Observation, sub: str) -> dict[str, object]:
    return {
        "seq": said.sequence,
        "title": said.title,
        "title_key": canonical(said.title),
        "content": said.content,
        "sub": sub,
        "source": said.source,
        "updated_at": to_microseconds(said.updated_at),
        "changes": Jsonb([asdict(change) for change in said.changes]),
    }
