"""Reading of transcript files: finding the files, and reading their messages in batches from a position."""

import json
import os
import stat
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Self, cast

from attrs import evolve, frozen

from lamella.domain.conversations.message import Batch, MessageDraft
from lamella.domain.errors import TranscriptsUnreadableError
from lamella.ports.transcripts import Source, Transcripts
from lamella_adapters.transcripts.files import Line, digest_before, lines, opened, unreadable
from lamella_adapters.transcripts.records import (
    RecordContent,
    SessionParser,
    Skipped,
    TranscriptParser,
    is_record,
    one_after_another,
)

BATCH_MESSAGES = 500
BATCH_BYTES = 8 * 1024 * 1024
"""Limits of one batch, to bound the memory used for reading."""

_HEAD_BYTES = 1024 * 1024
"""Maximum number of bytes of a file to search for its identity, found in the first record."""

_HEAD_AT_ONCE = 16 * 1024
"""Number of bytes to read at once, usually enough for the identity."""

_MAX_PATH_CHARACTERS = 4096
_LAST = datetime.max.replace(tzinfo=UTC)


@frozen
class RecordedTranscripts(Transcripts):
    """The transcripts in a file, or in a folder and all folders below it. Each file is only appended to.

    Symbolic links below the folder are not followed, so nothing outside of it is read.

    Attributes:
        place: The file or folder.
        named: True if the user has named the path, which must then exist.
    """

    place: Path
    named: bool = True

    records: ClassVar[Callable[[BinaryIO, int], Iterator[Line]]] = staticmethod(lines)
    """Function that yields the records of a file from a position on. By default, each line is a record."""

    parser: ClassVar[type[TranscriptParser]]
    """Class of the parser of a file."""

    pattern: ClassVar[str] = "*.jsonl"
    """Names of transcripts below the folder. Other files are ignored."""

    own: ClassVar[tuple[str, str | None, str, str]]
    """Name of the client, variable for its folder, default folder in the home, subfolder of transcripts."""

    @classmethod
    def opened(cls, path: Path | None) -> Self:
        """Return the transcripts in a file or folder, by default the client's transcripts of this user.

        Raises:
            TranscriptsUnreadableError: No path is given, and the user has no home.
        """
        client, variable, folder, inside = cls.own
        return cls(path or place_of(client, variable, folder) / inside, named=path is not None)

    def is_transcript(self, path: Path) -> bool:
        """Return True if a file below the folder is a transcript."""
        return path.match(self.pattern)

    @abstractmethod
    def sources_of(self, paths: Iterable[Path]) -> tuple[Source, ...]:
        """Return the files as sources, oldest first. Unreadable files are included."""

    def resumed_parser(self, path: Path, state: Mapping[str, Any] | None) -> TranscriptParser:  # noqa: ARG002 - subclasses use `path`
        """Return the parser of a file at its beginning, or with an earlier state.

        Raises:
            LookupError, ValueError, TypeError: The state is not of this version.
        """
        return self.parser() if state is None else self.parser.resumed(state)

    def sources(self) -> tuple[Source, ...]:
        """Return every transcript, in order of its first timestamp, and every unreadable folder.

        Raises:
            TranscriptsUnreadableError: A path named by the user is not a file or folder, or cannot be read.
        """
        try:
            is_folder = stat.S_ISDIR(self.place.stat().st_mode)
        except (OSError, ValueError) as error:
            if not self.named and isinstance(error, FileNotFoundError):
                return ()
            raise unreadable(self.place, error) from error
        # If the user names a link, read its target.
        paths = self._files() if is_folder else [Path(os.path.realpath(self.place))]
        return self.sources_of(paths)

    def read(self, source: Source, since: str) -> Batch:
        """Return the next messages of `source` after the position `since`: 500 messages, or 8 MiB of records.

        Only complete records are read. The last record may lack its line end. A record that is too long is skipped
        without keeping it in memory. Calls of lamella's own tools, and the results of these calls, are left out.

        Raises:
            TranscriptsUnreadableError: The file is gone, not a regular file, or must not be read.
        """
        path = Path(source.place)
        try:
            known = _known(since)
            if _is_untouched(path, known):
                return Batch(source=source.id, position=since, read=known["offset"])
            with opened(path) as file:
                return self._batch(source, file, *self._position(path, file, known))
        except (OSError, ValueError) as error:
            raise unreadable(path, error) from error

    def _position(self, path: Path, file: BinaryIO, known: Mapping[str, Any]) -> tuple[int, TranscriptParser]:
        """Return the offset and the parser at the position with the fields `known`.

        If the file was replaced, begin at its start.
        """
        try:
            if known["before"] == digest_before(file, known["offset"]):
                return known["offset"], self.resumed_parser(path, known)
        except (ValueError, TypeError, LookupError):
            pass  # there is no position, or another version of lamella wrote it
        return 0, self.resumed_parser(path, None)

    def _batch(self, source: Source, file: BinaryIO, begin: int, parser: TranscriptParser) -> Batch:
        """Return the messages after `begin`."""
        offset, ended = begin, frozenset(parser.ends)
        touched = os.fstat(file.fileno()).st_mtime_ns
        drafts: list[MessageDraft] = []
        names: dict[str, str] = {}
        titles: dict[str, str] = {}
        skipped: Counter[str] = Counter()
        complete, waiting = True, False
        for line in type(self).records(file, begin):
            if not line.whole and not is_record(line.content):
                waiting, touched = True, 0  # read the file again next time
                break
            offset += line.length
            for found in _followed(parser, line.content):
                drafts += found.drafts
                names |= found.names
                for record, title in found.titles.items():
                    # Remove an earlier title first, so that the latest one comes last.
                    titles.pop(record, None)
                    titles[record] = title
                skipped.update(each.value for each in found.reasons)
            if len(drafts) >= BATCH_MESSAGES or offset - begin >= BATCH_BYTES:
                complete, touched = False, 0  # the batch is full: read on next time
                break
        # The file is opened again only if its time or size (`touched`) changes. Then the digest of the bytes
        # before the position shows whether it is still the same file.
        position = {"offset": offset, "before": digest_before(file, offset), "touched": touched, **parser.state()}
        return Batch(
            source=source.id,
            position=json.dumps(position),
            drafts=tuple(drafts),
            names=names,
            titles=titles,
            ends={id: session for id, session in parser.ends.items() if id not in ended},
            read=offset,
            skipped=dict(skipped),
            complete=complete,
            waiting=waiting,
        )

    def _files(self) -> Iterator[Path]:
        """Yield the transcripts below the folder, and folders that are links or unreadable."""
        folders = [self.place]
        while folders:
            folder = folders.pop()
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        path = Path(entry.path)
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(path)
                        elif self.is_transcript(path) or (entry.is_symlink() and entry.is_dir()):
                            yield path
            except OSError:
                yield folder


