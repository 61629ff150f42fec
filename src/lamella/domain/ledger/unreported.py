"""Changes of a file that were not captured as edits: those of a shell's command, or of git itself.

The lines of a difference, or of the file, are compared with the hunks of the latest observations, regardless of
indentation. A line is known if it was added or removed as often as some of the latest edits tell together. It does
not matter how many edits these are, because git knows what was committed, and when.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby

from lamella.domain.ledger.fingerprints import line_units
from lamella.domain.ledger.hunks import EDITS_APART, LINE_CUT
from lamella.domain.ledger.reintroduction import LEAST_CHARACTERS, LEAST_LINES, LEAST_SHARE, LONG_LINE_CHARACTERS

_HEADER = re.compile(r"@@ -(?P<old>\d+)(?:,\d+)? \+(?P<new>\d+)(?:,\d+)? @@(?P<rest>.*)")
_SIGNS = ("+", "-")
_BETWEEN = 3
"""Restored lines with at most so many between them are shown together, so that a statement is seen as one."""


def unreported(hunks: str, reported: Sequence[str], newer: Sequence[str] = ()) -> str:
    """Return the part of a difference that no observation has reported yet.

    Lines that are reported already are shown as they stand now, among those that stayed. It is no news either that
    lines changed their place, where observations tell of the file: what an edit moved, git may show as a move of
    the lines around it.

    Args:
        hunks: The difference.
        reported: The hunks of earlier observations of the file, latest first.
        newer: Later differences of the file; their lines are left to them.
    """
    known = frozenset(_explained(net(hunks), reported))
    later = known.union(*map(net, newer))
    kept = []
    for header, lines in _hunks(hunks):
        shown: list[str] = []
        for run in _runs(lines):
            shown += _news(run, known if _is_news(run, later) else later)
        if any(line[:1] in _SIGNS for line in shown):
            kept += [_counted_anew(header, shown), *shown]
    return "\n".join(kept)


def restored(text: str, reported: Sequence[str]) -> str:
    """Return the lines that observations removed and that are back in a file, as hunks that add them.

    Much of what one edit removed must be back: one line that stands in several places says nothing.

    Args:
        text: The file.
        reported: The hunks of its observations, latest first.
    """
    back = {line for _, found in _matches(reported, "-", _stripped(text).__contains__) for line in found}
    return _shown(text.split("\n"), back)


def lost_again(text: str, reported: Sequence[str]) -> str:
    """Return the lines that were removed, restored and are missing again, as hunks that remove them.

    Git does this when it changes to a branch that still has the lines, and back. Much of what was restored must be
    missing. Nothing is known of an empty `text`. `reported` is ordered latest first.
    """
    there = _stripped(text)
    return _removed(_matches(reported if text else (), "-", lambda line: line not in there, later="+"))


def discarded(text: str, reported: Sequence[str], others: Sequence[str] = ()) -> str:
    """Return the lines that edits added and that a file lacks, as hunks that remove them.

    `git checkout`, or a program, undid what was never committed. Much of what one edit added must be missing.

    Args:
        text: The file. Nothing is known of an empty one, or one that is not text throughout.
        reported: The hunks of the edits, latest first.
        others: Hunks of other observations; their lines are left to them.
    """
    there = _stripped(text)
    known = [line for edit in _edits(others) for line in _signs(edit)]
    edits = reported if text and "\ufffd" not in text else ()
    return _removed(
        _matches(edits, "+", lambda line: line not in there and not line.endswith(LINE_CUT), known=known)
    )


def _matches(
    reported: Sequence[str],
    sign: str,
    holds: Callable[[str], bool],
    *,
    later: str | None = None,
    known: Iterable[str] = (),
) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the edits, latest first, of whose lines with a `sign` much `holds`, each with those lines.

    Considered are lines of which nothing is `known`, and no later edit tells; or whose `later` sign was this one.
    """
    latest = dict.fromkeys(known, "")
    for edit in _edits(reported):
        signs = _signs(edit)
        told = (line for line, each in signs.items() if each == sign and latest.get(line) == later)
        asked = [line for line in told if any(line_units([line]))]
        found = [line for line in asked if holds(line)]
        if found and _much(found, asked):
            yield edit, frozenset(found)
        for line, each in signs.items():
            latest.setdefault(line, each)
        latest.update(dict.fromkeys(found, sign))


