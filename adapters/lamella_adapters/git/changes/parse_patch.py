"""Line-by-line parser of patches with renames, with limits."""

from collections.abc import Iterable, Iterator

from attrs import define, field

from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.changes.patch import HEAD_BYTES, Counted, beginning, unquoted

_MAX_PATCH_BYTES = 4 * 1024 * 1024
"""Maximum size of a patch to keep.

Lines beyond this size are only counted, because people don't write larger patches by hand.
"""

MOST_FILES = 200
"""Maximum number of files to read from a patch: the first files, and the last one.

Larger patches come from programs.
"""


def lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream without line endings. Very long lines are truncated."""
    rest = bytearray()
    for piece in pieces:
        *lines, last = piece.split(b"\n")
        for line in lines:
            rest += line
            yield bytes(rest[:_MAX_PATCH_BYTES])
            rest.clear()
        if len(rest) < _MAX_PATCH_BYTES:
            rest += last
    if rest:
        yield bytes(rest[:_MAX_PATCH_BYTES])


@define
class _File:
    """A file of a patch, as far as it has been read."""

    path: str
    former: str | None = None
    binary: bool = False
    additions: int = 0
    deletions: int = 0
    head: bytearray = field(factory=bytearray)

    def read(self, line: bytes, *, keep: bool) -> None:
        """Read a line of the file's header or hunks."""
        if not self.head and not line.startswith(b"@@ "):
            self._read_header(line)
            return
        self.additions += line.startswith(b"+")
        self.deletions += line.startswith(b"-")
        if keep and line and len(self.head) < HEAD_BYTES:
            self.head += line[:1] + beginning(line[1:], HEAD_BYTES) + b"\n"

    @property
    def changed(self) -> bool:
        """Return True if more than the mode of the file has changed."""
        return self.binary or self.former is not None or bool(self.head)

    @property
    def change(self) -> CodeChange:
        """Change of the file. Lines of a binary file are not counted."""
        counted = Counted(None, None) if self.binary else Counted(self.additions, self.deletions, bytes(self.head))
        return counted.change(self.path, self.former)

    def _read_header(self, line: bytes) -> None:
        if line.startswith(b"rename from "):
            self.former = unquoted(line.removeprefix(b"rename from "))
        elif line.startswith(b"rename to "):
            self.path = unquoted(line.removeprefix(b"rename to "))
        elif line.startswith(b"Binary files "):
            self.binary = True


@define
class Patch:
    """Output of git with the options `AS_READ`, up to the last line read.

    `size` is the number of bytes read. `more` has the paths of files beyond the limit.
    """

    size: int = 0
    more: list[str] = field(factory=list)
    files: list[_File] = field(factory=list)

    def read(self, line: bytes) -> None:
        """Read a line."""
        self.size += len(line) + 1
        if line.startswith(b"diff --git "):
            # Without a rename, this line has the same name twice. For a rename, later lines have both names.
            names = line.removeprefix(b"diff --git ")
            self.files.append(_File(unquoted(names[: len(names) // 2])))
            if len(self.files) > MOST_FILES:
                self.more.append(self.files.pop(MOST_FILES - 1).path)
        elif self.files:
            self.files[-1].read(line, keep=self.size <= _MAX_PATCH_BYTES)

    def changes(self) -> tuple[CodeChange, ...]:
        """Return the change of each file."""
        return tuple(file.change for file in self.files if file.changed)
