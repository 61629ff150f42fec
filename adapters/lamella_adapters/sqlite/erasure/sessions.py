"""Erasure of a conversation: its messages, summaries, activity, and the bytes they leave behind."""

from collections.abc import Iterable

import apsw
from attrs import define

from lamella_adapters.sqlite.erasure.observations import ANY_ACTIVITY, DEPARTED, Eraser, finish_all
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.sqlite.projects.scope import ProjectFile, Scope
from lamella_adapters.sqlite.schema.conversations import INDEX
from lamella_adapters.sqlite.tables import message_rows
from lamella_adapters.sqlite.tables.erased_messages import copy_erased, remember_erased
from lamella_adapters.sqlite.tables.session_titles import erase_titles

_ANY = (message_rows.ANY_OF_SESSION, ANY_ACTIVITY)


@define(eq=False)
class SessionEraser:
    """Eraser of a session in a project's file, and of its traces in other files after merges and splits."""

    registry: SqliteRegistry

    def erase(self, scope: Scope, session: str) -> int:
        """See `Conversations.erase`. The order of steps is that of `Eraser.erase`, for the same reasons."""
        with scope.reading() as opened:
            home = opened.project
        others, unreadable = Eraser(self.registry).others(home)
        erased = self._clear(home, others, session)
        with scope.writing() as opened:
            erased += _delete(opened.connection, session)
            database = opened.file.database
            databases = [database, *(file.database for file in others)]
        erased += self._clear(home, others, session)
        # Messages that a merge left behind and that were erased there must be known here, where copies would
        # arrive.
        linked = self.registry.leading_to(home)
        for file in others:
            if file.id in linked:
                with file.database.reading() as leaving, database.writing() as arriving:
                    copy_erased(leaving, arriving)
        finish_all(databases, "messages", copies_may_remain=erased > 0 and unreadable)
        return erased

    def _clear(self, home: str, others: Iterable[ProjectFile], session: str) -> int:
        """Delete a session from files that lead to `home`, and its bytes from any file. Count its messages."""
        linked = self.registry.leading_to(home)
        erased = 0
        for file in others:
            with file.database.reading() as connection:
                departed = fetch(connection, DEPARTED, (message_rows.id_of_session(session),))
                here = file.id in linked and any(fetch(connection, asked, (session,)) for asked in _ANY)
            if here or departed:
                with file.database.writing() as connection:
                    erased += _delete(connection, session, rows=file.id in linked)
        return erased


def _delete(connection: apsw.Connection, session: str, *, rows: bool = True) -> int:
    """Delete a session, or with `rows` False only its bytes. Return the number of deleted messages."""
    id = (message_rows.id_of_session(session),)
    departed = fetch(connection, DEPARTED, id)
    deleted = forgotten = 0
    if rows:
        remember_erased(connection, session)
        connection.execute("DELETE FROM message WHERE session = ?", (session,))
        deleted = connection.changes()
        connection.execute("DELETE FROM session_name WHERE session = ?", (session,))
        connection.execute("DELETE FROM summary WHERE session = ?", (session,))
        erase_titles(connection, session)
        connection.execute("DELETE FROM activity WHERE session = ?", (session,))
        forgotten = connection.changes()
    if deleted or forgotten or departed:
        connection.execute("DELETE FROM departed WHERE id = ?", id)
        connection.execute("INSERT OR IGNORE INTO unfinished_erase VALUES (?)", id)
        # The name of the index is our own constant.
        connection.execute(f"INSERT INTO {INDEX} ({INDEX}) VALUES ('optimize')")  # noqa: S608 - made of our own constants
    return deleted
