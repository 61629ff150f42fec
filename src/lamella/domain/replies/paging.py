"""Pages of an answer: as text that fits a token budget, and as values for programs."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from attrs import evolve, frozen

from lamella.domain.conversations.query import MessageHit
from lamella.domain.errors import StaleCursorError
from lamella.domain.memories.query import Hit
from lamella.domain.replies.answer import Answer
from lamella.domain.replies.budget import TokenBudget
from lamella.domain.replies.cursor import Cursor
from lamella.domain.replies.views import Item, View
from lamella.domain.search.strength import WEAK
from lamella.domain.text.printing import cut_point, defused

_CHARACTERS_A_TOKEN = 8
"""A text with more characters than this per token of the budget is rejected without counting its tokens.

A token usually has half as many characters.
"""

_SETTLING_ROUNDS = 5
"""Maximum number of attempts to find the token count of a reply whose text contains this count."""


@frozen
class Page:
    """A finished reply.

    Attributes:
        text: Text of the page.
        following: Start of the next page; None on the last page.
        tokens: Size of the text in tokens.
    """

    text: str
    following: Cursor | None
    tokens: int


@frozen(kw_only=True)
class RecallPage:
    """One page of an answer. `str(page)` is its text.

    Attributes:
        text: The page as text for an agent, within its token budget.
        hits: Memories on this page, best first.
        messages: Messages of past conversations on this page, best first.
        total: Number of results on all pages.
        strength: `weak` if the best result has few words of the question, else `strong`; None without a ranking by
            words.
        cursor: Start of the next page, for `RecallRequest.cursor`; None on the last page.
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
            following: Start of the next page; None on the last page.
            cursor: Formatted cursor of the next page; None on the last page.
        """
        hits, messages = answer.hits, answer.messages
        # An item that continues on the next page counts as shown on this one.
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


@frozen(kw_only=True)
class Pager:
    """Builder of pages of a view, each filled up to the budget.

    Attributes:
        view: The view.
        budget: The budget of the page.
        footer: Returns the last lines of the page. Its arguments are the number of tokens of the finished page,
            the number of results on the page, and the cursor of the next page (None on the last page).
    """

    view: View
    budget: TokenBudget
    footer: Callable[[int, int, Cursor | None], str]

    def page(self, start: Cursor) -> Page:
        """Return the page starting at `start`: as many whole items as fit, or a part of the first.

        Following the cursors to the end shows every character of every item once.

        Raises:
            StaleCursorError: The view has no item or character at `start`.
        """
        if start.item >= len(self.view) or (start.offset and start.offset > len(self.view.item(start.item).text)):
            raise StaleCursorError
        return self._all(start) or self._some(start)

    def _all(self, start: Cursor) -> Page | None:
        """Return a page with all remaining items; None if the items don't fit. Tokens are counted only once."""
        items: list[Item] = []
        characters = 0
        for item in self._items(start):
            items.append(item)
            characters += len(item.text)
            if characters > self.budget.limit * _CHARACTERS_A_TOKEN:
                return None
        reply = self._reply(items, start)
        return reply if reply.tokens <= self.budget.limit else None

    def _some(self, start: Cursor) -> Page:
        """Return a page with as many whole items as fit, or a part of the first."""
        whole: list[Item] = []
        spent = self.budget.count(self._finished([], start).text)
        for item in self._items(start):
            spent += self.budget.count(item.text + "\n")
            if spent > self.budget.limit:
                break
            whole.append(item)
        reply = self._reply(whole, start)
        while whole and reply.tokens > self.budget.limit:
            whole.pop()
            reply = self._reply(whole, start)
        for item in self._items(start, shown=len(whole)):
            more = self._reply([*whole, item], start)
            if more.tokens > self.budget.limit:
                break
            whole.append(item)
            reply = more
        return reply if whole else self._cut(start)

    def _cut(self, start: Cursor) -> Page:
        """Return a page with the beginning of an item that is too large for a page."""
        item = self.view.item(start.item)
        rest = item.text[start.offset :]

        def shortened(length: int) -> Page:
            kept = self._continued(rest[:length], start)
            marked = f"{kept}[...truncated at ~{self.budget.count(kept)} tokens]"
            following = Cursor(start.item, start.offset + length)
            return self._finished([evolve(item, text=marked)], following)

        longest = self.budget.longest(1, len(rest) - 1, lambda length: shortened(length).text)
        clean = cut_point(rest, longest)
        while clean > 0 and shortened(clean).tokens > self.budget.limit:
            clean = cut_point(rest, clean - 1)
        return shortened(clean or longest)

    def _items(self, start: Cursor, shown: int = 0) -> Iterator[Item]:
        """Yield the items of a page after the first `shown`.

        If the previous page has cut an item, begin with the rest of that item.
        """
        for number in range(start.item + shown, len(self.view)):
            item = self.view.item(number)
            if start.offset and number == start.item:
                item = evolve(item, text=self._continued(item.text[start.offset :], start))
            yield item

    def _continued(self, rest: str, start: Cursor) -> str:
        """Mark the rest of an item cut by the previous page, so that it can't pass for a line of lamella."""
        return defused(rest) if start.offset else rest

    def _reply(self, items: Sequence[Item], start: Cursor) -> Page:
        following = start.item + len(items)
        return self._finished(items, Cursor(following) if following < len(self.view) else None)

    def _finished(self, items: Sequence[Item], following: Cursor | None) -> Page:
        """Return the reply with its footer, which states the size of the whole reply."""
        body, shown = self.view.arranged(items), sum(item.results for item in items)

        def telling(tokens: int) -> str:
            return f"{body}\n---\n{self.footer(tokens, shown, following)}"

        size = self.budget.count(body)
        guess = size + self.budget.count(f"\n---\n{self.footer(size, shown, following)}")
        text = telling(own_size(telling, self.budget.count, guess))
        return Page(text, following, self.budget.count(text))


def own_size(reply: Callable[[int], str], count: Callable[[str], int], guess: int = 0) -> int:
    """Return the size in tokens of a reply whose text contains this size.

    Args:
        reply: Returns the reply that states a given size.
        count: Returns the number of tokens in a text.
        guess: Number to begin with.
    """
    stated, size, rounds = -1, guess, 0
    while size != stated and rounds < _SETTLING_ROUNDS:
        stated, rounds = size, rounds + 1
        size = count(reply(stated))
    return stated
