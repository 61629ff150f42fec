"""The steps of the demo, played with a real MCP client. Each reply is timed and checked."""

import json
import re
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from anyio import to_thread
from attrs import define, field, frozen
from mcp.client import Client
from mcp_types import TextContent

from lamella.domain.errors import LamellaError
from lamella.domain.memories.limits import MAX_LIMIT
from lamella.domain.replies.budget import PAGE_TOKENS
from lamella.domain.replies.views import Detail
from lamella.domain.search.strength import WEAK
from lamella_adapters.cli.demo import screen
from lamella_adapters.cli.demo.comeback import Run
from lamella_adapters.cli.demo.material import Piece, reworded, telling_words

_SAVED = re.compile(r"^Memory saved \(id: ([0-9a-f-]{36})\)")
_COMPACT_ID = re.compile(r"^\[\d+\] ([0-9a-f]{8,32}) \| ", re.MULTILINE)
_FULL_HEADER = re.compile(r"^--- ([0-9a-f]{8,32}) \| ", re.MULTILINE)
_NEXT = re.compile(r" \| next: (\S+)")
_FIRST = 2
_MAX_PAGES = 200


@frozen
class StepFailedError(LamellaError):
    """A step of the demo failed."""

    reason: str

    def __str__(self) -> str:
        return f"The demo failed: {self.reason}"


@frozen
class Reply:
    """Reply of a tool, with its size and duration."""

    text: str
    error: bool
    tokens: int
    milliseconds: float


