"""Views of an answer: compact index, timeline and full text.

A view formats a hit only when a page needs it, because a page shows only as many hits as its budget allows. A view
does no I/O.

>>> note = memory.save("Staging is reset every night. Ask Ada before.", source="decision").observation
>>> for view in VIEWS.values():
...     print(view(Answer(hits=memory.search("staging").hits), note.created_at.tzinfo).item(0).text)
[1] ... | Staging is reset every night. | 1.00 | Ask Ada before. | ...
... | Staging is reset every night. | decision | Ask Ada before. | ...
--- ... | Staging is reset every night. | ... ---
Staging is reset every night. Ask Ada before.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from pathlib import PurePosixPath

from attrs import evolve, field, frozen

from lamella.domain.conversations.message import printed_name
from lamella.domain.conversations.query import MessageHit
from lamella.domain.memories.freshness import of_all
from lamella.domain.memories.kind import ACCOUNT, EDITED, FOUND
from lamella.domain.memories.observation import CodeChange, Kind, Observation
from lamella.domain.memories.query import Hit
from lamella.domain.replies.answer import Answer
from lamella.domain.replies.explanation import explained
from lamella.domain.replies.snippets import COMPACT_CHARACTERS, COMPACT_LEAST, TIMELINE_CHARACTERS, beyond_title
from lamella.domain.text.printing import defused, printed_block, printed_line, printed_time

_LEAST_SCORE = 0.01
_ECHO_CHARACTERS = 80
"""Maximum length of an unknown id in a reply."""

_MOST_NAMES = 5
"""Maximum number of file names in the title of folded edits."""


class Detail(StrEnum):
    """Level of detail of the memories in a reply."""

    COMPACT = "compact"
    TIMELINE = "timeline"
    FULL = "full"


@frozen
class Item:
    """Printed result, or a note about the results.

    Attributes:
        text: Lines of the item.
        results: Number of shown results; 0 for a note.
        day: Heading of its day in a timeline.
        order: Sort key in a timeline; None for items after all days.
    """

    text: str
    results: int = 1
    day: str = ""
    order: tuple[datetime, int] | None = None


@frozen
class View(ABC):
    """An answer as items: hits, best first, then messages, then notes about unknown ids.

    A message is printed like a hit, with its number as id, its session's name as title and its speaker as source.
    `exact` is the time zone for exact times: the user's in views for people, UTC in views for agents.
    """

    answer: Answer
    zone: tzinfo
    exact: tzinfo = UTC
    _notes: tuple[str, ...] = field(init=False)

    @_notes.default
    def _said_of_ids(self) -> tuple[str, ...]:
        notes = [
            f"ambiguous: {printed_line(given)} could be {'; '.join(map(str, candidates))}"
            for given, candidates in self.answer.ambiguous
        ]
        missing = ", ".join(printed_line(id)[:_ECHO_CHARACTERS] for id in self.answer.missing)
        return (*notes, f"not found: {missing}") if missing else tuple(notes)

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.answer.hits) + len(self.answer.messages) + len(self._notes)

    def item(self, number: int) -> Item:
        """Return the item with index `number`."""
        hits, messages = len(self.answer.hits), len(self.answer.messages)
        if number < hits:
            hit = self.answer.hits[number]
            item = self._of(number, hit)
            return item if hit.features is None else self._explained(item, hit)
        if number < hits + messages:
            message = self.answer.messages[number - hits]
            item = self._of_message(number, message)
            return item if message.features is None else self._explained(item, message)
        return Item(self._notes[number - hits - messages], results=0)

    def arranged(self, items: Sequence[Item]) -> str:
        """Return the items of one page as lines."""
        return "\n".join(item.text for item in items)

    def _explained(self, item: Item, hit: Hit | MessageHit) -> Item:
        return evolve(item, text="\n  ".join([item.text, *explained(hit, self.answer.words)]))

    @abstractmethod
    def _of(self, number: int, hit: Hit) -> Item:
        """Return the item for a hit."""

    @abstractmethod
    def _of_message(self, number: int, hit: MessageHit) -> Item:
        """Return the item for a message."""

    def _replaced(self, observation: Observation) -> str:
        """Return text that names the replacement of an observation; empty without a replacement."""
        by = self.answer.replacements.get(observation.replaced_by) if observation.replaced_by else None
        return f" | replaced by {by}" if by else ""

    def _place(self, hit: Hit) -> str:
        """Return remarks on the origin of a hit: global, from another project, or from another branch."""
        branch = self.answer.branches.get(hit.observation.id)
        return (" | everywhere" if hit.everywhere else _project(hit)) + (
            f" | {printed_line(branch)}" if branch else ""
        )

    def _marks(self, hit: Hit) -> str:
        """Return remarks on the origin of a hit, and on changes in its files."""
        states = self.answer.files.get(hit.observation.id)
        found = [states.get(each.path) for each in hit.observation.changes] if states else ()
        freshness = of_all([state and state.freshness for state in found]) if found else None
        return self._place(hit) + (f" | {freshness}" if freshness else "")


@frozen
class CompactView(View):
    """View with a line for each result: `[{n}] {id8} | {title} | {score} | {snippet} | {YYYY-MM-DD}`.

    Edits of one request share a line, ending with ` | also {id8}, ...`.
    """

    def _of(self, number: int, hit: Hit) -> Item:
        observation = hit.observation
        score = "-" if hit.strength is None else f"{printed_score(hit.strength):.2f}"
        snippet = beyond_title(
            observation.title, observation.content, hit.spans, COMPACT_CHARACTERS, least=COMPACT_LEAST
        )
        line = (
            f"[{number + 1}] {hit.short_id} | {_title(hit)} | {score} | {snippet}"
            f" | {observation.created_at.astimezone(self.zone).date()}{self._marks(hit)}"
        )
        if observation.purged_at is not None:
            line += f" | purged {observation.purged_at.astimezone(self.zone).date()}{self._replaced(observation)}"
        return Item(line + _folded_ids(hit))

    def _of_message(self, number: int, hit: MessageHit) -> Item:
        message, title = hit.message, printed_name(hit.session_name)
        snippet = beyond_title(hit.session_name, message.text, hit.spans, COMPACT_CHARACTERS, least=COMPACT_LEAST)
        return Item(
            f"[{number + 1}] message {message.number} | {title} | {printed_score(hit.strength):.2f}"
            f" | {message.role}: {snippet} | {message.at.astimezone(self.zone).date()}{_project(hit)}"
        )


@frozen
class TimelineView(View):
    """Days, oldest first, and under each day its results: `{HH:MM} | {title} | {source} | {snippet} | {id8}`."""

    def arranged(self, items: Sequence[Item]) -> str:
        """Return items under their days, in order, and items without a day after them."""
        undated = [item for item in items if item.order is None]
        dated = sorted((item for item in items if item.order), key=lambda item: item.order or ())
        lines: list[str] = []
        day = ""
        for item in dated:
            if item.day != day:
                day = item.day
                lines.append(day)
            lines.append(item.text)
        return "\n".join([*lines, *(item.text for item in undated)])

    def _of(self, number: int, hit: Hit) -> Item:
        observation = hit.observation
        local = observation.created_at.astimezone(self.zone)
        snippet = beyond_title(observation.title, observation.content, hit.spans, TIMELINE_CHARACTERS)
        mark = "→ " if number == 0 and self.answer.focused else ""
        return Item(
            f"{mark}{local:%H:%M} | {_title(hit)} | {printed_line(observation.source)} | {snippet}"
            f" | {hit.short_id}{self._marks(hit)}{self._replaced(observation)}{_folded_ids(hit)}",
            day=f"{local:%Y-%m-%d}",
            order=(observation.occurred_at, observation.sequence),
        )

    def _of_message(self, _number: int, hit: MessageHit) -> Item:
        message, local = hit.message, hit.message.at.astimezone(self.zone)
        snippet = beyond_title(hit.session_name, message.text, hit.spans, TIMELINE_CHARACTERS)
        return Item(
            f"{local:%H:%M} | {printed_name(hit.session_name)} | {message.role} | {snippet}"
            f" | message {message.number}{_project(hit)}",
            day=f"{local:%Y-%m-%d}",
            order=(message.at, message.number),
        )


@frozen
class FullView(View):
    """View of whole memories: header, content, keywords, links of a single memory, and code changes.

    The header is `--- {id8} | {title} | {created_at} ---`. A known author or client follows `{created_at}`: ` | by
    {author} | from {client}`. For a replaced memory, ` | replaced by {id8} ({title})` follows.
    """

    def _of(self, _number: int, hit: Hit) -> Item:
        observation = hit.observation
        by = _signed(observation.author, observation.client)
        created, replaced = printed_time(observation.created_at, self.exact), self._replaced(observation)
        head = f"--- {hit.short_id} | {_title(hit)} | {created}{by}{self._place(hit)}{replaced} ---"
        keywords = [f"keywords: {printed_line(observation.keywords)}"] if observation.keywords else []
        body = [
            printed_block(observation.content),
            *keywords,
            *self.answer.links.lines(),
            *self._changes(observation),
        ]
        return Item("\n".join([head, *body]))

    def _changes(self, observation: Observation) -> Iterator[str]:
        """Yield a line for each code change, with a remark if the file has changed since the save."""
        states = self.answer.files.get(observation.id, {})
        for change in observation.changes:
            state = states.get(change.path)
            yield f"{_change(change)} | {defused(printed_line(str(state)))}" if state else _change(change)

    def _of_message(self, _number: int, hit: MessageHit) -> Item:
        message = hit.message
        title, at = printed_name(hit.session_name), printed_time(message.at, self.exact)
        head = f"--- message {message.number} | {title} | {at}{_signed(None, message.client)}{_project(hit)} ---"
        return Item(f"{head}\n{printed_block(f'{message.role}: {message.text}')}")


VIEWS: Mapping[Detail, Callable[..., View]]
VIEWS = {Detail.COMPACT: CompactView, Detail.TIMELINE: TimelineView, Detail.FULL: FullView}
"""The view of each level of detail."""


def folded(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Fold edits for one prompt into one hit: the first edit, with the other edits in its field `folded`."""
    requests: dict[object, list[Hit]] = {}
    for hit in hits:
        said = hit.observation
        edit = said.kind is Kind.CHANGE and said.source in (EDITED, FOUND)
        of_request = edit and said.session is not None and not said.purged
        requests.setdefault((said.session, said.title) if of_request else said.id, []).append(hit)
    return tuple(evolve(first, folded=tuple(others)) if others else first for first, *others in requests.values())


