"""Exports in Markdown as zip archives, with the same files as `lamella export --format markdown` in a folder.

Archives may come from anyone, so they are read with limits, one file at a time, and never unpacked.
"""

import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import BinaryIO, cast

from attrs import define, field

from lamella.domain.exchange import markdown
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.exchange.records import Record, Said

BEGINS = b"PK"
"""First bytes of an archive."""

MOST_FILES = 1_000_000
MOST_FILE_BYTES = 64 * 1024 * 1024
MOST_BYTES = 2 * 1024 * 1024 * 1024
"""Limits for reading an archive: number of files, bytes of one file (a long conversation), bytes of all files."""

# Only these compression methods can limit the size while decompressing.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
_MODE = 0o600 << 16


def written(records: Iterable[Record], scratch: BinaryIO) -> Iterator[bytes]:
    """Yield the archive of an export, piece by piece.

    Args:
        records: Records to write.
        scratch: Temporary file in which messages are sorted by conversation, because they arrive in any order.
    """
    pipe = _Pipe()
    talks = _Conversations(scratch)
    with zipfile.ZipFile(cast("BinaryIO", pipe), "w") as archive:
        files = markdown.MarkdownFiles(archive.NameToInfo.__contains__)
        for record in records:
            name, text = files.placed(record) or ("", "")
            if isinstance(record, Said):
                talks.append(name, text.encode())
            elif name:
                _write(archive, name, text.encode())
            yield pipe.taken()
        for name, content in talks.files():
            _write(archive, name, content)
            yield pipe.taken()
    yield pipe.taken()


def read(file: BinaryIO) -> Iterator[tuple[str, Record | UnreadableExportError]]:
    """Yield the records of an archive: first the records of projects, then all others, sorted by file name.

    Files without the front matter of an export are skipped. An unusable record is replaced by its error.

    Raises:
        UnreadableExportError: The archive is damaged, or a file in it can't be read.
    """
    place, found = "The archive", False
    try:
        with zipfile.ZipFile(file) as archive:
            left = MOST_BYTES
            for info in _markdown_files(archive):
                place = info.filename
                content = _content(archive, info, min(left, MOST_FILE_BYTES))
                left -= len(content)
                for each in markdown.read(content, place):
                    found = True
                    yield each
    except _BROKEN as error:
        raise UnreadableExportError(place=place, reason="the archive is damaged") from error
    if not found and archive.namelist():
        raise UnreadableExportError(place="The archive", reason="it contains no export")


def _markdown_files(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the Markdown files of an archive in order, without hidden files.

    Raises:
        UnreadableExportError: The archive has too many files.
    """
    found = [
        each
        for each in archive.infolist()
        if each.filename.endswith(".md")
        and not any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(each.filename).parts)
    ]
    if len(found) > MOST_FILES:
        raise UnreadableExportError(place="The archive", reason=f"it has more than {MOST_FILES} files")
    return sorted(found, key=lambda each: (not each.filename.endswith(f"/{markdown.PROJECT_FILE}"), each.filename))


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    """Return the bytes of a file, without relying on its declared size.

    Raises:
        UnreadableExportError: The file is too large, or its compression method isn't supported.
    """
    if info.compress_type not in _METHODS:
        raise UnreadableExportError(place=info.filename, reason="its compression method must be Deflate or none")
    with archive.open(info) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise UnreadableExportError(place=info.filename, reason=f"it is larger than {most} bytes")
    return content


def _write(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name)
    info.external_attr, info.compress_type = _MODE, zipfile.ZIP_DEFLATED
    archive.writestr(info, content)


@define(eq=False)
class _Pipe:
    """Write-only file in memory. Its content is taken out piece by piece."""

    _pieces: list[bytes] = field(factory=list)

    def write(self, piece: bytes) -> int:
        """Keep a piece until it is taken."""
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Do nothing: `taken` returns all that was written."""

    def taken(self) -> bytes:
        """Return the bytes written since the last call."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


@define(eq=False)
class _Conversations:
    """Messages sorted by conversation in a file on disk, because they arrive in any order."""

    scratch: BinaryIO
    _parts: dict[str, list[tuple[int, int]]] = field(factory=dict)

    def append(self, name: str, part: bytes) -> None:
        """Append to the file of a conversation."""
        self._parts.setdefault(name, []).append((self.scratch.tell(), len(part)))
        self.scratch.write(part)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files of all conversations, with their names."""
        for name, parts in self._parts.items():
            pieces = []
            for begin, size in parts:
                self.scratch.seek(begin)
                pieces.append(self.scratch.read(size))
            yield name, b"".join(pieces)
