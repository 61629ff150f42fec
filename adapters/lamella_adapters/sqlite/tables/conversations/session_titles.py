"""Titles of conversations that were given for a record, before the session of the record was known."""

import apsw

from lamella.domain.transactions.adding import settle_titles
from lamella.domain.transactions.look import ConversationLook
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.conversations.facts import conversation_facts
from lamella_adapters.sqlite.tables.conversations.writes import write_conversations
from lamella_adapters.sqlite.tables.merge_rows import LEAVING, Origins

# Tables are our own constants.
_TABLES = ("session_end", "waiting_title")
_KEEP = "INSERT OR REPLACE INTO {} VALUES (?, ?, ?)"
_READ = f"SELECT * FROM {{}} WHERE {LEAVING} ORDER BY rowid"  # noqa: S608 - see above


def move_titles(leaving: apsw.Connection, arriving: apsw.Connection, origins: Origins) -> None:
    """Move unassigned titles and the last records of conversations, and assign titles to records now present."""
    for table in _TABLES:
        rows = fetch(leaving, _READ.format(table), origins)
        arriving.executemany(_KEEP.format(table), rows)
        leaving.executemany(f"DELETE FROM {table} WHERE record = ?", [(record,) for record, *_ in rows])  # noqa: S608 - see above
    for write in settle_titles(conversation_facts(arriving, ConversationLook())):
        write_conversations(arriving, write, {})