def _removed(matches: Iterable[tuple[str, frozenset[str]]]) -> str:
    """Return a hunk that removes the lines of some edits."""
    lost = [
        f"-{line[1:]}"
        for edit, found in matches
        for line in edit.split("\n")
        if line[:1] in _SIGNS and line[1:].strip() in found
    ]
    return "\n".join([f"@@ -1,{len(lost)} +0,0 @@", *lost]) if lost else ""


def _stripped(text: str) -> frozenset[str]:
    return frozenset(line.strip() for line in text.split("\n"))


def _much(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Return True if an edit that adds `part` of what was removed would count as a reintroduction."""
    characters = sum(map(len, part))
    enough = len(part) >= LEAST_LINES and characters >= LEAST_CHARACTERS
    return (enough or characters >= LONG_LINE_CHARACTERS) and characters >= LEAST_SHARE * sum(map(len, whole))


def _edits(reported: Sequence[str]) -> Iterator[str]:
    """Yield each edit, latest first."""
    for hunks in reported:
        yield from reversed(hunks.split(EDITS_APART))


def _changed(hunks: str) -> Iterator[tuple[str, str]]:
    """Yield the sign of each line that was added or removed, and the line; blank ones are left out."""
    for line in hunks.split("\n"):
        if line[:1] in _SIGNS and (text := line[1:].strip()):
            yield line[0], text


def _signs(edit: str) -> dict[str, str]:
    """Return for each line whether it was added (`+`), removed (`-`) or both (`+-`)."""
    signs: dict[str, str] = {}
    for sign, line in _changed(edit):
        signs[line] = sign if signs.get(line, sign) == sign else "+-"
    return signs


def net(hunks: str) -> Mapping[str, int]:
    """Return how much oftener each line was added than removed."""
    counts: Counter[str] = Counter()
    for sign, line in _changed(hunks):
        counts[line] += 1 if sign == "+" else -1
    return counts


def _explained(change: Mapping[str, int], reported: Sequence[str]) -> Iterator[str]:
    """Yield the lines that the latest edits together, however many, added and removed as often as a change did."""
    if reported:
        yield from (line for line, times in change.items() if not times)
    sums: Counter[str] = Counter()
    for edit in _edits(reported):
        for line, times in net(edit).items():
            sums[line] += times
            if change.get(line) == sums[line]:
                yield line


def _hunks(hunks: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the header of each hunk, and its lines."""
    for hunk in re.split(r"^(?=@@)", hunks, flags=re.MULTILINE):
        header, *lines = hunk.rstrip("\n").split("\n")
        if header.startswith("@@"):
            yield header, lines


def _runs(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines of a hunk: neighbours that were added or removed together, each other one alone."""
    for changed, run in groupby(lines, lambda line: line[:1] in (*_SIGNS, "\\")):
        together = list(run)
        yield from [together] if changed else ([line] for line in together)


def _is_news(run: Sequence[str], known: AbstractSet[str]) -> bool:
    """Return True if some line that is not blank is not known to have been added or removed."""
    return any(line not in known for _, line in _changed("\n".join(run)))


def _news(run: Sequence[str], known: AbstractSet[str]) -> list[str]:
    """Return the lines of a run; known ones, and blank ones beside them, as they stand now."""
    changed = [line[1:].strip() for line in run if line[:1] in _SIGNS]
    if not any(text and text in known for text in changed) and any(changed):
        return list(run)
    shown: list[str] = []
    kept = True
    for line in run:
        if line[:1] in _SIGNS:
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
    """Return hunks that add the lines of a file that are `back`, with what stands between them."""
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
