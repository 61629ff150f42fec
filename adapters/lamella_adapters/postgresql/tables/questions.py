"""Questions of a look, as statements."""

from collections.abc import Mapping
from uuid import UUID

from lamella.domain.memories.kind import EDITED, FOUND
from lamella.domain.search import indexing
from lamella.domain.text.marks import text_mark
from lamella.domain.transactions.look import Look, Warned
from lamella_adapters.postgresql.database.columns import to_microseconds
from lamella_adapters.postgresql.tables import conversations, erased_rows, observation_rows
from lamella_adapters.postgresql.tables.captures import KNOWN as KNOWN_REQUESTS
from lamella_adapters.postgresql.tables.erased_rows import KNOWN_MARKS
from lamella_adapters.postgresql.tables.message_rows import KNOWN_KEYS
from lamella_adapters.postgresql.tables.neighbours import LAST, NEIGHBOURS
from lamella_adapters.postgresql.tables.observation_rows import PATH_KEY_CHARACTERS

# Every statement is put together from constants of our modules; values are always bound.
PROJECT = """
SELECT p.sequence, (SELECT max(moment) FROM observation WHERE project = here()),
  (SELECT max(at) FROM audit WHERE project = here()), p.off
FROM project AS p WHERE p.number = here()
"""
STATUSES = """
SELECT id, purged_at IS NOT NULL, replaced_by FROM observation
WHERE project = here() AND id = ANY(%(ids)s::uuid[])
"""
STARTING = f"""
SELECT {observation_rows.COLUMNS}, {observation_rows.BESIDE}, a.place
FROM unnest(%(firsts)s::uuid[], %(lasts)s::uuid[]) WITH ORDINALITY AS a (first, last, place)
CROSS JOIN LATERAL ({observation_rows.BETWEEN}) AS o ORDER BY o.id
"""  # noqa: S608 - see above
SAME = f"""
SELECT {observation_rows.COLUMNS}, o.request FROM observation AS o
WHERE o.project = here() AND o.fingerprint = %(fingerprint)s ORDER BY o.seq
"""  # noqa: S608 - see above
OBSERVATIONS = f"""
SELECT {observation_rows.COLUMNS} FROM observation AS o WHERE o.project = here() AND o.id = ANY(%(ids)s::uuid[])
"""  # noqa: S608 - see above
CHANGED = f"""
SELECT {observation_rows.COLUMNS}, a.path FROM unnest(%(paths)s::text[]) AS a (path) CROSS JOIN LATERAL (
  SELECT o.* FROM code_change AS c JOIN observation AS o ON o.project = here() AND o.seq = c.seq
  WHERE c.project = here() AND c.path_key = left(a.path, %(characters)s) AND c.path = a.path
    AND o.purged_at IS NULL
  ORDER BY o.moment DESC, o.seq DESC LIMIT 1
) AS o
"""  # noqa: S608 - see above
WARNED = """
SELECT 1 FROM told_removal JOIN observation AS o USING (project, seq)
WHERE project = here() AND o.id = %(id)s AND mark = %(mark)s
"""
UNAGED = f"""
SELECT {observation_rows.COLUMNS} FROM observation AS o
WHERE o.project = here() AND o.kind = 'change' AND NOT o.aged AND o.source IN ('{EDITED}', '{FOUND}')
  AND o.moment < %(before)s
ORDER BY o.moment LIMIT %(limit)s
"""  # noqa: S608 - see above

POSITIONS = """
SELECT source, position FROM transcript_position WHERE project = here() AND source = ANY(%(sources)s::text[])
"""
SESSION_NAMES = "SELECT session, name FROM session_name WHERE project = here() ORDER BY session"


def of_look(look: Look) -> Mapping[str, Mapping[str, object]]:
    """Return the questions of a look, with their values."""
    ids, due = list(look.ids), look.unaged
    session = {"session": look.messages_of}
    firsts, lasts = ([UUID(prefix.ljust(32, digit)) for prefix in look.prefixes] for digit in "0f")
    starting: dict[str, object] = {"firsts": firsts, "lasts": lasts, "each": look.each}
    session_before = {"session": look.session, "last": LAST, "count": indexing.CONTEXT_OBSERVATIONS}
    near = {"ids": ids, **starting, **session_before}
    marks = [*look.marks, *map(text_mark, look.keys)]
    offered: Mapping[str, tuple[object, Mapping[str, object]]] = {
        PROJECT: (True, {}),
        STATUSES: (ids, {"ids": ids}),
        STARTING: (look.prefixes, starting),
        NEIGHBOURS: (look.neighbours, near),
        SAME: (look.fingerprint, {"fingerprint": look.fingerprint}),
        OBSERVATIONS: (look.observations, {"ids": list(look.observations)}),
        KNOWN_KEYS: (look.keys, {"keys": list(look.keys)}),
        KNOWN_MARKS: (marks, {"marks": marks}),
        KNOWN_REQUESTS: (look.requests, {"marks": list(map(text_mark, look.requests))}),
        CHANGED: (look.paths, {"paths": list(look.paths), "characters": PATH_KEY_CHARACTERS}),
        POSITIONS: (look.sources, {"sources": list(look.sources)}),
        erased_rows.MESSAGES: (look.messages_of, session),
        erased_rows.ENDS: (look.erasing and look.messages_of, session),
        SESSION_NAMES: (look.session_names, {}),
        WARNED: (look.warned, (look.warned and warning(look.warned)) or {}),
        UNAGED: (due, {"before": to_microseconds(due.before), "limit": due.limit} if due else {}),
    }
    return {
        **{question: values for question, (wanted, values) in offered.items() if wanted},
        **(conversations.questions(look.conversations) if look.conversations else {}),
    }


def warning(warned: Warned) -> dict[str, object]:
    """Return the values of a warning."""
    return {"id": warned.observation, "mark": text_mark(warned.session, warned.path)}
