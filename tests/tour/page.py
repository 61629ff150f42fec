"""The page: boxes of what was said, without what differs from run to run."""

import hashlib
import re
import textwrap
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from attrs import define, field

from lamella_adapters.tokenizers.character_classes import ClassTokenizer

YOU, CLAUDE, LAMELLA, SHELL = "you", "Claude", "lamella", "shell"
"""The speakers."""

SAID: Mapping[str, list[str]] = tomllib.loads(Path(__file__).with_name("page.toml").read_text("utf-8"))
"""What the page says between the boxes, by the functions that add it."""

_DAY = "2026-01-05"
_MOMENT = re.compile(r"\b\d{4}-\d\d-\d\d(?:([T ])\d\d:\d\d(:\d\d(?:\.\d+)?)?)?")
_ID = re.compile(r"\b(?=[a-f-]*\d)(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{7,40})\b")
_MARK, _ANY_MARK = (
    "5d41402abc4b",
    re.compile(r'(?<=lamella-memory mark=")[0-9a-f]{12}|(?<=</lamella-memory )[0-9a-f]{12}'),
)
_SAME = 7
"""Characters that tell ids apart, whole or shortened, and the fewest of a hash of git's."""

_COUNT = re.compile(r"~\d+(?= tokens)")
_WIDTH, _COLUMN = 112, 9


@define
class Neutral:
    """Says of a machine that is nobody's, on a day of its own, what was said of this one.

    Paths are below `/home/dev`. Ids are made of names, or of the order in which they occur. Replies that state
    their own tokens state those of what stands on the page, as ids are not all of the same length in tokens.
    """

    folder: Path
    ids: dict[str, str] = field(factory=dict)
    """What ids are made of, by their beginnings."""

    def name(self, id: str, name: str) -> None:
        """Have an id made of a name, so that it stays the same when others come before it."""
        self.ids[id[:_SAME]] = name

    def text(self, text: str) -> str:
        """One text."""
        for path in (self.folder / "home", self.folder):
            text = text.replace(str(path), "/home/dev")
        text = _MOMENT.sub(_on_the_day, text)
        text = _ANY_MARK.sub(_MARK, text)
        text = _ID.sub(lambda match: self._invented(match[0]), text)
        for _ in range(2):
            count = tokens(text)
            text = _COUNT.sub(f"~{count}", text)
        return text

    def _invented(self, id: str) -> str:
        if id == _MARK:
            return id
        name = self.ids.setdefault(id[:_SAME], str(len(self.ids)))
        plain = hashlib.sha256(name.encode()).hexdigest()[: len(id.replace("-", ""))]
        if "-" not in id:
            return plain
        return f"{plain[:8]}-{plain[8:12]}-4{plain[13:16]}-8{plain[17:20]}-{plain[20:]}"


def _on_the_day(moment: re.Match[str]) -> str:
    """Return a date, or a time to minutes or seconds, on the day of the page."""
    between, seconds = moment.groups()
    return _DAY + (f"{between}09:00{':00' if seconds else ''}" if between else "")


def tokens(text: str) -> int:
    """Return the tokens of a text by the default estimator."""
    return ClassTokenizer().count(text)


@define
class Page:
    """A page in Markdown, to which sections are added."""

    neutral: Neutral
    _parts: list[str] = field(init=False, factory=list)

    def add(self, *paragraphs: str) -> None:
        """Add headings and paragraphs."""
        self._parts += paragraphs

    def box(self, *said: tuple[str, str]) -> None:
        """Add a box with what was said, by whom."""
        lines = [line for who, text in said for line in _column(who, self.neutral.text(text))]
        self._parts.append("\n".join(["```text", *lines, "```"]))

    def table(self, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Add a table."""
        lines = [head, ["---"] * len(head), *rows]
        self._parts.append("\n".join(f"| {' | '.join(map(str, line))} |" for line in lines))

    def __str__(self) -> str:
        return "\n\n".join(self._parts) + "\n"


def call(tool: str, arguments: Mapping[str, object]) -> str:
    """Return a call of a tool as the page shows it."""
    given = ", ".join(f"{name}={_literal(value)}" for name, value in arguments.items())
    return f"{tool}({given})"


def left_out(text: str, kept: int) -> str:
    """Return an index with the first lines of each of its sections."""
    lines: list[str] = []
    run = 0
    for line in [*text.splitlines(), ""]:
        if line.startswith(("- ", "  ")):
            run += 1
            if run > kept:
                continue
        elif run > kept:
            lines.append(f"[… {run - kept} more]")
            run = 0
        else:
            run = 0
        lines.append(line)
    return "\n".join(lines[:-1])


def _literal(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _column(who: str, text: str) -> Iterable[str]:
    """Yield the lines of what somebody said, in a column of its own."""
    speaker = who.ljust(_COLUMN)
    for line in text.splitlines():
        wrapped = textwrap.wrap(line, _WIDTH - _COLUMN, subsequent_indent="  ", break_long_words=False)
        for each in wrapped or [""]:
            yield f"{speaker}{each}".rstrip()
            speaker = " " * _COLUMN
