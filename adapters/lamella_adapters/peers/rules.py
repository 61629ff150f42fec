"""Rules for agents in a repository: CLAUDE.md, AGENTS.md, GEMINI.md, and the rules of Cursor and Copilot.

A rule is a list item with everything nested in it, or a paragraph. A code block belongs to the rule before it.
"""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from lamella.domain.memories.titles import generated_title
from lamella.ports.peers import ForeignMemory, Skipped, Store
from lamella_adapters.peers.files import LocatedPeer, not_found, note
from lamella_adapters.peers.front_matter import divided, heading
from lamella_adapters.peers.values import memory, text

PROGRAM = "rules"

_FILES = ("CLAUDE.md", "AGENTS.md", "GEMINI.md", ".claude/CLAUDE.md", ".github/copilot-instructions.md")
_PATTERNS = (
    *_FILES,
    *(".claude/rules/**/*.md", ".cursor/rules/**/*.mdc", ".github/instructions/**/*.instructions.md"),
)
_GLOBS = re.compile(r"^(globs: *)(\*[^\n\"]*)$", re.MULTILINE)
"""Patterns of files as Cursor writes them. They aren't valid YAML."""

_BREAK = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
_UNCLOSED = re.compile(r"^[ \t]*<!--", re.MULTILINE)
_UNDERLINED = re.compile(r"^(\w.*)\n=+[ \t]*$", re.MULTILINE)
_ITEM = re.compile(r"(?:[-*+]|\d{1,3}[.)])[ \t]+(?=\S)")
_IMPORT = re.compile(r"@\S+")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")


class Rules(LocatedPeer):
    """The rules of a repository, or of one file."""

    def stores(self) -> tuple[Store, ...]:
        """Return the given file or folder; without one, the repository around the current folder."""
        place = _repository(Path.cwd()) if self.path is None else self.path
        if not (place.is_file() or _files(place)):
            raise not_found(PROGRAM, [place / each for each in _PATTERNS])
        return (Store(place=place, remark="Rules have no times: each gets the time of its file."),)

    def read(self, store: Store) -> Iterator[ForeignMemory | Skipped]:
        """Yield each rule, file by file. A rule repeated in several files is yielded once."""
        place = store.place
        directory = place if place.is_dir() else _repository(place.resolve().parent)
        known = set[str]()
        first = dict[str, Path]()
        for path in _files(place) if place.is_dir() else [place]:
            read = note(path)
            if isinstance(read, Skipped):
                yield read
                continue
            for about, rule in _rules(read.text):
                key = hashlib.sha256(f"{about}\n{rule}".encode()).hexdigest()
                # Files for several clients repeat the same rules, possibly under another heading.
                if key in known or first.setdefault(rule, path) != path:
                    continue
                known.add(key)
                yield memory(
                    key=key,
                    directory=str(directory) if (directory / ".git").exists() else "",
                    title=f"{about}: {generated_title(rule)}" if about else "",
                    content=rule,
                    source="rule",
                    created_at=read.changed,
                )


def _repository(folder: Path) -> Path:
    """Return the nearest enclosing repository, or else `folder`."""
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)


def _files(folder: Path) -> list[Path]:
    return [path for pattern in _PATTERNS for path in sorted(folder.glob(pattern)) if path.is_file()]


def _rules(written: str) -> Iterator[tuple[str, str]]:
    """Yield the heading and the text of each rule.

    If a paragraph ends with a colon, it is joined with the list after it.
    """
    head, fence, rest = written.partition("\n---")
    if head.startswith("---\n"):
        head = _GLOBS.sub(r'\1"\2"', head)
    fields, body = divided(_without_comments(head + fence + rest))
    about, introduction = text(fields.get("description")), ""
    for block in _blocks(_UNDERLINED.sub(r"# \1", body)):
        if titled := heading(block.partition("\n")[0]):
            about, introduction = titled, ""
        elif block.endswith(":") and not _ITEM.match(block):
            introduction = f"{block} "
        elif item := _ITEM.match(block):
            yield about, introduction + block[item.end() :]
        elif not _IMPORT.fullmatch(block):
            introduction = ""
            yield about, block


def _without_comments(written: str) -> str:
    """Return a text without HTML comments. An unclosed comment at the start of a line extends to the end."""
    parts, place = [], 0
    while (begin := written.find("<!--", place)) >= 0 and (end := written.find("-->", begin)) >= 0:
        parts.append(written[place:begin])
        place = end + len("-->")
    rest = written[place:]
    unclosed = _UNCLOSED.search(rest)
    return "".join([*parts, rest[: unclosed.start()] if unclosed else rest])


def _blocks(body: str) -> Iterator[str]:
    """Yield headings, items of lists and paragraphs, with the following code."""
    lines: list[str] = []
    fenced = ended = False
    for line in body.splitlines():
        opens, blank = bool(_FENCE.match(line)), not line.strip() or bool(_BREAK.fullmatch(line))
        if not fenced and not opens and not blank:
            nested = line[0].isspace() and bool(lines)
            if _starts(line, lines, ended=ended and not nested) and lines:
                yield "\n".join(lines).strip()
                lines = []
        ended = not fenced and blank
        lines.append("" if ended else line)
        fenced ^= opens
    yield from filter(None, ["\n".join(lines).strip()])


def _starts(line: str, before: list[str], *, ended: bool) -> bool:
    """Return True if a line begins a block: a heading, a list item, or a line after a heading or a blank line."""
    return ended or bool(heading(line) or _ITEM.match(line) or (before and heading(before[-1])))
