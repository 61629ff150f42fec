"""Reply to a search by meaning."""

import re
from collections.abc import Callable, Sequence
from datetime import tzinfo
from typing import NotRequired, TypedDict

from attrs import frozen

from lamella.domain.embeddings.calibration import Calibration
from lamella.domain.memories.query import Hit
from lamella.domain.replies.budget import TokenBudget
from lamella.domain.text.printing import cut, printed_block, printed_json, printed_time, shortened, visible

NONE_FOUND = "No relevant memories found for that query."

_CHARACTERS_A_TOKEN = 8
"""A reply with more characters than this per token of the budget is rejected without counting its tokens.

A token usually has half as many characters.
"""

_ROOMY_CHARACTERS = 80
"""Minimum length of truncated texts in a roomy reply, with full ids and the size of each truncated text.

A reply with shorter texts has short ids and no sizes.
"""

_POSES_AS_HEADING = re.compile(r"^(?=\[\d+\] \(\d+% match, )", re.MULTILINE)

_Ended = Callable[[int, str], str]
"""Function that appends the hit's id to a truncated text. The arguments are the hit's index and the text."""


class RelevantMemory(TypedDict):
    """A relevant memory as structured content; `percent` is its similarity to the question."""

    id: str
    percent: int
    createdAt: str
    text: str


class RelevantReply(TypedDict):
    """A reply for programs; `notice` says why some memories can't be found yet."""

    results: list[RelevantMemory]
    notice: NotRequired[str]


@frozen(kw_only=True)
class RelevantMemories:
    """Reply with the nearest memories and their similarity.

    Attributes:
        hits: The memories, nearest first.
        calibration: Calibration of the scores.
        zone: Time zone of dates.
        notice: Short notice if some memories can't be found yet; empty if all can.
    """

    hits: Sequence[Hit]
    calibration: Calibration
    zone: tzinfo
    notice: str = ""

    def within(self, budget: TokenBudget) -> str:
        """Return the reply with all texts whole, if `budget` allows.

        Otherwise, truncate long texts to the same length, and print ids for reading them in full. If even the ids
        don't fit, leave out the least relevant memories.
        """
        if not self.hits:
            return "\n\n".join([NONE_FOUND, *self._notes])
        budget = _bounded(budget)
        # No line may pass for the heading of another memory.
        texts = [_POSES_AS_HEADING.sub(" ", printed_block(hit.observation.content)) for hit in self.hits]
        whole = self._reply(texts)
        return whole if budget.allows(whole) else self._shortened(texts, budget)

    def data(self, budget: TokenBudget) -> RelevantReply:
        """Return the reply for programs, within `budget` as JSON. Long texts are truncated to the same length.

        Without room for texts, the least relevant memories are left out.
        """
        texts, budget = [visible(hit.observation.content) for hit in self.hits], _bounded(budget)

        def reply(share: int, shown: int = len(texts)) -> RelevantReply:
            results: list[RelevantMemory] = [
                {
                    "id": str(hit.observation.id),
                    "percent": self._percent(hit),
                    "createdAt": printed_time(hit.observation.created_at),
                    "text": shortened(text, share),
                }
                for hit, text in zip(self.hits[:shown], texts, strict=False)
            ]
            return {"results": results, "notice": self.notice} if self.notice else {"results": results}

        longest = max(map(len, texts), default=0)
        share = budget.most(longest, lambda share: printed_json(reply(share)))
        return reply(share, budget.most(len(texts), lambda shown: printed_json(reply(share, shown))))

    def _shortened(self, texts: Sequence[str], budget: TokenBudget) -> str:
        def roomy(number: int, kept: str) -> str:
            mark = "" if kept == texts[number] else f"[...truncated at ~{budget.count(kept)} tokens]"
            return f"{kept}{mark}\nid: {self.hits[number].observation.id}"

        def tight(number: int, kept: str) -> str:
            mark = "" if kept == texts[number] else "..."
            return f"{kept}{mark}\nid: {self.hits[number].short_id}"

        def shared(share: int, ended: _Ended, shown: int = len(texts)) -> str:
            kept = [cut(text, share) for text in texts[:shown]]
            return self._reply([ended(number, each) for number, each in enumerate(kept)])

        def most(ended: _Ended, least: int) -> str:
            """Return the largest reply within the budget that shows at least `least` characters of each text."""
            share = budget.longest(least, max(map(len, texts)), lambda share: shared(share, ended))
            return shared(share, ended)

        for reply in (most(roomy, _ROOMY_CHARACTERS), most(tight, 0)):
            if budget.allows(reply):
                return reply
        return shared(0, tight, budget.longest(0, len(texts), lambda shown: shared(0, tight, shown)))

    def _reply(self, texts: Sequence[str]) -> str:
        items = [f"{self._heading(number)}\n{text}" for number, text in enumerate(texts)]
        return "\n\n".join([f"Found {len(self.hits)} relevant memories:", *items, *self._notes])

    @property
    def _notes(self) -> list[str]:
        return [f"Not every memory can be found yet: {self.notice}."] if self.notice else []

    def _heading(self, number: int) -> str:
        hit = self.hits[number]
        day = hit.observation.created_at.astimezone(self.zone)
        return f"[{number + 1}] ({self._percent(hit)}% match, {day.month}/{day.day}/{day.year})"

    def _percent(self, hit: Hit) -> int:
        return self.calibration.percent(hit.score or 0.0)


def _bounded(budget: TokenBudget) -> TokenBudget:
    """Return a copy of the budget that rejects texts too long to fit, without counting their tokens."""

    def count(text: str) -> int:
        too_long = len(text) > budget.limit * _CHARACTERS_A_TOKEN
        return budget.limit + 1 if too_long else budget.count(text)

    return TokenBudget(budget.limit, count)
