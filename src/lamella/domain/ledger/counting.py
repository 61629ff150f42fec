"""Count each changed line once, even if an edit, a note about the edit and the commit all contain it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from attrs import evolve

from lamella.domain.memories.kind import EDITED, FOUND, LEARNED
from lamella.domain.memories.observation import CodeChange

_OPPOSITES = {"+": "-", "-": "+"}


def counted_once(changes: Iterable[tuple[str, CodeChange]]) -> Iterator[CodeChange]:
    """Yield the changes with corrected numbers of lines. Lines counted in earlier changes don't count again.

    All lines of an edit are new. A note repeats lines of earlier edits and commits of its file. A commit repeats
    all lines that were edited since the previous commit. A line that was added, removed and added again counts
    twice.

    Args:
        changes: Changes with their hunks and the sources of their observations, oldest first.
    """
    reported: defaultdict[str, Counter[str]] = defaultdict(Counter)
    uncommitted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for source, change in changes:
        lines = Counter(line[0] + line[1:].strip() for line in change.hunks.split("\n") if line[:1] in _OPPOSITES)
        known: Counter[str] = Counter()
        waiting = uncommitted[change.path]
        if source == LEARNED:
            # A commit can only remove committed lines. If it removes a line that counts as uncommitted here, the
            # commit that added the line wasn't learned. Treat the line as committed.
            _cancel(waiting, lines - (lines & waiting))
            known = lines & waiting
            waiting.subtract(known)
        elif source not in (EDITED, FOUND):
            known = lines & reported[change.path]
        # Use `update`, which visits new lines only. `+=` would visit all lines of the file.
        reported[change.path].update(lines - known)
        if source != LEARNED:
            waiting.update(_cancel(waiting, lines - known))
        yield _without(change, known)


def _cancel(waiting: Counter[str], lines: Counter[str]) -> Counter[str]:
    """Cancel uncommitted lines that are changed back, such as an added line that is then removed.

    Remove the cancelled lines from `waiting`, the uncommitted lines. Return the rest of the new `lines`.
    """
    cancelled = _opposite(lines) & waiting
    waiting.subtract(cancelled)
    return lines - _opposite(cancelled)


def _opposite(lines: Counter[str]) -> Counter[str]:
    return Counter({_OPPOSITES[line[0]] + line[1:]: times for line, times in lines.items()})


def _without(change: CodeChange, known: Counter[str]) -> CodeChange:
    if not known or change.additions is None or change.deletions is None:
        return change
    came = sum(times for line, times in known.items() if line[0] == "+")
    return evolve(
        change,
        additions=max(0, change.additions - came),
        deletions=max(0, change.deletions - (known.total() - came)),
    )
