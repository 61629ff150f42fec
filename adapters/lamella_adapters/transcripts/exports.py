"""Reader of exports: a JSON file with all conversations of an account, replaced by the next export."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, ClassVar, Self

from attrs import evolve, frozen

from lamella.domain.conversations.message import Batch
from lamella.domain.errors import TranscriptsUnreadableError
from lamella.ports.transcripts import Source
from lamella_adapters.transcripts.elements import elements
from lamella_adapters.transcripts.files import Line, opened, refused
from lamella_adapters.transcripts.recorded import RecordedTranscripts, unique

_HEAD_BYTES = 4096
"""Number of bytes at the start of an export that identify it. They contain the id of its first conversation."""

_SIGNS = {"ChatGPT": ("chatgpt", b'"mapping"'), "claude.ai": ("claude-ai", b'"chat_messages"')}
"""Clients with exports. Each has the name of its import command, and a field that only its conversations have."""


@frozen
class ExportedTranscripts(RecordedTranscripts):
    """The conversations in a file, or in all files `conversations*.json` of a folder and the folders below it.

    An export doesn't name the directories of its conversations.
    """

    records: ClassVar[Callable[[BinaryIO, int], Iterator[Line]]] = staticmethod(elements)
    pattern: ClassVar[str] = "conversations*.json"
    client: ClassVar[str]
    """Name of the client, for people."""

    @classmethod
    def opened(cls, path: Path | None) -> Self:
        """Return the conversations of an export in a file or folder.

        Raises:
            TranscriptsUnreadableError: No path is given.
        """
        if path is None:
            raise TranscriptsUnreadableError(
                reason=f"{cls.client} keeps no conversations on this machine.",
                advice="Export your data there, unpack it, and give the path of its conversations.json.",
            )
        return cls(path)

    def read(self, source: Source, since: str) -> Batch:
        """See `RecordedTranscripts.read`.

        Raises:
            TranscriptsUnreadableError: The export is another program's, invalid or truncated. Messages before the
                error were returned.
        """
        batch = super().read(source, since)
        if not batch.drafts:
            self._require_own(Path(source.place))
        if batch.waiting and not batch.drafts:
            raise refused(
                Path(source.place),
                f"it is not JSON, or incomplete, from byte {batch.read} on",
                "The records before this were imported. For the rest, export again and import the new file.",
            )
        return evolve(batch, complete=batch.complete and not batch.waiting, waiting=False)

    def _require_own(self, path: Path) -> None:
        head = b""
        with suppress(OSError), opened(path, at_once=_HEAD_BYTES) as file:
            head = file.read(_HEAD_BYTES)
        signed = [client for client, (_, sign) in _SIGNS.items() if sign in head]
        if signed and self.client not in signed:
            command = f"lamella import {_SIGNS[signed[0]][0]} FILE"
            raise refused(path, f"it is an export of {signed[0]}", f"Import it with: {command}")

    def sources_of(self, paths: Iterable[Path]) -> tuple[Source, ...]:
        """Return the files as sources, in order of names. A source's id is a digest of the file's first bytes."""
        return unique([_source(path) for path in sorted(paths)])


def _source(path: Path) -> Source:
    try:
        with opened(path, at_once=_HEAD_BYTES) as file:
            id = blake2b(file.read(_HEAD_BYTES), digest_size=16).hexdigest()
            return Source(id=id, size=os.fstat(file.fileno()).st_size, place=os.fspath(path))
    except (OSError, ValueError):
        return Source(id=path.name, size=0, place=os.fspath(path))