@define
class Story:
    """The steps of the demo, played over one MCP connection.

    Attributes:
        client: MCP client, connected to the server.
        count: Counts the tokens of a text.
        run: Runs commands of `lamella` in the project of the demo.
        pieces: The texts to save.
        saved: The full ids of the memories, in the order of `pieces`.
    """

    client: Client
    count: Callable[[str], int]
    run: Run
    pieces: Sequence[Piece]
    saved: list[str] = field(factory=list)

    async def tell(self) -> None:
        """Play all steps.

        Raises:
            StepFailedError: A reply isn't the expected one.
        """
        await self._tools()
        await self._save()
        question, id = await self._ask()
        await self._keep_to_the_budget()
        await self._purge_and_undo(question, id)

    async def _tools(self) -> None:
        listed = await self.client.list_tools()
        cost = self.count(json.dumps([_described(tool) for tool in listed.tools], ensure_ascii=False))
        names = [tool.name for tool in listed.tools]
        screen.say(f"An agent gets {len(names)} tools for {cost} tokens: {', '.join(names)}.")
        _require(set(names) == {"save_memory", "recall"}, "the server has other tools than the two expected ones.")

    async def _save(self) -> None:
        times: list[float] = []
        # Save the oldest first, so that memories are in the repository's own order.
        for piece in reversed(self.pieces):
            arguments: dict[str, Any] = {"title": piece.title, "text": piece.text}
            if piece.paths:
                arguments["paths"] = list(piece.paths)
            reply = await self._call("save_memory", show=piece is self.pieces[0], **arguments)
            saved = _SAVED.match(reply.text)
            _require(saved is not None and not reply.error, f"saving was answered with: {reply.text}")
            self.saved.insert(0, saved[1] if saved else "")
            times.append(reply.milliseconds)
        screen.say(f"{len(times)} memories saved, each in {statistics.median(times):.1f} ms (median).")

    async def _ask(self) -> tuple[str, str]:
        """Return a question, and the short id of the memory that answers it."""
        asked = [
            (question, id)
            for piece, id in zip(self.pieces, self.saved, strict=True)
            if (question := reworded(piece.title))
        ]
        for question, id in asked:
            if await self._found(question, id, show=False):
                screen.say(f'Saved: "{self.pieces[self.saved.index(id)].title}"')
                screen.say(f'Asked: "{question}"')
                return question, await self._found(question, id, show=True)
        number, words = telling_words(self.pieces)
        reply = await self._call("recall", query=words, limit=_FIRST)
        short = _short(reply.text, self.saved[number])
        _require(bool(short), f"recall did not find the memory that has the words '{words}'.")
        return words, short

    async def _found(self, question: str, id: str, *, show: bool) -> str:
        """Search. Return the memory's short id if the memory is the first hit and strong; otherwise empty text."""
        reply = await self._call("recall", show=show, query=question, limit=_FIRST)
        first, _, _ = reply.text.partition("\n")
        return "" if WEAK in reply.text else _short(first, id)

    async def _purge_and_undo(self, question: str, id: str) -> None:
        screen.heading("4. Purge, and undo")
        await self._call("recall", action="purge", ids=[id])
        await self._is_found(question, id, found=False)
        undone = await to_thread.run_sync(self.run, "undo")
        screen.say("A person takes it back, with lamella undo:")
        for line in undone.splitlines():
            screen.say(f"  {line.strip()}")
        await self._is_found(question, id, found=True)

    async def _is_found(self, question: str, id: str, *, found: bool) -> None:
        reply = await self._call("recall", show=False, query=question, limit=_FIRST)
        _require((id in _COMPACT_ID.findall(reply.text)) == found, f"the question finds: {reply.text}")
        screen.say(f"  The question {'finds it again' if found else 'no longer finds it'}.")

    async def _keep_to_the_budget(self) -> None:
        screen.heading(f"3. No reply above {PAGE_TOKENS} tokens, and a cursor to go on with")
        request: dict[str, Any] = {"detail": Detail.FULL.value, "limit": MAX_LIMIT}
        replies = [await self._call("recall", footer=True, **request)]
        cursor = _cursor(replies[0])
        _require(cursor is not None, "all memories in full fit into one reply, but they should need several.")
        while cursor is not None and len(replies) < _MAX_PAGES:
            replies.append(
                await self._call("recall", show=len(replies) == 1, footer=True, **request, cursor=cursor)
            )
            _require(not replies[-1].error, f"the cursor did not lead to another page: {replies[-1].text}")
            cursor = _cursor(replies[-1])
        shown = [id for reply in replies for id in _FULL_HEADER.findall(reply.text)]
        whole = len(shown) == len(set(shown)) == min(len(self.pieces), MAX_LIMIT) and cursor is None
        _require(whole, f"the pages show {len(shown)} memories, not each of {len(self.pieces)} once.")
        largest = max(reply.tokens for reply in replies)
        screen.say(
            f"Followed to the end: {len(replies)} replies, the largest of {largest} tokens;"
            f" each of the {len(shown)} memories was shown once."
        )

    async def _call(self, tool: str, *, show: bool = True, footer: bool = False, **arguments: Any) -> Reply:
        """Call a tool, check its reply against the token budget, and return it. Show it, or only its footer."""
        began = time.perf_counter()
        result = await self.client.call_tool(tool, arguments)
        milliseconds = (time.perf_counter() - began) * 1000
        text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
        tokens = self.count(text)
        request = f"{tool} {json.dumps(arguments, ensure_ascii=False)}"
        _require(
            tokens <= PAGE_TOKENS, f"{request} was answered with {tokens} tokens, and {PAGE_TOKENS} are allowed."
        )
        error = bool(result.is_error)
        if show:
            screen.exchange(
                request, text.rpartition("\n")[2] if footer else text, f"{tokens} tokens, {milliseconds:.1f} ms"
            )
        return Reply(text, error, tokens, milliseconds)


def _described(tool: Any) -> dict[str, Any]:
    """Return the parts of a tool that a model sees, to count their tokens."""
    return {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}


def _short(reply: str, id: str) -> str:
    """Return the short id of the memory `id` in a compact list; empty if it is missing."""
    return next((each for each in _COMPACT_ID.findall(reply) if id.replace("-", "").startswith(each)), "")


def _cursor(reply: Reply) -> str | None:
    """Return the cursor in the footer, which is the last line. Text of a memory may resemble a cursor."""
    found = _NEXT.search(reply.text.rpartition("\n")[2])
    return found[1] if found else None


def _require(holds: bool, otherwise: str) -> None:
    """Raise an error unless `holds` is true.

    Raises:
        StepFailedError: `holds` is false. The message is `otherwise`.
    """
    if not holds:
        raise StepFailedError(otherwise)
