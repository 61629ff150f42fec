"""Rules for agents in a repository: CLAUDE.md, AGENTS.md, GEMINI.md, and the rules of Cursor and Copilot.

A rule is a list item with everything nested in it, or a paragraph. A code block belongs to the rule before it.
Outside of code, `@docs/more.md` imports the rules of another file, as in Claude Code. The path is relative to the
folder of the importing file.
"""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from lamella.domain.memories.titles import generated_title
from lamella.ports.peers import ForeignMemory, Skipped, Store
from lamella_adapters.peers.files import LocatedPeer, not_found, note, shown
from lamella_adapters.peers.front_matter import divided, heading
from lamella_adapters.peers.values import memory, text
from lamella_adapters.process.commands import typed

PROGRAM = "rules"

_FILES = ("CLAUDE.md", "AGENTS.md", "GEMINI.md", ".claude/CLAUDE.md", ".github/copilot-instructions.md")
_PATTERNS = (
    *_FILES,
    *(".claude/rules/**/*.md", ".cursor/rules/**/*.mdc", ".github/instructions/**/*.instructions.md"),
)
_GLOBS = re.compile(r"^(globs: *)(\*[^\n\"]*)$", re.MULTILINE)
"""Pattern of a line with Cursor's file patterns, which aren't valid YAML."""

_BREAK = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(?:(=+)|-+)[ \t]*")
_MAX_HEADING_LINES = 100
_NO_PARAGRAPH = re.compile(r"[>|\s]|`{3}|~{3}")
_COMMENT = "\0"
"""Character that replaces a removed comment. It doesn't occur in other text."""

_ITEM = re.compile(r"(?:[-*+]|\d{1,3}[.)])[ \t]+(?=\S)")
_IMPORT = re.compile(r"(?<!\S)@((?:[^\s\\\0]|\\ )+\.md)(?=[.,;:!?)]*(?:\s|\Z))")
_MOST_HOPS = 5
"""Maximum length of a chain of imports, as in Claude Code."""

_FENCED = re.compile(
    rf"^[ \t]*(?:{_ITEM.pattern})?(?P<fence>`{{3,}}+(?![^\n]*`)|~{{3,}}+)[^\n]*"
    r"(?s:.*?)(?:\n[ \t]*(?P=fence)[`~]*[ \t]*(?:\n|\Z)|\Z)",
    re.MULTILINE,
)
_SPAN = r"(?<!`)(?P<span>`++)[^\n]{0,2000}?(?<!`)(?P=span)(?!`)"
_CODE_OR_COMMENT = re.compile(rf"{_FENCED.pattern}|{_SPAN}|(?P<comment><!--)", re.MULTILINE)


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
        files = _files(place) if place.is_dir() else [place]
        met, waiting = {each.resolve() for each in files}, [(each, 0) for each in files]
        for path, hops in waiting:  # grows with each import
            read = note(path)
            if isinstance(read, Skipped):
                yield read
                continue
            description, body = _divided(read.text)
            for target in _imported(body, path, directory.resolve()):
                if isinstance(target, Skipped):
                    yield target
                elif target not in met and hops == _MOST_HOPS:
                    yield Skipped(f"imported through more than {_MOST_HOPS} files: {_command(target)}")
                elif target not in met:
                    met.add(target)
                    waiting.append((target, hops + 1))
            for about, rule in _rules(description, body):
                key = hashlib.sha256(f"{about}\n{rule}".encode()).hexdigest()
                # Files for several clients repeat the same rules, possibly under another heading. A rule that only
                # imports files is no memory.
                if key in known or first.setdefault(rule, path) != path or not _IMPORT.sub("", rule).strip():
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


def _imported(body: str, path: Path, project: Path) -> Iterator[Path | Skipped]:
    """Yield the files that a file imports. Skip missing files, and files outside of the project."""
    text = _CODE_OR_COMMENT.sub(lambda code: "\n" if code["fence"] else "`", body)
    for name in _IMPORT.findall(text):
        named = os.path.expanduser(name.replace("\\ ", " "))  # noqa: PTH111 - pathlib raises for unknown users
        target = Path(os.path.realpath(path.resolve().parent / named))
        if not target.is_relative_to(project):
            yield Skipped(f"imported from outside of the project: {_command(target)}")
        elif os.path.isfile(target):  # noqa: PTH113 - pathlib raises for names that are too long
            yield target
        else:
            yield Skipped(f"imported by {shown(path)}, but missing: {shown(target)}")


