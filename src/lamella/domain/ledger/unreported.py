"""What changed in a file without being captured as an edit: by a shell's command, or by git itself.

Compared are the lines of a difference, or of the file, whatever their indentation, with the hunks of the file's
latest observations. A line is known that came, or went, as often as the latest edits tell together: from which of
them on, nobody needs to know, since what was committed, and when, is git's.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from lamella.domain.ledger.fingerprints import line_units
from lamella.domain.ledger.hunks import EDITS_APART, LINE_CUT
from lamella.domain.ledger.reintroduction import (
    LEAST_CHARACTERS,
    LEAST_LINES,
    LEAST_SHARE,
    LONG_LINE_CHARACTERS,
)

_HEADER = re.compile(r"@@ -(?P<old>\d+)(?:,\d+)? \+(?P<new>\d+)(?:,\d+)? @@(?P<rest>.*)")
_BETWEEN = 3
"""So many lines between two that came back are shown with them, so that a statement is seen as one."""


def untold(hunks: str, told: Sequence[str], newer: Sequence[str] = ()) -> str:
    """The part of a difference that the hunks of earlier observations, latest first, don't tell already.

    What is told already is shown as it stands now, among what stayed. Of what `newer` differences tell of, this
    one has nothing to tell. Nor is it news that lines changed their place, where observations tell of the file:
    what an edit moved, git may show as a move of what it was moved past.
    """
    known = frozenset(_explained(net(hunks), told))
    later = known.union(*map(net, newer))
    kept = []
    for header, lines in _hunks(hunks):
        shown: list[str] = []
        for run in _runs(lines):
            shown += _news(run, known if _is_news(run, later) else later)
        if any(line[:1] in ("+", "-") for line in shown):
            kept += [_counted_anew(header, shown), *shown]
    return "\n".join(kept)


def returned(text: str, told: Sequence[str]) -> str:
    """The lines of a file that are back although the last of its observations, latest first, took them away.

    Much of what one edit took must be back: one line that stands in several places says nothing.
    """
    lines = text.split("\n")
    there = {line.strip() for line in lines}
    seen: set[str] = set()
    back: set[str] = set()
    for signs in map(_signs, _edits(told)):
        gone = [line for line, sign in signs.items() if sign == {"-"} and line not in seen and _counts(line)]
        again = [line for line in gone if line in there]
        if again and _much(again, gone):
            back.update(again)
        seen |= signs.keys()
    return _shown(lines, back)


def gone_again(text: str, told: Sequence[str]) -> str:
    """The lines that an edit took, that came back, and that the file has no more; edits are told latest first.

    As where git brought them back with a branch that had them still, and took them with the other one. Much of
    what came back must be gone. Of a file that is not there nothing is known.
    """
    there = {line.strip() for line in text.split("\n")}
    seen: set[str] = set()
    back: set[str] = set()
    lost: list[str] = []
    for edit in _edits(told if text else ()):
        signs = _signs(edit)
        again = [line for line, sign in signs.items() if sign == {"-"} and line in back and _counts(line)]
        gone = {line for line in again if line not in there}
        if gone and _much(list(gone), again):
            lost += [line for line in edit.split("\n") if line.startswith("-") and line[1:].strip() in gone]
        back.update(line for line, sign in signs.items() if sign == {"+"} and line not in seen)
        back.difference_update(gone)
        seen |= signs.keys()
    return "\n".join([f"@@ -1,{len(lost)} +0,0 @@", *lost]) if lost else ""


def thrown_away(text: str, told: Sequence[str], others: Sequence[str] = ()) -> str:
    """The lines that the last of some edits, latest first, brought, and that the file has no more.

    As where `git checkout` or a program undid what was never committed. Much of what one edit brought must be
    gone. Of a file that is not there, or that is no text throughout, nothing is known; nor of lines of which
    `others` tell.
    """
    there = {line.strip() for line in text.split("\n")}
    seen = {line for edit in _edits(others) for line in _signs(edit)}
    lost: list[str] = []
    for edit in _edits(told if text and "\ufffd" not in text else ()):
        signs = _signs(edit)
        came = [line for line, sign in signs.items() if sign == {"+"} and line not in seen and _counts(line)]
        gone = [line for line in came if line not in there and not line.endswith(LINE_CUT)]
        if gone and _much(gone, came):
            lost += [f"-{line[1:]}" for line in edit.split("\n") if line[:1] == "+" and line[1:].strip() in gone]
        seen |= signs.keys()
    return "\n".join([f"@@ -1,{len(lost)} +0,0 @@", *lost]) if lost else ""


def _much(again: Sequence[str], gone: Sequence[str]) -> bool:
    """Whether so much is back that an edit which brings it again would be said to walk back."""
    characters = sum(map(len, again))
    enough = len(again) >= LEAST_LINES and characters >= LEAST_CHARACTERS
    return (enough or characters >= LONG_LINE_CHARACTERS) and characters >= LEAST_SHARE * sum(map(len, gone))


def _counts(line: str) -> bool:
    return any(True for _ in line_units([line]))


def _edits(told: Sequence[str]) -> Iterator[str]:
    """Each edit, latest first."""
    for hunks in told:
        yield from reversed(hunks.split(EDITS_APART))


def _signs(edit: str) -> Mapping[str, AbstractSet[str]]:
    """Whether each line that an edit tells of came, went, or both."""
    signs: dict[str, set[str]] = {}
    for line in edit.split("\n"):
        if line[:1] in ("+", "-") and line[1:].strip():
            signs.setdefault(line[1:].strip(), set()).add(line[0])
    return signs


def _explained(change: Mapping[str, int], told: Sequence[str]) -> Iterator[str]:
    """The lines that came and went as often as the latest edits tell, however many these are."""
    if told:
        yield from (line for line, times in change.items() if not times)
    sums: Counter[str] = Counter()
    for edit in _edits(told):
        for line, times in net(edit).items():
            sums[line] += times
            if change.get(line) == sums[line]:
                yield line


def net(hunks: str) -> Mapping[str, int]:
    """How much oftener each line that hunks tell of came than it went."""
    counts: Counter[str] = Counter()
    for line in hunks.split("\n"):
        if line[:1] in ("+", "-") and line[1:].strip():
            counts[line[1:].strip()] += 1 if line[0] == "+" else -1
    return counts


def _hunks(hunks: str) -> Iterator[tuple[str, list[str]]]:
    """The header of each hunk, and its lines."""
    for hunk in re.split(r"^(?=@@)", hunks, flags=re.MULTILINE):
        header, *lines = hunk.rstrip("\n").split("\n")
        if header.startswith("@@"):
            yield header, lines


def _runs(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines of a hunk: those that came or went next to each other together, each other one alone."""
    run: list[str] = []
    for line in lines:
        if line[:1] in ("+", "-", "\\"):
            run.append(line)
            continue
        if run:
            yield run
        yield [line]
        run = []
    if run:
        yield run


