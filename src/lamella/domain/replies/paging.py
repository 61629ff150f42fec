"""Paging: fills a page of a view up to its budget."""

from collections.abc import Callable, Iterator, Sequence

from attrs import evolve, frozen

from lamella.domain.errors import StaleCursorError
from lamella.domain.replies.budget import TokenBudget
from lamella.domain.replies.cursor import Cursor
from lamella.domain.replies.views import Item, View
from lamella.domain.text.printing import cut_point, defused

_CHARACTERS_A_TOKEN = 8
"""Characters per token, twice the usual, above which a text surely exceeds the budget, so it isn't counted."""


@frozen
class Page:
    """A finished reply.

    Attributes:
        text: Its text.
        following: Start of the next page; None on the last one.
    """

    text: str
    following: Cursor | None


@frozen(kw_only=True)
class Pager:
    """Fills a page of a view up to the budget.

    Attributes:
        view: The view.
        budget: The budget of the page.
        footer: Returns the last lines of the page from the number of tokens of the finished reply, the number of
            results on it, and the cursor of the next page (None on the last page).
    """

    view: View
    budget: TokenBudget
    footer: Callable[[int, int, Cursor | None], str]

    def page(self, start: Cursor) -> Page:
        """Return the page starting at `start`: as many whole items as fit, or a part of the first.

        Following the cursors to the end shows every item and every character of it once.

        Raises:
            StaleCursorError: The view has no such item or character.
        """
        if start.item >= len(self.view) or (start.offset and start.offset > len(self.view.item(start.item).text)):
            raise StaleCursorError
        return self._all(start) or self._some(start)

    def _all(self, start: Cursor) -> Page | None:
        """Return a page with all remaining items, if they fit. They usually do: count tokens only once."""
        items: list[Item] = []
        characters = 0
        for item in self._items(start):
            items.append(item)
            characters += len(item.text)
            if characters > self.budget.limit * _CHARACTERS_A_TOKEN:
                return None
        reply = self._reply(items, start)
        return reply if self.budget.allows(reply.text) else None

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
        while whole and not self.budget.allows(reply.text):
            whole.pop()
            reply = self._reply(whole, start)
        for item in self._items(start, shown=len(whole)):
            more = self._reply([*whole, item], start)
            if not self.budget.allows(more.text):
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
        while clean > 0 and not self.budget.allows(shortened(clean).text):
            clean = cut_point(rest, clean - 1)
        return shortened(clean or longest)

    def _items(self, start: Cursor, shown: int = 0) -> Iterator[Item]:
        """Yield the items of a page after the first `shown`. Continue an item cut by the previous page."""
        for number in range(start.item + shown, len(self.view)):
            item = self.view.item(number)
            if start.offset and number == start.item:
                item = evolve(item, text=self._continued(item.text[start.offset :], start))
            yield item

    def _continued(self, rest: str, start: Cursor) -> str:
        """Mark the rest of an item cut by the previous page, so that it can't pose as one of our lines."""
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
        return Page(telling(self.budget.own_size(telling, guess)), following)