@frozen
class SessionTranscripts(RecordedTranscripts):
    """Transcripts with one session per file. One record of the file has the session's id and directory."""

    parser: ClassVar[type[SessionParser]]

    def sources_of(self, paths: Iterable[Path]) -> tuple[Source, ...]:
        """Return the files as sources, oldest first. The id of a source is the session's id."""
        heads = sorted(map(self._head, paths), key=lambda head: (head[0], head[1].place))
        return unique([source for _, source in heads])

    def _head(self, path: Path) -> tuple[datetime, Source]:
        """Return the first timestamp in a file, and the file as a source."""
        try:
            with opened(path, at_once=_HEAD_AT_ONCE) as file:
                status = os.fstat(file.fileno())
                parser = cast("SessionParser", self.resumed_parser(path, None))
                read = 0
                for line in type(self).records(file, 0):
                    parser.follow(line.content)
                    read += line.length
                    if parser.session or read > _HEAD_BYTES:
                        break
        except (OSError, ValueError):
            return _LAST, Source(id=path.name, size=0, place=os.fspath(path))
        source = Source(
            id=parser.session.strip() or path.name,
            size=status.st_size,
            directory=plausible_directory(parser.directory),
            place=os.fspath(path),
        )
        return parser.at or datetime.fromtimestamp(status.st_mtime, UTC), source


def plausible_directory(directory: str) -> Path | None:
    """Return the directory that a record names as a path; None if the text can't be a path."""
    plausible = directory.startswith("/") and len(directory) <= _MAX_PATH_CHARACTERS and "\0" not in directory
    return Path(directory) if plausible else None


def unique(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Return the sources with unique ids. If several sources have the same id, the longest source keeps the id."""
    named = list(sources)
    copies: Counter[str] = Counter()
    for index in sorted(range(len(named)), key=lambda index: -named[index].size):
        id = named[index].id
        copies[id] += 1
        if copies[id] > 1:
            named[index] = evolve(named[index], id=f"{id}/{copies[id]}")
    return tuple(named)


def place_of(client: str, variable: str | None, *folders: str) -> Path:
    """Return a client's own folder: the value of the variable `variable`, or else `folders` in the user's home.

    Raises:
        TranscriptsUnreadableError: The variable is not set, and the user has no home.
    """
    chosen = os.environ.get(variable, "").strip() if variable else ""
    try:
        return Path(chosen) if chosen else Path.home().joinpath(*folders)
    except RuntimeError:
        raise TranscriptsUnreadableError(
            reason=f"The folder of {client}'s transcripts is unknown: this user has no home.",
            advice=f"Set {variable}, or name a folder." if variable else "Name a folder.",
        ) from None


def _known(written: str) -> Mapping[str, Any]:
    """Return the fields of a position; no fields for an empty or unreadable position."""
    try:
        known = json.loads(written)
    except ValueError:
        return {}
    return known if isinstance(known, dict) else {}


def _is_untouched(path: Path, known: Mapping[str, Any]) -> bool:
    """Return True if a file was read to its end and is unchanged since."""
    status = path.lstat()
    return (known.get("offset"), known.get("touched")) == (status.st_size, status.st_mtime_ns)


def _followed(parser: TranscriptParser, content: bytes | None) -> list[RecordContent]:
    """Return the contents of the records on a line.

    A line usually has one record. If a crash lost a line end, it has several.
    """
    found = parser.follow(content)
    records = one_after_another(content) if content and found.skipped is Skipped.BROKEN else ()
    return [parser.follow(record) for record in records] if len(records) > 1 else [found]
