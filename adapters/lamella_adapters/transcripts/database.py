"""SQLite databases of clients, opened for reading only."""

import os
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import apsw

from lamella_adapters.transcripts.files import refused, unreadable

MAX_VALUE_BYTES = 8 * 1024 * 1024
"""Maximum length of a value to read. Parts of messages with pictures have a few megabytes."""

_BUSY_MILLISECONDS = 2_000
_TABLES = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"


@contextmanager
def connected(path: Path, tables: Collection[str], program: str) -> Iterator[apsw.Connection]:
    """Open a database for reading only. Check that `tables` aren't views, because a view may compute anything.

    Raises:
        TranscriptsUnreadableError: The database can't be opened, or can't be read within the `with` block.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise refused(path, "it is not a regular file")
        connection = _opened(path)
        try:
            if not set(tables) <= {name for (name,) in connection.execute(_TABLES)}:
                raise refused(path, f"it is not a database of {program}")
            # Read in one transaction, so that concurrent writes by the client don't change the result halfway.
            connection.execute("BEGIN")
            yield connection
        finally:
            connection.close()
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    except apsw.NotADBError as error:
        raise refused(path, "it is not a SQLite database") from error
    except apsw.Error as error:
        advice = f"If {program} is running, close it. If not, start it and close it again. Then try again."
        raise refused(path, str(error), advice) from error


def _opened(path: Path) -> apsw.Connection:
    # In a read-only folder, a database in WAL mode can only be opened as immutable. This is safe if nobody can
    # write to it.
    locked = not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists()
    options = "immutable=1" if locked else "mode=ro"
    return read_only(path, options, longest=4 * MAX_VALUE_BYTES, patience=_BUSY_MILLISECONDS)


def read_only(path: Path, options: str, *, longest: int, patience: int) -> apsw.Connection:
    """Open the SQLite file of another program for reading only, without running anything named by its schema.

    Args:
        path: The file.
        options: Parameters of its URL.
        longest: Maximum number of bytes of a row.
        patience: Milliseconds to wait for a lock held by a writer.
    """
    place = quote(os.fsencode(os.path.realpath(path)))
    connection = apsw.Connection(f"file:{place}?{options}", apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, longest)
    connection.set_busy_timeout(patience)
    return connection
