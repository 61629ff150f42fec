"""Memory files of Claude Code: a folder of Markdown for each project, with an index.

The folder's name is the project's path with `-` for all but letters and digits. Transcripts beside the folder have
the original path.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from lamella.domain.errors import PeerUnreadableError
from lamella.ports.peers import ForeignMemory, Skipped, Store
from lamella_adapters.peers import files, front_matter, json_records
from lamella_adapters.peers.values import folder_name, made, memory, text

PROGRAM = "claude-code-memory"

_INDEX = "MEMORY.md"
_POINTER = re.compile(r"^[ \t]*[-*][ \t]*\[[^\]\n]*\]\(([^)\n]*\.md)\)(.*)\n?", re.MULTILINE)
_MAX_SETTINGS_BYTES = 1024 * 1024
_TRANSCRIPTS = 3
_HEAD_BYTES = 256 * 1024


class ClaudeCodeMemory(files.LocatedPeer):
    """The memory files of Claude Code."""

    def stores(self) -> tuple[Store, ...]:
        """Return the given folder or the memory folders in it; by default, the memory folders of all projects."""
        configuration = files.in_environment("CLAUDE_CONFIG_DIR") or Path.home() / ".claude"
        usual = [*_chosen(configuration / "settings.json"), configuration / "projects"]
        looked_for = usual if self.path is None else [self.path]
        found = {place.resolve(): None for each in looked_for for place in _folders(each)}
        if not found:
            raise files.not_found(PROGRAM, looked_for)
        return tuple(map(files.folder_of_notes, found))

    def read(self, store: Store) -> Iterator[ForeignMemory | Skipped]:
        """Yield a memory for each file, in order of names. Skip the index if it has no text besides links."""
        slug = store.place.parent.name if store.place.name == "memory" else store.place.name
        directory = _recorded_directory(store.place.parent, slug)
        return made(files.notes(store.place), lambda each: _memory(each, store.place, slug, directory))

    def name_of(self, directory: str) -> str:
        """Return the name of the folder that Claude Code makes for a path."""
        return re.sub("[^A-Za-z0-9]", "-", directory)


def _chosen(settings: Path) -> list[Path]:
    """Return the memory folder named in the settings of Claude Code, if any."""
    if not settings.is_file():
        return []
    with suppress(PeerUnreadableError), files.opened(settings, follow=True) as file:
        read = json_records.parsed(file.read(_MAX_SETTINGS_BYTES))
        if not isinstance(read, Skipped) and (folder := text(read.get("autoMemoryDirectory"))):
            return [Path(folder).expanduser()]
    return []


def _folders(place: Path) -> list[Path]:
    """Return `place` if it is a folder of memory files, or else the memory folders of all projects below it."""
    if not place.is_dir():
        return []
    below = [place / "memory", *sorted(place.glob("*/memory"))]
    nested = [each for each in below if each.is_dir() and any(each.glob("*.md"))]
    return nested or ([place] if any(place.glob("*.md")) else [])


def _recorded_directory(folder: Path, slug: str) -> str:
    """Return the directory recorded in a folder's transcripts; empty if the directory doesn't match `slug`."""
    slugged = ClaudeCodeMemory(None).name_of
    for path in sorted(folder.glob("*.jsonl"))[-_TRANSCRIPTS:]:
        with suppress(PeerUnreadableError), files.opened(path) as file:
            for line in file.read(_HEAD_BYTES).split(b"\n"):
                record = json_records.parsed(line) if b'"cwd"' in line else {}
                cwd = "" if isinstance(record, Skipped) else text(record.get("cwd"))
                if cwd and slugged(cwd) == slugged(slug):
                    return cwd
    return ""


def _memory(read: files.Note, folder: Path, slug: str, directory: str) -> ForeignMemory | Skipped:
    fields, body = front_matter.divided(read.text)
    if read.path.name == _INDEX:
        body = _POINTER.sub(lambda link: "" if _is_pointer(link, folder) else link[0], body).strip()
        if not body:
            return Skipped("index of other memories")
    metadata = fields.get("metadata")
    nested = text(metadata.get("type")) if isinstance(metadata, dict) else ""
    return memory(
        key=f"{slug}/{read.path.relative_to(folder).as_posix()}",
        project=folder_name(directory) or slug,
        directory=directory,
        title=text(fields.get("description")) or front_matter.heading(body),
        keywords=text(fields.get("name")),
        content=body,
        source=nested or text(fields.get("type")),
        created_at=read.changed,
    )


def _is_pointer(link: re.Match[str], folder: Path) -> bool:
    """Return True if a link has no text, or points to a file. Otherwise, its text is the only copy."""
    with suppress(OSError):
        return not link[2].strip() or (folder / unquote(link[1])).is_file()
    return False
