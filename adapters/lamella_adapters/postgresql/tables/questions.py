"""Queries that read the facts of a `Look`."""

from collections.abc import Mapping
from uuid import UUID

from lamella.domain.memories.kind import EDITED, FOUND
from lamella.domain.search import indexing
from lamella.domain.text.marks import text_mark
from lamella.domain.transactions.look import SIMILAR, Look
from lamella.domain.transactions.other_writes import Warned
from lamella_adapters.fts5 import bm25
from lamella_adapters.postgresql.database.columns import to_microseconds
from lamella_adapters.postgresql.database.transaction import Question
from lamella_adapters.postgresql.tables import contexts, conversations, erased_rows, message_rows, observation_rows
from lamella_adapters.postgresql.tables.index import keyed
from lamella_adapters.postgresql.tables.observation_rows import COLUMNS, PATH_KEY_CHARACTERS
from lamella_adapters.statements import statements

SQL = {
    **statements(
        __file__,
        columns=COLUMNS,
        columns_but_changes=COLUMNS.replace("o.changes", "'[]'::jsonb"),
        beside=observation_rows.BESIDE,
        between=observation_rows.SQL["between"],
        message=message_rows.COLUMNS,
        edited=EDITED,
        found=FOUND,
    ),
    "known_marks": erased_rows.SQL["known"],
}


def of_look(look: Look) -> Mapping[str, Question]:
    """Return the queries that read the facts requested by `look`, keyed by statement name."""
    ids = list(look.ids)
    before, limit = look.unaged or (None, 0)
    session = {"session": look.messages_of}
    firsts, lasts = ([UUID(prefix.ljust(32, digit)) for prefix in look.prefixes] for digit in "0f")
    starting: dict[str, object] = {"firsts": firsts, "lasts": lasts, "each": look.each}
    session_before = {"session": look.session, "last": contexts.LAST, "count": indexing.CONTEXT_OBSERVATIONS}
    words = list(keyed(token for word in look.similar for token in bm25.tokens(word)[:1]))
    marks = [*look.marks, *map(text_mark, look.keys)]
    offered: Mapping[str, tuple[object, Mapping[str, object]]] = {
        "project": (True, {}),
        "statuses": (ids, {"ids": ids}),
        "starting": (look.prefixes, starting),
        "neighbours": (look.neighbours, {"ids": ids, **starting, **session_before}),
        "same": (look.fingerprint, {"fingerprint": look.fingerprint}),
        "observations": (look.observations, {"ids": list(look.observations)}),
        "known_keys": (look.keys, {"keys": list(look.keys)}),
        "known_marks": (marks, {"marks": marks}),
        "known_requests": (look.requests, {"marks": list(map(text_mark, look.requests))}),
        "changed": (look.paths, {"paths": list(look.paths), "characters": PATH_KEY_CHARACTERS}),
        "positions": (look.sources, {"sources": list(look.sources)}),
        "messages": (look.messages_of, session),
        "ends": (look.erasing and look.messages_of, session),
        "session_names": (look.session_names, {}),
        "warned": (look.warned, (look.warned and warning(look.warned)) or {}),
        "unembedded": (look.unembedded, {"limit": look.unembedded}),
        "vectors": (look.vectors, {"ids": list(look.vectors)}),
        "said": (look.numbers, {"numbers": list(map(str, look.numbers))}),
        "summaries": (look.summaries, dict(zip(("session", "level"), look.summaries or (), strict=False))),
        "similar": (look.similar, {"words": words, "limit": SIMILAR}),
        "unaged": (before, {"before": before and to_microseconds(before), "limit": limit}),
    }
    return {
        **{name: (SQL[name], values) for name, (wanted, values) in offered.items() if wanted},
        **(conversations.questions(look.conversations) if look.conversations else {}),
    }


def warning(warned: Warned) -> dict[str, object]:
    """Return the values of a warning, keyed by column."""
    return {"id": warned.observation, "mark": text_mark(warned.session, warned.path)}
