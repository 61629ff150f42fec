"""Diffs as HTML: line numbers, changed words marked, syntax in colours, unchanged lines folded.

Line numbers are attributes of each line's element, to keep them out of copied text and of searches in the page.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby, pairwise

from attrs import define, field
from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound

from lamella.domain.ledger.hunks import EDITS_APART
from lamella.domain.text.printing import visible

MOST_LINES = 500
"""Maximum lines of a diff to format, at some 200 bytes each. A longer diff is shown on request, as plain text."""

_KEPT = 3
"""Number of unchanged lines to show before and after a changed line. Other unchanged lines are folded."""

_LEAST_ALIKE = 0.4
"""Minimum share of common words for two lines to count as old and new version of one line."""

_MOST_COLOURED = 6_000
"""Maximum length of a diff with syntax colours. A lexer takes some 4 ms for 1,000 characters."""

_PLACE = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)")
_WORD = re.compile(r"\w+|\s+|.")
_ELEMENTS = {"+": "ins", "-": "del", " ": "span"}
_CLASSES: Mapping[_TokenType, str] = {
    Comment: "c",
    String: "s",
    Number: "n",
    Keyword: "k",
    Operator.Word: "k",
    Name.Function: "f",
    Name.Class: "f",
}
"""CSS classes, keyed by kind of token. Other kinds have the colour of the text."""


@define
class _Line:
    """A line of a diff.

    Attributes:
        sign: `+`, `-`, a space, or `@` for the header of a hunk.
        text: Text of the line.
        old, new: Line numbers before and after the change; None if the line isn't in that version.
        marks: Spans of changed words.
        colours: Spans and CSS classes of tokens.
    """

    sign: str
    text: str
    old: int | None = None
    new: int | None = None
    marks: list[tuple[int, int]] = field(factory=list)
    colours: list[tuple[int, int, str]] = field(factory=list)


def length(hunks: str) -> int:
    """Return the number of lines in some hunks."""
    return hunks.count("\n") + 1


def diff(hunks: str, path: str, *, most: int | None = None, around: Collection[str] = ()) -> Markup:
    """Return the lines of a diff as elements; a long diff as plain text.

    Args:
        hunks: The diff.
        path: The file.
        most: Maximum number of lines to show; None for all.
        around: Removed lines to show, without indentation. If `most` is given, the shown part begins before the
            first of these lines in the diff.
    """
    if most is None and length(hunks) > MOST_LINES:
        return Markup("<pre>{}</pre>").format(visible(hunks))
    lines = list(_lines(hunks))
    if most is not None:
        first = next((n for n, each in enumerate(lines) if each.sign == "-" and each.text.strip() in around), 0)
        begin = max(0, min(first - 1, len(lines) - most))
        cut = len(lines) - begin - most
        # Don't omit a single line: the note about the omitted line would be as long as the line.
        lines = [*lines[begin : begin + most], _Line("@", f"and {cut:,} more")] if cut > 1 else lines[begin:]
    _mark_words(lines)
    for side in "-+" if len(hunks) <= _MOST_COLOURED else "":
        version = [each for each in lines if each.sign in (side, " ")]
        if any(each.sign == side for each in version):
            _colour(version, _lexer(path.rpartition("/")[2]))
    return Markup("").join(_folded(lines))


def _lines(hunks: str) -> Iterator[_Line]:
    """Yield the lines of hunks, numbered if the hunk has a position."""
    for number, hunk in enumerate(hunks.strip("\n").split(EDITS_APART)):
        old = new = None
        if number and not hunk.startswith("@"):
            yield _Line("@", "")
        for line in hunk.split("\n"):
            if place := _PLACE.match(line):
                old, new = int(place[1]), int(place[2])
                yield _Line("@", place[3])
                continue
            sign = line[:1] if line[:1] in _ELEMENTS else "@"
            text = line if sign == "@" else line[1:]
            yield _Line(sign, text, None if sign in "+@" else old, None if sign in "-@" else new)
            old = None if old is None else old + (sign in "- ")
            new = None if new is None else new + (sign in "+ ")


def _mark_words(lines: Sequence[_Line]) -> None:
    """Mark the words that differ between a removed line and its replacement."""
    runs = [(sign, list(run)) for sign, run in groupby(lines, lambda each: each.sign)]
    for (sign, before), (next_sign, after) in pairwise(runs):
        if (sign, next_sign) != ("-", "+") or len(before) != len(after):
            continue
        for old, new in zip(before, after, strict=True):
            words: tuple[list[str], list[str]] = (_WORD.findall(old.text), _WORD.findall(new.text))
            match = SequenceMatcher(None, *words, autojunk=False)
            if match.ratio() < _LEAST_ALIKE:
                continue
            for tag, *places in match.get_opcodes():
                if tag != "equal":
                    old.marks += _place(words[0], *places[:2])
                    new.marks += _place(words[1], *places[2:])


def _place(words: Sequence[str], first: int, last: int) -> Sequence[tuple[int, int]]:
    start, size = len("".join(words[:first])), len("".join(words[first:last]))
    return [(start, start + size)] if size else []


@lru_cache(maxsize=64)
def _lexer(name: str) -> Lexer:
    try:
        return get_lexer_for_filename(name, stripnl=False, ensurenl=True)
    except ClassNotFound:
        return TextLexer(stripnl=False)


@lru_cache
def _class(kind: _TokenType) -> str:
    """Return the CSS class of a token's kind, or of the nearest parent kind that has one."""
    return next((_CLASSES[each] for each in reversed(kind.split()) if each in _CLASSES), "")