def printed_score(strength: float) -> float:
    """Format a strength with two decimals, at least 0.01."""
    return round(max(strength, _LEAST_SCORE), 2)


def _project(hit: Hit | MessageHit) -> str:
    """Return the project of a hit, if several projects were searched."""
    return f" | project {printed_line(hit.project.name)}" if hit.project else ""


def _signed(author: str | None, client: str | None) -> str:
    """Return the author and the client, if known."""
    return "".join(f" | {word} {printed_line(name)}" for word, name in (("by", author), ("from", client)) if name)


def _title(hit: Hit) -> str:
    return _folded_title(hit) if hit.folded else printed_line(hit.observation.title) or "untitled"


def _folded_title(hit: Hit) -> str:
    """Return the title of a hit with folded edits: `Drop the retry (3 edits: a.py, b.py, c.py)`."""
    edits = [hit, *hit.folded]
    paths = [change.path for each in edits for change in each.observation.changes]
    names = [*dict.fromkeys(printed_line(PurePosixPath(path).name) for path in paths)]
    more = ["..."] if len(names) > _MOST_NAMES else []
    edited = f"{len(edits)} edits: {', '.join([*names[:_MOST_NAMES], *more])}"
    title = hit.observation.title
    return edited if title in ("", f"{ACCOUNT}{paths[0]}") else f"{printed_line(title)} ({edited})"


def _folded_ids(hit: Hit) -> str:
    """Return the ids of the folded edits as text to append to a hit's line."""
    return f" | also {', '.join(each.short_id for each in hit.folded)}" if hit.folded else ""


def _change(change: CodeChange) -> str:
    added, deleted = ("?" if count is None else count for count in (change.additions, change.deletions))
    return f"{defused(printed_line(change.path))} +{added} -{deleted}"
