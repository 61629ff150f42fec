"""Ranking of memories for the index at the start of a session, by folder, reason, age and the last session's work.

Hooks import this module, so it must load fast.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from lamella.domain.hook_context import ChangedFile, Index, MemoryExcerpt, Surroundings

IN_FOLDER, ON_BRANCH, NAMED = 1.0, 0.9, 0.6
"""Points for a file in the folder, for a file changed on the branch, and for the folder's name in the text.

A memory gets the first points that apply.
"""

DECISION, WHOLE, TOUCHED, NEW, LAST_SESSION, STALE, ELSEWHERE = 0.5, 0.2, 0.3, 0.3, 0.2, -0.6, -0.6
"""Further points, added to the points for the folder, the branch and the name.

`DECISION` is for decisions, `TOUCHED` for memories about recently edited files, `LAST_SESSION` for memories of the
last session, and `STALE` for memories about files that have changed since the save. The newest memory gets all
points of `NEW`, and older memories get fewer. `WHOLE` is for decisions without files, because most of these
decisions are about the whole project. A decision without files gets the negative points `ELSEWHERE` if its text
names exactly one other package, and again if its session is in `Index.elsewhere`.
"""

HALVED_AFTER = 30 * 86_400 * 10**6
"""Half-life of the points for `NEW`, in microseconds."""

_SEPARATORS = re.compile(r"[\W_]+")

_Kept = TypeVar("_Kept", MemoryExcerpt, ChangedFile)


NEAR, PROJECT, EVERYWHERE, OTHER = "near", "project", "everywhere", "other"
"""Groups of memories, interleaved in an index; `PROJECT` has the decisions of the whole project."""

_TURNS = {NEAR: 7, PROJECT: 3, EVERYWHERE: 2, OTHER: 1}
"""Number of lines from each group in one round. Rounds repeat until all lines of all groups are used.

Most lines go to the nearest group, but every group gets some of the first lines.
"""


def ranked(found: Index, here: Surroundings) -> list[tuple[str, MemoryExcerpt]]:
    """Return the memories of an index, best first, each with the name of its group."""
    memories = {each.key: each for each in (*found.near, *found.decisions, *found.notes)}
    touched = frozenset(each.path for each in found.changes)
    last = found.summaries[0].session if found.summaries else ""
    newest = max((each.occurred_at for each in memories.values()), default=0)
    scored: dict[str, list[tuple[float, MemoryExcerpt]]] = {group: [] for group in _TURNS}
    for each in memories.values():
        near = _nearness(each, here)
        group = _group(each, here, near)
        score = near + NEW / (1 + (newest - each.occurred_at) / HALVED_AFTER)
        score += DECISION if each.decision else 0
        score += _wholeness(each, here, found.elsewhere) if group is PROJECT and not each.paths else 0
        score += TOUCHED if not touched.isdisjoint(each.paths) else 0
        score += LAST_SESSION if last and each.session == last else 0
        score += STALE if each.state else 0
        scored[group].append((score, each))
    groups = {group: _best_first(memories) for group, memories in scored.items()}
    return _in_turns({**groups, EVERYWHERE: found.everywhere})


def news(found: Index, *, shown: Collection[str], since: int, session: str) -> Index:
    """Return the part of an index that is new to a continued session.

    Args:
        found: The index.
        shown: Keys of the memories already shown to the session.
        since: Time of the session's last start, in microseconds since 1970.
        session: Id of the session. The session's own memories are not new to it.
    """

    def new(memories: Iterable[_Kept]) -> list[_Kept]:
        others = (each for each in memories if each.session != session)
        return [each for each in others if each.occurred_at > since and each.key not in shown]

    return found._replace(
        near=new(found.near),
        decisions=new(found.decisions),
        notes=new(found.notes),
        summaries=new(found.summaries),
        changes=new(found.changes),
        everywhere=tuple(new(found.everywhere)),
    )


def _nearness(memory: MemoryExcerpt, here: Surroundings) -> float:
    if here.folder and any(each.startswith(f"{here.folder}/") or each == here.folder for each in memory.paths):
        return IN_FOLDER
    if not here.branch.isdisjoint(memory.paths):
        return ON_BRANCH
    # The files of a memory say more than a folder's name in its text. Search the text only if there are no files.
    names = here.name and not memory.paths and here.name.casefold() in memory.content.casefold()
    return NAMED if names else 0.0


def _group(memory: MemoryExcerpt, here: Surroundings, near: float) -> str:
    if near:
        return NEAR
    # For a session at the root, every decision is about the whole project.
    return PROJECT if memory.decision and not (memory.paths and here.folder) else OTHER


def _wholeness(memory: MemoryExcerpt, here: Surroundings, elsewhere: Collection[str]) -> float:
    """Return the ranking points of a decision that has no files.

    A decision that names one other package is probably about that package. A decision that names several packages
    is about the whole project.
    """
    text = f" {_SEPARATORS.sub(' ', memory.content.casefold())} "
    named = sum(f" {_SEPARATORS.sub(' ', each.casefold())} " in text for each in here.others)
    return WHOLE + ELSEWHERE * ((named == 1) + (memory.session in elsewhere))


def _best_first(scored: Iterable[tuple[float, MemoryExcerpt]]) -> list[MemoryExcerpt]:
    return [each for _, each in sorted(scored, key=lambda one: -one[0])]


def _in_turns(groups: dict[str, Sequence[MemoryExcerpt]]) -> list[tuple[str, MemoryExcerpt]]:
    """Interleave the groups. In each round, take from each group as many memories as `_TURNS` says."""
    places = (
        (number / _TURNS[group], group, each)
        for group, memories in groups.items()
        for number, each in enumerate(memories, 1)
    )
    return [(group, each) for _, group, each in sorted(places, key=lambda place: place[0])]