def _colour(lines: Sequence[_Line], lexer: Lexer) -> None:
    """Set the colours of consecutive lines that belong to one version of the file."""
    for each in lines:
        each.colours = []
    number = place = 0
    for kind, value in lexer.get_tokens("\n".join(each.text for each in lines)):
        for count, part in enumerate(value.split("\n")):
            if count:
                number, place = number + 1, 0
            if part and number < len(lines):
                if name := _class(kind):
                    _add(lines[number].colours, place, place + len(part), name)
                place += len(part)


def _add(colours: list[tuple[int, int, str]], start: int, stop: int, name: str) -> None:
    """Add a token, or extend an adjacent one of the same class."""
    if colours and colours[-1][1:] == (start, name):
        start = colours.pop()[0]
    colours.append((start, stop, name))


def _folded(lines: Sequence[_Line]) -> Iterator[Markup]:
    """Yield the HTML elements of lines. In a long sequence of unchanged lines, the middle is folded."""
    for same, run in groupby(lines, lambda each: each.sign == " "):
        found = list(map(_element, run))
        first, last = _KEPT, len(found) - _KEPT
        if not same or last - first <= 1:
            yield from found
            continue
        yield from found[:first]
        inside = Markup("").join(found[first:last])
        yield Markup("<details><summary>{} unchanged lines</summary>{}</details>").format(last - first, inside)
        yield from found[last:]


def _element(line: _Line) -> Markup:
    if line.sign == "@":
        return Markup('<p class="place">{}</p>').format(visible(line.text) or "⋯")
    name = _ELEMENTS[line.sign]
    kind = ' class="same"' if name == "span" else ""
    numbers = "".join(f' data-{key}="{value}"' for key, value in (("o", line.old), ("n", line.new)) if value)
    return Markup(f"<{name}{kind}{numbers}>{_inside(line)}</{name}>")  # noqa: S704 - each piece is escaped, or made by lamella


def _inside(line: _Line) -> str:
    """Return the text of a line with marks and colours. Marks and colours may overlap."""
    ends = {0, len(line.text), *(end for place in line.marks for end in place)}
    places = sorted(ends.union(*((start, stop) for start, stop, _ in line.colours)))
    coloured = {left: name for start, stop, name in line.colours for left in places if start <= left < stop}
    pieces = []
    for left, right in pairwise(places):
        text: str = escape(visible(line.text[left:right]))
        if left in coloured:
            text = f'<span class="{coloured[left]}">{text}</span>'
        if any(first <= left < last for first, last in line.marks):
            text = f"<mark>{text}</mark>"
        pieces.append(text)
    return "".join(pieces)
