"""Progressive disclosure: a compact index, a timeline, the full text.

A view turns the hits of an answer into items, lazily, because a page shows only as many as its budget allows.
Formatters are pure: the zone of the dates, the short ids and the way tokens are counted are given to them.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Protocol

from attrs import field, frozen

from lamella.domain.observation import CodeChange, Observation
from lamella.domain.query import Answer, Hit
from lamella.domain.snippets import COMPACT_CHARACTERS, TIMELINE_CHARACTERS, around_match
from lamella.domain.text import defused, printed_block, printed_line

_LEAST_SCORE = 0.01
_ECHO_CHARACTERS = 80
"""How much of an id that was not found is repeated."""


class Detail(StrEnum):
    """How much of each memory a reply discloses."""

    COMPACT = "compact"
    TIMELINE = "timeline"
    FULL = "full"


@frozen
class Item:
    """One printed result. `day` and `order` say where in a timeline it belongs."""

    text: str
    day: str = ""
    order: tuple[datetime, int] | None = None


class View(Protocol):
    """An answer as items, and how a page of them is put together."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int:
        """Number of items."""

    @abstractmethod
    def item(self, number: int) -> Item:
        """Item `number`, in the order of rank, from 0."""

    @abstractmethod
    def arranged(self, items: Sequence[Item]) -> str:
        """The items of one page as lines."""


@frozen
class _Rows(View):
    """Items in the order of rank, and after them what was asked for and is not there."""

    answer: Answer
    zone: tzinfo
    _notes: tuple[str, ...] = field(init=False)

    @_notes.default
    def _said_of_ids(self) -> tuple[str, ...]:
        missing = ", ".join(printed_line(id)[:_ECHO_CHARACTERS] for id in self.answer.missing)
        return (
            *(
                f"ambiguous: {printed_line(given)} could be {'; '.join(map(str, candidates))}"
                for given, candidates in self.answer.ambiguous
            ),
            *([f"not found: {missing}"] if missing else ()),
        )

    def __len__(self) -> int:
        return len(self.answer.hits) + len(self._notes)

    def item(self, number: int) -> Item:
        hits = len(self.answer.hits)
        if number < hits:
            return self._of(number, self.answer.hits[number], self.answer.short_ids[number])
        return Item(self._notes[number - hits])

    def arranged(self, items: Sequence[Item]) -> str:
        return "\n".join(item.text for item in items)

    @abstractmethod
    def _of(self, number: int, hit: Hit, short_id: str) -> Item:
        """How this view prints one hit."""

    def _local(self, moment: datetime) -> datetime:
        return moment.astimezone(self.zone)


@frozen
class CompactView(_Rows):
    """A line for each: `[{n}] {id8} | {title} | {score} | {snippet} | {YYYY-MM-DD}`."""

    def _of(self, number: int, hit: Hit, short_id: str) -> Item:
        observation = hit.observation
        # In a small project even the best match can score a millionth; no score is printed as nothing.
        score = "-" if hit.score is None else f"{max(hit.score, _LEAST_SCORE):.2f}"
        snippet = around_match(observation.content, hit.spans, COMPACT_CHARACTERS)
        line = (
            f"[{number + 1}] {short_id} | {_title(observation)} | {score} | {snippet}"
            f" | {self._local(observation.created_at):%Y-%m-%d}"
        )
        if observation.purged_at is not None:
            line += f" | purged {self._local(observation.purged_at):%Y-%m-%d}"
        return Item(line)


@frozen
class TimelineView(_Rows):
    """Days, and under each `{HH:MM} | {title} | {source} | {snippet} | {id8}`, oldest first."""

    def arranged(self, items: Sequence[Item]) -> str:
        """Days in their order, and what belongs to none after them."""
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

    def _of(self, number: int, hit: Hit, short_id: str) -> Item:
        observation = hit.observation
        local = self._local(observation.created_at)
        snippet = around_match(observation.content, hit.spans, TIMELINE_CHARACTERS)
        mark = "→ " if number == 0 and self.answer.focused else ""
        return Item(
            f"{mark}{local:%H:%M} | {_title(observation)} | {printed_line(observation.source)}"
            f" | {snippet} | {short_id}",
            day=f"{local:%Y-%m-%d}",
            order=(observation.moment, observation.sequence),
        )


@frozen
class FullView(_Rows):
    """A header `--- {id8} | {title} | {created_at} ---`, the whole content, and the code changes."""

    def _of(self, number: int, hit: Hit, short_id: str) -> Item:
        del number
        observation = hit.observation
        created = observation.created_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return Item(
            "\n".join(
                [
                    f"--- {short_id} | {_title(observation)} | {created} ---",
                    printed_block(observation.content),
                    *map(_change, observation.changes),
                ]
            )
        )


VIEWS: Mapping[Detail, Callable[[Answer, tzinfo], View]] = {
    Detail.COMPACT: CompactView,
    Detail.TIMELINE: TimelineView,
    Detail.FULL: FullView,
}
"""The view of each level of detail."""


def _title(observation: Observation) -> str:
    return printed_line(observation.title) or "untitled"


def _change(change: CodeChange) -> str:
    added, deleted = ("?" if count is None else count for count in (change.additions, change.deletions))
    return f"{defused(printed_line(change.path))} +{added} -{deleted}"
