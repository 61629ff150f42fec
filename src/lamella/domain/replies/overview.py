"""Overview of a project: decisions in force by area, changes with their reasons, and sessions."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from attrs import frozen

from lamella.domain.conversations.session_summary_format import TITLE
from lamella.domain.memories.freshness import FileState, Freshness, of_all
from lamella.domain.memories.kind import ACCOUNT, Kind
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit
from lamella.domain.memories.tags import tags_of

_FOLDERS = 2
"""Number of leading folders of a path that name an area."""


@frozen
class Area:
    """Area of a project: related decisions, latest first.

    Attributes:
        tag: Common tag of the decisions; empty for decisions grouped by folder.
        folder: Common folder of the decisions; empty for decisions grouped by tag, or without files.
        decisions: The decisions.
    """

    tag: str
    folder: str
    decisions: tuple[Hit, ...]


@frozen
class Reasoned:
    """Changes of code for one reason, or of one file without a known reason.

    Attributes:
        changes: The changes, latest first.
        decisions: Decisions of their session, which are likely the reasons.
    """

    changes: tuple[Hit, ...]
    decisions: tuple[Hit, ...]

    @property
    def reason(self) -> Hit | None:
        """The latest change with a request as its title, or else the latest decision."""
        requests = [hit for hit in self.changes if not _unnamed(hit.observation)]
        return next(iter((*requests, *self.decisions)), None)


@frozen(kw_only=True)
class SessionOverview:
    """Session in an overview.

    Attributes:
        id: Id of the session.
        name: Name of the session. For a session without a name, the first request in the session's memories;
            empty if the memories contain no request.
        asked: First request in the session's conversation; empty if the conversation isn't stored.
        at: Time of the latest message or memory.
        decisions: Decisions of the session, latest first.
        talked: True if the session's conversation is stored.
    """

    id: str
    name: str
    asked: str
    at: datetime
    decisions: tuple[Hit, ...]
    talked: bool


def areas(decisions: Sequence[Hit]) -> tuple[Area, ...]:
    """Group decisions into areas, the largest first.

    A decision with tags belongs to the area of its most common tag. A decision without tags belongs to the area of
    its first file's folder. Decisions without tags and files form the last area.
    """
    tags = {hit.observation.id: tags_of(hit.observation) for hit in decisions}
    common = Counter(tag for each in tags.values() for tag in each)
    groups: dict[tuple[str, str], list[Hit]] = {}
    for hit in decisions:
        tag = min(tags[hit.observation.id], key=lambda each: (-common[each], each), default="")
        groups.setdefault((tag, "" if tag else _folder(hit.observation)), []).append(hit)
    named = (Area(tag, folder, tuple(group)) for (tag, folder), group in groups.items())
    return tuple(sorted(named, key=lambda area: (not (area.tag or area.folder), -len(area.decisions))))


def standing(decision: Observation, files: Mapping[str, FileState]) -> Freshness | None:
    """Return the change in a decision's files since the decision was saved; None if the files are unchanged."""
    states = (files.get(change.path) for change in decision.changes)
    return of_all([state.freshness if state else None for state in states])


def reasoned(changes: Iterable[Hit], decisions: Sequence[Hit]) -> tuple[Reasoned, ...]:
    """Group changes by session if it has decisions, or else by request, or else by file."""
    made = by_session(decisions)
    groups: dict[tuple[str | None, str], list[Hit]] = {}
    for hit in changes:
        said = hit.observation
        by_title = (None if _unnamed(said) else said.session, said.title)
        groups.setdefault((said.session, "") if said.session in made else by_title, []).append(hit)
    return tuple(Reasoned(tuple(hits), made.get(session or "", ())) for (session, _), hits in groups.items())


def _unnamed(change: Observation) -> bool:
    """Return whether the title only names the changed file, because no request is known."""
    return any(change.title == f"{ACCOUNT}{each.path}" for each in change.changes)


def by_session(hits: Iterable[Hit]) -> Mapping[str, tuple[Hit, ...]]:
    """Return the hits of each session, in their order."""
    found: dict[str, list[Hit]] = {}
    for hit in hits:
        if hit.observation.session:
            found.setdefault(hit.observation.session, []).append(hit)
    return {session: tuple(each) for session, each in found.items()}


def first_request(memories: Iterable[Observation]) -> str:
    """Return the first request in a session's summaries; without a summary, the first request for a change.

    Returns:
        The request; empty if the memories contain no request.
    """
    earliest = sorted(memories, key=lambda each: each.occurred_at)
    summaries = [each.title.removeprefix(TITLE) for each in earliest if each.kind is Kind.SUMMARY]
    requests = [each.title for each in earliest if each.kind is Kind.CHANGE and not each.title.startswith(ACCOUNT)]
    return next(filter(None, (*summaries, *requests)), "")


def _folder(decision: Observation) -> str:
    if not decision.changes:
        return ""
    folders = PurePosixPath(decision.changes[0].path).parts[:-1]
    return "/".join(folders[:_FOLDERS]) or "."
