"""Memory of Codex: notes, and the handbook `MEMORY.md`, which has blocks for some directories.

A note is a file that Codex writes on request, and later adds to the handbook.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from lamella.domain.errors import PeerUnreadableError
from lamella.ports.peers import ForeignMemory, Skipped, Store
from lamella_adapters.peers import files
from lamella_adapters.peers.front_matter import divided, heading
from lamella_adapters.peers.values import folder_name, made, memory, text

PROGRAM = "codex-memory"

_FILE = "MEMORY.md"
_BLOCK = re.compile(r"^(?=# \S)|^(?=---[ \t]*\n[a-z_]+:)", re.MULTILINE)
_NOTES = tuple(f"{each}extensions/ad_hoc/notes" for each in ("", "memories/", "memories_"))
_STAMP = re.compile(r"^\d{4}-?\d\d-?\d\dT[\d-]*Z?-")
_DIRECTORY = re.compile(r"\bcwd=(?:\\\\\?\\)?(?P<path>(?:/|[A-Za-z]:\\)[^\s,;)\"'`]*)")
_GROUP = "Task Group:"


class CodexMemory(files.LocatedPeer):
    """The memory of Codex."""

    def stores(self) -> tuple[Store, ...]:
        """Return the handbook of Codex, and its folders of notes."""
        home = files.in_environment("CODEX_HOME") or Path.home() / ".codex"
        names = [_FILE, f"memories/{_FILE}"]
        found = [place for each in _NOTES if any((place := (self.path or home) / each).glob("*.md"))]
        with suppress(*([PeerUnreadableError] if found else [])):
            found = [*files.located(PROGRAM, self.path, [home / names[1]], names), *found]
        return tuple(
            Store(place=place, remark="Codex keeps no times: each memory gets the time of its file.")
            for place in found
        )

    def read(self, store: Store) -> Iterator[ForeignMemory | Skipped]:
        """Yield a memory for each block of a handbook, in order of the blocks, or for each note of a folder."""
        if store.place.is_dir():
            yield from made(files.notes(store.place), _note)
            return
        with files.opened(store.place, follow=True) as file:
            content, changed = file.read(files.MAX_NOTE_BYTES + 1), files.modified(file)
        if len(content) > files.MAX_NOTE_BYTES:
            raise files.unreadable(store.place, "it is too large to be a file of Codex", files.RIGHT_FILE)
        if (written := files.decoded(content)) is None:
            raise files.unreadable(store.place, "it is not a text in UTF-8", files.RIGHT_FILE)
        seen: dict[str, int] = {}
        for block in _blocks(written):
            fields, body = divided(block)
            title = text(fields.get("description")) or heading(body).removeprefix(_GROUP).strip()
            directories = {each["path"].rstrip("/.") for each in _DIRECTORY.finditer(block)}
            directory = directories.pop() if len(directories) == 1 else ""
            seen[title] = seen.get(title, 0) + 1
            yield memory(
                key=f"{title or 'block'}/{seen[title]}",
                project=folder_name(directory),
                directory=directory,
                title=title,
                content=body,
                source="memory",
                created_at=changed,
            )


def _note(read: files.Note) -> ForeignMemory | Skipped:
    slug = _STAMP.sub("", read.path.stem).replace("-", " ")
    return memory(
        key=f"notes/{read.path.name}",
        title=heading(read.text) or slug,
        content=read.text.strip(),
        source="memory",
        created_at=read.changed,
    )


def _blocks(written: str) -> list[str]:
    """Return the blocks of a handbook.

    A block begins with front matter, or with a top-level heading outside of code.
    """
    code = [
        (each.start(), each.end())
        for each in re.finditer(r"^```.*?(?:^```|\Z)", written, re.MULTILINE | re.DOTALL)
    ]
    starts = [each.start() for each in _BLOCK.finditer(written) if not any(a < each.start() < b for a, b in code)]
    edges = sorted({0, *starts, len(written)})
    blocks = [written[begin:end].strip() for begin, end in pairwise(edges)]
    return _joined(blocks)


def _joined(blocks: list[str]) -> list[str]:
    """Join front matter with the heading after it, because both belong to one block."""
    found: list[str] = []
    for block in filter(None, blocks):
        if found and found[-1].startswith("---") and not divided(found[-1])[1] and divided(found[-1])[0]:
            found[-1] += f"\n{block}"
        else:
            found.append(block)
    return found
