"""Files of other programs: finding and safely reading them."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

from attrs import define

from lamella.domain.errors import PeerUnreadableError
from lamella.domain.text.printing import printed_line
from lamella.ports.peers import BROKEN as BROKEN  # noqa: PLC0414 - readers import all reasons from this module
from lamella.ports.peers import Peer, Skipped, Store
from lamella_adapters.peers.front_matter import repeated
from lamella_adapters.transcripts.files import opened as opened_file
from lamella_adapters.transcripts.files import reason

MAX_NOTE_BYTES = 4 * 1024 * 1024
"""Maximum size of a note's file."""

LINK = Skipped("behind a symbolic link")
TOO_LONG = Skipped("too long to be a memory")

RIGHT_FILE = "Check that it is the right file."
"""Advice for an unexpected kind of file."""

_MAX_ENTRIES = 200_000
"""Maximum number of entries in a folder of notes."""


@define
class LocatedPeer(Peer):
    """A program with memories at the path `given`, or at the program's default paths if `given` is None."""

    path: Path | None


def in_environment(name: str) -> Path | None:
    """Return the path in an environment variable; None if unset."""
    value = os.environ.get(name, "").strip()
    return Path(value).expanduser() if value else None


def shown(path: Path) -> str:
    """Return a path for display, with `~` for the home directory."""
    home = str(Path.home())
    text = str(path)
    return printed_line(f"~{text.removeprefix(home)}" if text.startswith(f"{home}{os.sep}") else text)


def located(program: str, given: Path | None, usual: Sequence[Path], names: Sequence[str]) -> Sequence[Path]:
    """Return the existing files in which a program may have stored memories, without duplicates.

    Args:
        program: Name of the program.
        given: A file, or a folder with a file whose name is in `names`. None for the paths in `usual`.
        usual: The program's default paths.
        names: Possible names of the program's file, best first. In the folder `given`, only the first existing
            file is used.

    Raises:
        PeerUnreadableError: No file exists.
    """
    if given is None:
        candidates = list(usual)
        found = [each for each in candidates if os.path.isfile(each)]  # noqa: PTH113 - pathlib raises without permission to look
    elif given.is_dir():
        candidates = [given / name for name in names]
        found = [each for each in candidates if os.path.isfile(each)][:1]  # noqa: PTH113 - see above
    else:
        candidates = found = [given]
    if not found:
        raise not_found(program, candidates)
    return list({os.path.realpath(each): each for each in found}.values())


def not_found(program: str, looked_for: Sequence[Path]) -> PeerUnreadableError:
    """Return the error for a program with no files at any of the paths `looked_for`."""
    places = ", ".join(shown(each) for each in looked_for)
    return PeerUnreadableError(
        reason=f"No memories of {program} found. Looked for: {places}.",
        advice=f"Give the path of yours: lamella import {program} PATH",
    )


def unreadable(path: Path, why: str, advice: str = "") -> PeerUnreadableError:
    """Return the error for a file that can't be read at all, or not to its end."""
    return PeerUnreadableError(
        reason=f"{shown(path)} cannot be read: {why}.",
        advice=advice or "Check that it exists and that you may read it, then try again.",
    )


@contextmanager
def opened(path: Path, *, follow: bool = False) -> Iterator[BinaryIO]:
    """Open a regular file for reading.

    Args:
        path: Path of the file.
        follow: True to follow a symbolic link, as for a path given by the user.

    Raises:
        PeerUnreadableError: The file can't be opened, isn't a regular file, or reading fails inside the block.
    """
    try:
        with opened_file(path, follow=follow) as file:
            yield file
    except OSError as error:
        raise unreadable(path, reason(error)) from None


class Note(NamedTuple):
    """A small file: its path, its text, and the time of its last change."""

    path: Path
    text: str
    changed: datetime


def notes(folder: Path) -> Iterator[Note | Skipped]:
    """Yield a note for each Markdown file that `markdown_files` finds."""
    for path in markdown_files(folder):
        yield path if isinstance(path, Skipped) else note(path)


def note(path: Path) -> Note | Skipped:
    """Read a small file as a note, or return a reason for skipping the file."""
    try:
        with opened(path) as file:
            content = file.read(MAX_NOTE_BYTES + 1)
            changed = modified(file)
    except PeerUnreadableError:
        return LINK if path.is_symlink() else Skipped(f"unreadable: {shown(path)}")
    if len(content) > MAX_NOTE_BYTES:
        return TOO_LONG
    if (text := decoded(content)) is None:
        return Skipped(f"not in UTF-8: {shown(path)}")
    if again := repeated(text):
        return Skipped(f"with a key twice in its front matter: {shown(path)}, {again}")
    return Note(path, text, changed)


def decoded(content: bytes) -> str | None:
    """Return a text in UTF-8, with line breaks as in Unix; None for binary content and other encodings."""
    try:
        return None if b"\0" in content else content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None


def modified(file: BinaryIO) -> datetime:
    """Return the time of the last change of an open file."""
    return datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, UTC)


def folder_of_notes(place: Path) -> Store:
    """Return a folder as a store of memories, with the number of its Markdown files."""
    return Store(place=place, records=sum(isinstance(each, Path) for each in markdown_files(place)))


def markdown_files(folder: Path) -> Iterator[Path | Skipped]:
    """Yield the Markdown files in a folder and below, in order of their names. Links are not followed.

    Hidden files and folders are left out.

    Raises:
        PeerUnreadableError: The folder cannot be read, or has too many entries.
    """
    seen = 0

    def refuse(error: OSError) -> None:
        raise unreadable(Path(error.filename), reason(error))

    for place, folders, names in os.walk(folder, onerror=refuse):
        seen += len(folders) + len(names)
        if seen > _MAX_ENTRIES:
            raise unreadable(folder, f"it has more than {_MAX_ENTRIES} entries", "Give a folder of notes.")
        for name in [*folders, *names]:
            if not name.startswith(".") and (Path(place) / name).is_symlink():
                yield LINK
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(names):
            path = Path(place) / name
            if name.endswith(".md") and not name.startswith(".") and not path.is_symlink():
                yield path
