"""Changes of a file that no captured edit reports: changes by shell commands, or by git itself.

The lines of a diff, or of the file, are compared with the hunks of the latest observations, without indentation.
The diff has all changes since the last commit, but it isn't known how many of the latest edits are uncommitted.
Therefore, try each number of latest edits: one, two, three, and so on. A line counts as reported if, for one of
these numbers, the diff adds or removes the line as often as these edits together.
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
"""Restored lines with at most this number of lines between them share a hunk, to keep statements whole."""


def unreported(hunks: str, reported: Sequence[str], newer: Sequence[str] = ()) -> str:
    """Return the part of a diff that no observation reports.

    Reported lines become context lines if the file still has them. In a file with observations, moved lines count
    as reported, because git may show a move of lines as a move of the lines around them.

    Args:
        hunks: The diff.
        reported: The hunks of earlier observations of the file, latest first.
        newer: Later diffs of the file. Their lines are left out.
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
    """Return lines that observations removed and the file has again, as hunks that add these lines.

    Return lines of an edit only if much of its removed code is back. A single line proves nothing, because it may
    occur in several places.

    Args:
        text: The file.
        reported: The hunks of the file's observations, latest first.
    """
    back = {line for _, found in _matches(reported, "-", _stripped(text).__contains__) for line in found}
    return _shown(text.split("\n"), back)


def lost_again(text: str, reported: Sequence[str]) -> str:
    """Return lines that were removed, then restored, and are missing again, as hunks that remove these lines.

    This happens if git switches to a branch that has the lines, and back. Return nothing if little of the restored
    code is missing, or if `text` is empty, because an empty text stands for an unknown file. `reported` has the
    hunks of the observations, latest first.
    """
    there = _stripped(text)
    return _removed(_matches(reported if text else (), "-", lambda line: line not in there, later="+"))


def discarded(text: str, reported: Sequence[str], others: Sequence[str] = ()) -> str:
    """Return lines that edits added and the file no longer has, as hunks that remove these lines.

    Such lines are missing after `git checkout`, or another program, has undone uncommitted edits. Return lines of
    an edit only if the file lacks much of the code that the edit added.

    Args:
        text: Text of the file. If it is empty or partly binary, nothing is returned.
        reported: The hunks of the edits, latest first.
        others: Hunks of other observations. Their lines are left out.
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
    """Yield each edit, latest first, with its lines of the sign `sign` that satisfy `holds`.

    Skip edits with few such lines. By default, ignore lines that are in `known` or in a later edit. With `later`,
    use only lines that later edits changed again. The last of these changes must have the sign `later`.
    """
    latest = dict.fromkeys(known, "")
    for edit in _edits(reported):
        signs = _signs(edit)
        lines = (line for line, each in signs.items() if each == sign and latest.get(line) == later)
        asked = [line for line in lines if any(line_units([line]))]
        found = [line for line in asked if holds(line)]
        if found and _much(found, asked):
            yield edit, frozenset(found)
        for line, each in signs.items():
            latest.setdefault(line, each)
        latest.update(dict.fromkeys(found, sign))


def _removed(matches: Iterable[tuple[str, frozenset[str]]]) -> str:
    """Return a hunk that removes the lines of all given edits."""
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
    """Return True if `part` is large enough, by itself and as a share of `whole`, to count as a reintroduction."""
    characters = sum(map(len, part))
    enough = len(part) >= LEAST_LINES and characters >= LEAST_CHARACTERS
    return (enough or characters >= LONG_LINE_CHARACTERS) and characters >= LEAST_SHARE * sum(map(len, whole))


def _edits(reported: Sequence[str]) -> Iterator[str]:
    """Yield each edit, latest first."""
    for hunks in reported:
        yield from reversed(hunks.split(EDITS_APART))


def _changed(hunks: str) -> Iterator[tuple[str, str]]:
    """Yield the sign and text of each added or removed line. Skip blank lines."""
    for line in hunks.split("\n"):
        if line[:1] in _SIGNS and (text := line[1:].strip()):
            yield line[0], text


def _signs(edit: str) -> dict[str, str]:
    """Return the signs of each line: added (`+`), removed (`-`) or both (`+-`)."""
    signs: dict[str, str] = {}
    for sign, line in _changed(edit):
        signs[line] = sign if signs.get(line, sign) == sign else "+-"
    return signs


def net(hunks: str) -> Mapping[str, int]:
    """Return the number of additions minus removals of each line."""
    counts: Counter[str] = Counter()
    for sign, line in _changed(hunks):
        counts[line] += 1 if sign == "+" else -1
    return counts


def _explained(change: Mapping[str, int], reported: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a change that `reported` explains.

    Such a line has the same net count in the change as in the latest n edits together, for some n.
    """
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
    """Yield the lines of a hunk as runs: adjacent changed lines form one run, and every other line its own run."""
    for changed, run in groupby(lines, lambda line: line[:1] in (*_SIGNS, "\\")):
        together = list(run)
        yield from [together] if changed else ([line] for line in together)


def _is_news(run: Sequence[str], known: AbstractSet[str]) -> bool:
    """Return True if a run has a changed line that is neither blank nor in `known`, the reported lines."""
    return any(line not in known for _, line in _changed("\n".join(run)))


def _news(run: Sequence[str], known: AbstractSet[str]) -> list[str]:
    """Return the unreported lines of a run. A line between them becomes context if the file still has the line."""
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
    """Return hunks that add the restored lines `back` to a file, with the lines between them as context."""
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
