"""What stays known of erased conversations, so that no copy brings them back: hashes, which hold no text."""

import json
from collections.abc import Collection

import apsw

from lamella_adapters.sqlite.connection import fetch
from lamella_adapters.sqlite.ledger_rows import mark
from lamella_adapters.sqlite.message_rows import ANY_OF_SESSION

_REMEMBER = "INSERT OR IGNORE INTO erased_message VALUES (?)"
_OF_THESE = "SELECT mark FROM erased_message WHERE mark IN (SELECT unhex(value) FROM json_each(?))"
_SESSION = "session"


def remember(connection: apsw.Connection, session: str) -> None:
    """Remembers a session that is about to be erased, and the keys of its messages."""
    keys = fetch(connection, "SELECT key FROM message WHERE session = ?", (session,))
    if keys:
        connection.executemany(_REMEMBER, [(mark(_SESSION, session),), *((mark(key),) for (key,) in keys)])


def erased(connection: apsw.Connection, keys: Collection[str]) -> frozenset[str]:
    """Those of `keys` that an erased message had."""
    asked = {mark(key): key for key in keys}
    values = json.dumps([each.hex() for each in asked])
    return frozenset(asked[found] for (found,) in fetch(connection, _OF_THESE, (values,)))


def is_gone(connection: apsw.Connection, session: str) -> bool:
    """Whether a session was erased and nothing has been said in it since."""
    was_erased = fetch(connection, "SELECT 1 FROM erased_message WHERE mark = ?", (mark(_SESSION, session),))
    return bool(was_erased) and not fetch(connection, ANY_OF_SESSION, (session,))


def carry(leaving: apsw.Connection, arriving: apsw.Connection) -> None:
    """Makes known in one file what was erased in another, where it stays known."""
    arriving.executemany(_REMEMBER, fetch(leaving, "SELECT mark FROM erased_message"))
