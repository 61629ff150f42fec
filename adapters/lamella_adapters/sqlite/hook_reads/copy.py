"""Reads by hooks from a local copy of a remote storage, such as PostgreSQL; see `lamella.ports.hook_copy`."""

# ruff: noqa: PLC0415 - each function imports only what it needs
# ruff: noqa: PTH118 - importing pathlib would take longer than the rest of a hook

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from lamella.domain.hook_context import ROOT
from lamella_adapters.sqlite.hook_reads.reads import SqliteHookReads, SqliteProjectReads

COPIES = "copies"
"""Name of the folder for copies in the data directory. Each storage URL has its own copy."""

REFRESHED = "refreshed"
"""Name of a file in a copy. Its modification time is the time when the copy was last compared with the storage."""

LONG_AGO = 86_400
"""Age of a copy, in seconds, from which hooks show that the copy is old."""

IS_WHOLE = "SELECT 1 FROM copied WHERE whole"

_DIGEST_BYTES = 16

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from lamella.domain.hook_context import Index, Surroundings


def copy_folder(url: str, data_directory: str) -> str:
    """Return the folder of a storage's copy. It is named by a digest, because a URL may contain a password."""
    from _blake2 import blake2b  # `hashlib` imports OpenSSL as well

    digest = blake2b(url.encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()
    return os.path.join(data_directory, COPIES, digest)


def open_hook_reads(url: str, data_directory: str) -> "CopyReads | None":
    """See `OpenHookReads`."""
    folder = copy_folder(url, data_directory)
    return CopyReads(folder) if os.path.lexists(os.path.join(folder, "registry.db")) else None


class CopyReads(SqliteHookReads):
    """Reads from a copy. A project is only found at locations where a server has opened the project."""

    @contextmanager
    def project(self, key: str, repository: str | None, name: str) -> "Iterator[SqliteProjectReads]":
        """See `HookReads.project`."""
        from lamella.domain.projects.key import key_of_name
        from lamella_adapters.sqlite.hook_reads.open_project import Deadline, Unavailable, project_at

        del repository
        place = key_of_name(name) if name else key
        with project_at(self._folder, place, "", Deadline()) as connection:
            # Don't show an incomplete copy: the first copy of a large project takes a while.
            if connection.execute(IS_WHOLE).get is None:
                raise Unavailable
            yield CopiedReads(connection, os.path.join(self._folder, REFRESHED))


class CopiedReads(SqliteProjectReads):
    """Reads of a project's file in a copy."""

    def __init__(self, connection: "apsw.Connection", note: str) -> None:
        super().__init__(connection)
        self._note = note

    def index(self, *, here: "Surroundings" = ROOT, **most: int) -> "Index":
        """See `ProjectReads.index`."""
        found = super().index(here=here, **most)
        compared = os.stat(self._note).st_mtime  # noqa: PTH116 - importing pathlib would take longer than the rest of a hook
        if time.time() - compared <= LONG_AGO:
            return found
        return found._replace(overview=found.overview._replace(as_of=int(compared * 10**6)))
