"""Folders of Markdown files and audit trails, in the format of `lamella export`."""

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from attrs import define, field, frozen

from lamella.domain.errors import AdvisedError
from lamella.domain.exchange import json_lines, markdown
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.exchange.records import Audited, Record
from lamella.domain.text.printing import printed_line
from lamella.ports.shared_folder import MachineFiles
from lamella_adapters.process.calls import posix
from lamella_adapters.process.files import PART, replaced
from lamella_adapters.process.tables import sentences

_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | posix.O_NOFOLLOW | posix.O_CLOEXEC

_MAX_FILE_BYTES = 64 * 1024 * 1024
"""The largest accepted file: a long conversation."""

_BLANK = b" \t\r\n\0"
"""Bytes of an empty file. After a power failure, it may consist of NUL bytes."""

_EMPTIED = (
    "it is empty. Wait until it is synced completely; or, on the machine that wrote it, run:"
    " lamella share --everything FOLDER"
)
_LINES = ".jsonl"
_PROJECT, _TRAIL = f"{os.sep}{markdown.PROJECT_FILE}", f"{os.sep}{markdown.TRAIL_FILE}"


@define
class MarkdownFolder:
    """Export folder, with a folder for each project and a file for each memory or conversation."""

    top: Path
    total: int = field(default=0, init=False)
    done: int = field(default=0, init=False)
    """Number of files read so far. `total` is the number of files found."""

    def write(self, records: Iterable[Record]) -> Iterator[Record]:
        """Write records into a new or empty folder. Yield each record after writing it.

        Raises:
            AdvisedError: The folder is not empty.
        """
        _make(self.top)
        if any(self.top.iterdir()):
            raise AdvisedError(reason=f"{self.top.name} is not empty.", advice="Export into a new folder.")
        trails = defaultdict[str, list[Audited]](list)
        files = markdown.MarkdownFiles(lambda name: (self.top / name).exists())
        for record in records:
            if isinstance(record, Audited):
                trails[record.project].append(record)
            elif placed := files.placed(record):
                self._append(*placed)
            yield record
        for project, trail in trails.items():
            self._append(f"{project}/{markdown.TRAIL_FILE}", b"".join(json_lines.written(trail)).decode())

    def _append(self, name: str, text: str) -> None:
        """Append to a private file."""
        path = self.top / name
        _make(path.parent)
        with os.fdopen(os.open(path, _APPEND, 0o600), "wb") as file:
            file.write(text.encode())

    def read(self) -> Iterator[tuple[str, Record | UnreadableExportError]]:
        """Yield the records of all files in the folder: projects first, and audit trails last.

        Files without the front matter of an export are skipped. An unusable record is replaced by its error.

        Raises:
            AdvisedError: The folder isn't empty, but no file has a record.
        """
        top = os.fspath(self.top).rstrip(os.sep)
        files = sorted(_files(top), key=lambda each: (each.endswith(_TRAIL), not each.endswith(_PROJECT), each))
        self.total, found = len(files), False
        for self.done, file in enumerate(files, start=1):
            place = file[len(top) + 1 :]
            for each in lines_of(file, place) if file.endswith(_TRAIL) else _file(file, place):
                found = True
                yield each
        # Without projects, an export is an empty folder.
        if not found and any(self.top.iterdir()):
            folder = printed_line(self.top.name) or "This folder"
            raise AdvisedError(**sentences(__file__, "no-export", folder=folder))


@frozen
class MachineFolder(MachineFiles):
    """Folder that has a folder for each machine. A machine's folder has a file of JSON Lines for each project.

    Attributes:
        top: The folder.
        machine: Id of this machine.
    """

    top: Path
    machine: str

    def records(self) -> Iterator[tuple[str, Record | UnreadableExportError]]:
        """See `MachineFiles.records`. Links are not followed."""
        for path in sorted(self.top.glob(f"*/*{_LINES}")):
            if path.is_file() and not (path.is_symlink() or path.parent.is_symlink()):
                # Don't report this machine's own emptied file: this run writes it again.
                emptied = _EMPTIED if path.parent.name != self.machine else ""
                yield from lines_of(os.fspath(path), os.fspath(path.relative_to(self.top)), emptied)

    def write(self, project: str, records: Iterable[Record], *, dry_run: bool) -> bool:
        """See `MachineFiles.write`."""
        target = self.top / self.machine / f"{project}{_LINES}"
        made = b"".join(json_lines.written(records))
        # Don't rewrite an unchanged file: other machines would have to sync it.
        if target.is_file() and target.read_bytes() == made:
            return False
        if not dry_run:
            _make(target.parent)
            with replaced(target) as stream:
                stream.write(made)
        return True

    def keep(self, projects: Collection[str], *, dry_run: bool) -> int:
        """See `MachineFiles.keep`. Drafts left by killed processes are removed too."""
        own = [each for each in (self.top / self.machine).glob("*") if each.suffix in (_LINES, PART)]
        gone = [each for each in own if each.name.removesuffix(_LINES) not in projects]
        for each in () if dry_run else gone:
            each.unlink()
        return sum(each.suffix == _LINES for each in gone)


def lines_of(
    file: str, place: str, emptied: str = "it is empty"
) -> Iterator[tuple[str, Record | UnreadableExportError]]:
    """Yield the records of a JSON Lines file. If the file's rest is unusable, yield an error.

    Other programs' files are skipped. If `emptied` is given, it is the reason in the error for an empty file.
    """
    try:
        with Path(file).open("rb") as stream:
            head = stream.peek()
            if json_lines.begins(head):
                yield from ((f"{place}, {line}", record) for line, record in json_lines.read(stream))
            elif emptied and not head.strip(_BLANK):
                yield place, UnreadableExportError(place=place, reason=emptied)
    except UnreadableExportError as error:
        yield place, UnreadableExportError(place=f"{place}, {error.place}", reason=error.reason)
    except OSError as error:
        yield place, _unreadable(place, error)


def _files(folder: str) -> Iterator[str]:
    """Yield the files below a folder, skipping links and hidden folders."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith("."):
                    yield from _files(entry.path)
            elif _is_read(entry.name) and entry.is_file(follow_symlinks=False):
                yield entry.path


def _is_read(name: str) -> bool:
    return name.endswith(".md") or name == markdown.TRAIL_FILE


def _file(file: str, place: str) -> Iterator[tuple[str, Record | UnreadableExportError]]:
    try:
        # Don't create `Path` objects: with thousands of files, this would take as long as reading.
        with open(file, "rb") as stream:  # noqa: PTH123 - see above
            content = stream.read(_MAX_FILE_BYTES + 1)
    except OSError as error:
        yield place, _unreadable(place, error)
        return
    if len(content) > _MAX_FILE_BYTES:
        yield place, UnreadableExportError(place=place, reason=f"it is larger than {_MAX_FILE_BYTES} bytes")
        return
    yield from markdown.read(content, place)


def _unreadable(place: str, error: OSError) -> UnreadableExportError:
    return UnreadableExportError(place=place, reason=f"it cannot be read: {error.strerror}")


def _make(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