def _command(path: Path) -> str:
    return f"{shown(path)} (to import it: lamella import {PROGRAM} {typed(str(path))})"


def _divided(written: str) -> tuple[str, str]:
    """Return the description in the front matter, and the text after it without comments."""
    head, fence, rest = written.partition("\n---")
    if head.startswith("---\n"):
        head = _GLOBS.sub(r'\1"\2"', head)
    fields, body = divided(head + fence + rest)
    return text(fields.get("description")), _without_comments(body)


def _rules(about: str, body: str) -> Iterator[tuple[str, str]]:
    """Yield the heading and the text of each rule. The first rules have the heading `about`.

    If a paragraph ends with a colon, it is joined with the list after it. A heading without text is a rule.
    """
    introduction, unused = "", False
    bare: list[tuple[int, str]] = []
    for block in _blocks(body):
        item, titled = _ITEM.match(block), heading(block.partition("\n")[0])
        if unused and not item:
            yield about, introduction
        unused = not item and not titled and block.endswith(":")
        if titled:
            level = len(block) - len(block.lstrip("#"))
            yield from (("", said) for above, said in bare if above >= level)
            bare = [*((above, said) for above, said in bare if above < level), (level, titled)]
            about, introduction = titled, ""
            continue
        bare = []
        if block == _COMMENT:
            continue
        if item:
            yield about, f"{introduction} {block[item.end() :]}".lstrip()
        elif unused:
            introduction = block
        else:
            introduction = ""
            yield about, block
    yield from [(about, introduction)] if unused else [("", said) for _, said in bare]


def _without_comments(written: str) -> str:
    """Replace each HTML comment outside of code by a placeholder character.

    An unclosed comment at the start of a line extends to the end of the text.
    """
    parts, kept, place, last = [], 0, 0, written.rfind("-->")
    while found := _CODE_OR_COMMENT.search(written, place):
        begin, place = found.span()
        if not found["comment"]:
            continue
        if begin < last:
            parts += [written[kept:begin], _COMMENT]
            kept = place = written.index("-->", begin) + len("-->")
        elif not written[written.rfind("\n", 0, begin) + 1 : begin].strip():
            return "".join([*parts, written[kept:begin], _COMMENT])
    return "".join([*parts, written[kept:]])


def _blocks(body: str) -> Iterator[str]:
    """Yield headings, list items and paragraphs, each with the code after it, and placeholders for comments."""
    lines: list[str] = []
    ended = False
    for marked, code in _lines(body):
        line = marked.replace(_COMMENT, "")
        if not ended and (underline := _UNDERLINE.fullmatch(line)) and _is_paragraph(lines):
            lines = [f"#{'' if underline[1] else '#'} {' '.join(map(str.strip, lines))}"]
            continue
        if line != marked and not line.strip() and lines and heading(lines[0]):
            yield lines[0]
            lines = [_COMMENT]
        blank = not code and (not line.strip() or bool(_BREAK.fullmatch(line)))
        if lines and not blank and _starts(line, lines, code=code, ended=ended):
            yield "\n".join(lines).strip()
            lines = []
        ended = blank
        if lines or not blank:
            lines.append("" if blank else line)
    yield from filter(None, ["\n".join(lines).strip()])


def _lines(body: str) -> Iterator[tuple[str, str]]:
    """Yield lines, each with its fence. A fenced block counts as one line; other lines have an empty fence."""
    place = 0
    for code in _FENCED.finditer(body):
        yield from ((line, "") for line in body[place : code.start()].splitlines())
        yield code[0].removesuffix("\n"), code["fence"]
        place = code.end()
    yield from ((line, "") for line in body[place:].splitlines())


def _is_paragraph(lines: list[str]) -> bool:
    """Return True if `lines` are a paragraph without code. An underline after a paragraph makes it a heading."""
    if not 0 < len(lines) < _MAX_HEADING_LINES or heading(lines[0]) or _ITEM.match(lines[0]):
        return False
    return "" not in lines and not any(map(_NO_PARAGRAPH.match, lines))


def _starts(line: str, before: list[str], *, code: str, ended: bool) -> bool:
    """Return True if a line begins a block: a heading, a list item, or a line after a heading or a blank line.

    Code begins a block only in an item, or after a heading.
    """
    if _ITEM.match(line) or heading(before[0]) or before[0] == _COMMENT:
        return True
    return not code and bool(heading(line) or (ended and not line[0].isspace()))
