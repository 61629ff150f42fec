"""Reading a patch with renames line by line, as far as it is worth keeping."""

from collections.abc import Iterable, Iterator

from attrs import define, field

from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.changes.patch import HEAD_BYTES, Counted, beginning, unquoted

_MAX_PATCH_BYTES = 4 * 1024 * 1024
"""Where reading of a patch stops: what is larger was not written by hand."""

MOST_FILES = 200
"""Files of a patch that are kept: of more, which are the work of a program, the first ones and the last."""

AS_COMPARED = ("--find-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
AS_READ = ("--patch", *AS_COMPARED, "--unified=3", "--inter-hunk-context=0", "--no-color", "--no-prefix")
"""How git is asked what differs, and for a patch that is read here, whatever its user has configured."""


def lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a stream without their ends; of a very long one the beginning."""
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
    """A file of a commit as far as it has been read."""

    path: str
    former: str | None = None
    binary: bool = False
    additions: int = 0
    deletions: int = 0
    head: bytearray = field(factory=bytearray)

    def read(self, line: bytes, *, keep: bool) -> None:
        """Reads a line after the one that names the file: of its header, or of its hunks."""
        if not self.head and not line.startswith(b"@@ "):
            self._read_header(line)
            return
        self.additions += line.startswith(b"+")
        self.deletions += line.startswith(b"-")
        if keep and line and len(self.head) < HEAD_BYTES:
            self.head += line[:1] + beginning(line[1:], HEAD_BYTES) + b"\n"

    @property
    def changed(self) -> bool:
        """Whether more than its mode has changed."""
        return self.binary or self.former is not None or bool(self.head)

    @property
    def counted(self) -> Counted:
        """Its change; of a binary file nothing is counted."""
        if self.binary:
            return Counted(None, None)
        return Counted(self.additions, self.deletions, bytes(self.head))

    def _read_header(self, line: bytes) -> None:
        if line.startswith(b"rename from "):
            self.former = unquoted(line.removeprefix(b"rename from "))
        elif line.startswith(b"rename to "):
            self.path = unquoted(line.removeprefix(b"rename to "))
        elif line.startswith(b"Binary files "):
            self.binary = True


@define
class Patch:
    """What `git` printed with `--patch --find-renames --no-prefix`, as far as it has been read.

    `size` is in bytes. Of `more` files, whose paths these are, nothing was kept.
    """

    size: int = 0
    more: list[str] = field(factory=list)
    files: list[_File] = field(factory=list)

    def read(self, line: bytes) -> None:
        """Reads a line."""
        self.size += len(line) + 1
        if line.startswith(b"diff --git "):
            # The same name twice, unless it was renamed, of which the lines after this tell.
            names = line.removeprefix(b"diff --git ")
            self.files.append(_File(unquoted(names[: len(names) // 2])))
            if len(self.files) > MOST_FILES:
                self.more.append(self.files.pop(MOST_FILES - 1).path)
        elif self.files:
            self.files[-1].read(line, keep=self.size <= _MAX_PATCH_BYTES)

    def changes(self) -> tuple[CodeChange, ...]:
        """What has changed in each file."""
        return tuple(
            CodeChange(
                path=file.path,
                former=file.former,
                additions=counted.additions,
                deletions=counted.deletions,
                hunks=counted.text,
            )
            for file in self.files
            if file.changed
            for counted in [file.counted]
        )
