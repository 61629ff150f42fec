"""A page of an answer, for readers of its text and for programs."""

from typing import Literal

from attrs import frozen

from lamella.domain.conversations.query import MessageHit
from lamella.domain.memories.query import Hit
from lamella.domain.replies.answer import Answer
from lamella.domain.replies.cursor import Cursor
from lamella.domain.search.strength import WEAK


@frozen(kw_only=True)
class RecallPage:
    """One page of an answer. `str(page)` is its text.

    Attributes:
        text: The page as text for an agent, within its token budget.
        hits: Memories on this page, best first.
        messages: Messages of past conversations on this page, best first.
        total: Number of results on all pages.
        strength: `weak` if the best result has little of the question, else `strong`; None without a ranking by
            words.
        cursor: Start of the next page, for `RecallRequest.cursor`; None on the last one.
        notices: Short notices about limits of the search.
    """

    text: str
    hits: tuple[Hit, ...] = ()
    messages: tuple[MessageHit, ...] = ()
    total: int = 0
    strength: Literal["strong", "weak"] | None = None
    cursor: str | None = None
    notices: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    @classmethod
    def of(
        cls, text: str, answer: Answer, *, start: Cursor, following: Cursor | None, cursor: str | None
    ) -> "RecallPage":
        """Return the page of an answer.

        Args:
            text: Text of the page.
            answer: Answer that the page belongs to. Its hits, then its messages, are the items.
            start: Start of the page.
            following: Start of the next page; None on the last one.
            cursor: Formatted cursor of the next page; None on the last one.
        """
        hits, messages = answer.hits, answer.messages
        # If the page ends inside an item, the item still counts as shown.
        end = len(hits) + len(messages) if following is None else following.item + bool(following.offset)
        ranked = bool(messages) or any(hit.strength is not None for hit in hits)
        return cls(
            text=text,
            hits=hits[start.item : end],
            messages=messages[max(0, start.item - len(hits)) : max(0, end - len(hits))],
            total=len(hits) + len(messages),
            strength=("weak" if WEAK in answer.notices else "strong") if ranked else None,
            cursor=cursor,
            notices=answer.notices,
        )