def _is_news(run: Sequence[str], known: AbstractSet[str]) -> bool:
    """Whether some line that says anything is not known to have come or gone."""
    return any(line[:1] in ("+", "-") and line[1:].strip() and line[1:].strip() not in known for line in run)


def _news(run: Sequence[str], known: AbstractSet[str]) -> list[str]:
    """The lines of a run, those that are known as they stand now; so are blank ones beside these."""
    changed = [line[1:].strip() for line in run if line[:1] in ("+", "-")]
    if not any(text and text in known for text in changed) and any(changed):
        return list(run)
    shown: list[str] = []
    kept = True
    for line in run:
        if line[:1] in ("+", "-"):
            kept = bool(line[1:].strip()) and line[1:].strip() not in known
        if kept:
            shown.append(line)
        elif line[:1] not in ("-", "\\"):
            shown.append(f" {line[1:]}")
    return shown


def _counted_anew(header: str, lines: Sequence[str]) -> str:
    match = _HEADER.fullmatch(header)
    if match is None:
        return header
    old = sum(line[:1] in (" ", "-") for line in lines)
    new = sum(line[:1] in (" ", "+") for line in lines)
    return f"@@ -{match['old']},{old} +{match['new']},{new} @@{match['rest']}"


def _shown(lines: Sequence[str], back: AbstractSet[str]) -> str:
    """Hunks of the lines of a file that are `back`, and of what stands between them."""
    places = [number for number, line in enumerate(lines) if line.strip() in back]
    groups: list[list[int]] = []
    for place in places:
        if groups and place - groups[-1][-1] <= _BETWEEN + 1:
            groups[-1].append(place)
        else:
            groups.append([place])
    shown = []
    for group in groups:
        first, last = group[0], group[-1]
        marked = [f"{'+' if number in group else ' '}{lines[number]}" for number in range(first, last + 1)]
        shown += [f"@@ -{first + 1},{last - first + 1 - len(group)} +{first + 1},{last - first + 1} @@", *marked]
    return "\n".join(shown)
