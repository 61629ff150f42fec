"""The steps of the demo over a real MCP client; each reply is timed and checked."""

import json
import re
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field, frozen
from mcp.client import Client
from mcp_types import TextContent

from lamella.domain.errors import LamellaError
from lamella.domain.memories.query import MAX_LIMIT
from lamella.domain.replies.budget import PAGE_TOKENS, SINGLE_TOKENS
from lamella.domain.replies.views import Detail
from lamella_adapters.cli.demo.material import Piece, telling_words
from lamella_adapters.cli.demo.screen import Screen

_SAVED = re.compile(r"^Memory saved \(id: ([0-9a-f-]{36})\)")
_COMPACT_ID = re.compile(r"^\[\d+\] ([0-9a-f]{8,32}) \| ", re.MULTILINE)
_FULL_HEADER = re.compile(r"^--- ([0-9a-f]{8,32}) \| ", re.MULTILINE)
_NEXT = re.compile(r" \| next: (\S+)")
_SHOWN_SAVES = 2
_MAX_PAGES = 200
_ECHO_CHARACTERS = 60


@frozen
class StepFailedError(LamellaError):
    """Something did not go as the demo says it goes."""

    reason: str

    def __str__(self) -> str:
        return f"The demo failed: {self.reason}"


@frozen
class Reply:
    """Answer of a tool."""

    text: str
    error: bool
    tokens: int
    milliseconds: float


@define
class Story:
    """The steps, over one connection.

    Attributes:
        client: The connection.
        count: Counts the tokens of a text.
        screen: The display.
        pieces: What is saved.
        saved: The full ids of the memories, in the order of `pieces`.
    """

    client: Client
    count: Callable[[str], int]
    screen: Screen
    pieces: Sequence[Piece]
    saved: list[str] = field(factory=list)

    async def tell(self) -> None:
        """Play all steps.

        Raises:
            StepFailedError: A step did not do what it should.
        """
        await self._tools()
        await self._save()
        number, words = telling_words(self.pieces)
        id = await self._recall(words, self.saved[number])
        await self._open(id)
        await self._purge_and_restore(words, id)
        await self._keep_to_the_budget()

    async def _tools(self) -> None:
        self.screen.heading("1. What an agent is told of the tools")
        listed = await self.client.list_tools()
        cost = self.count(json.dumps([_described(tool) for tool in listed.tools]))
        described = "\n".join(f"{tool.name}: {tool.description}" for tool in listed.tools)
        self.screen.exchange("tools/list", described, f"{len(listed.tools)} tools, {cost} tokens in all")
        _require({tool.name for tool in listed.tools} == {"save_memory", "recall"}, "these are not the two tools.")

    async def _save(self) -> None:
        self.screen.heading("2. Save")
        times: list[float] = []
        # The oldest first, so that the timeline is that of the repository.
        for piece in reversed(self.pieces):
            arguments: dict[str, Any] = {"title": piece.title, "text": piece.text}
            if piece.paths:
                arguments["paths"] = list(piece.paths)
            reply = await self._call("save_memory", show=len(times) < _SHOWN_SAVES, **arguments)
            saved = _SAVED.match(reply.text)
            _require(saved is not None and not reply.error, f"saving was answered with: {reply.text}")
            self.saved.insert(0, saved[1] if saved else "")
            times.append(reply.milliseconds)
        self.screen.say(f"\n{len(times)} memories saved, each in {statistics.median(times):.1f} ms (median).")

    async def _recall(self, words: str, id: str) -> str:
        """Return the short id that the reply prints for the memory `id`."""
        self.screen.heading("3. Recall by words: a compact list")
        reply = await self._call("recall", query=words)
        short = [each for each in _COMPACT_ID.findall(reply.text) if id.replace("-", "").startswith(each)]
        _require(bool(short), f"recall did not find the memory that has the words '{words}'.")
        return str(short[0])

    async def _open(self, id: str) -> None:
        self.screen.heading("4. Disclose one result level by level, by the id that the list printed")
        for detail in Detail:
            single = SINGLE_TOKENS if detail is Detail.FULL else PAGE_TOKENS
            reply = await self._call("recall", budget=single, id=id, detail=detail.value)
            _require(not reply.error and id in reply.text, f"{detail} does not show the memory {id}.")

    async def _purge_and_restore(self, words: str, id: str) -> None:
        self.screen.heading("5. Purge it, and recall no longer finds it")
        reply = await self._call("recall", action="purge", ids=[id])
        _require(not reply.error, "it was not purged.")
        reply = await self._call("recall", query=words)
        _require(id not in _COMPACT_ID.findall(reply.text), "recall still finds what was purged.")
        self.screen.heading("6. Restore it, and it is back")
        reply = await self._call("recall", action="restore", ids=[id])
        _require(not reply.error, "it was not restored.")
        reply = await self._call("recall", query=words)
        _require(id in _COMPACT_ID.findall(reply.text), "recall does not find what was restored.")

    async def _keep_to_the_budget(self) -> None:
        self.screen.heading(
            f"7. Everything in full: no reply above {PAGE_TOKENS} tokens, and a cursor to go on with"
        )
        request: dict[str, Any] = {"detail": Detail.FULL.value, "limit": MAX_LIMIT}
        replies = [await self._call("recall", **request)]
        cursor = _cursor(replies[0])
        _require(cursor is not None, "all memories in full fitted into one reply; they should not.")
        while cursor is not None and len(replies) < _MAX_PAGES:
            replies.append(await self._call("recall", show=len(replies) == 1, **request, cursor=cursor))
            _require(not replies[-1].error, f"the cursor did not lead on: {replies[-1].text}")
            cursor = _cursor(replies[-1])
        shown = [id for reply in replies for id in _FULL_HEADER.findall(reply.text)]
        whole = len(shown) == len(set(shown)) == min(len(self.pieces), MAX_LIMIT) and cursor is None
        _require(whole, f"the pages show {len(shown)} memories, not each of {len(self.pieces)} once.")
        largest = max(reply.tokens for reply in replies)
        self.screen.say(
            f"\nFollowed to the end: {len(replies)} replies, the largest of {largest} tokens;"
            f" each of the {len(shown)} memories was shown once."
        )

    async def _call(self, tool: str, *, budget: int = PAGE_TOKENS, show: bool = True, **arguments: Any) -> Reply:
        """Call a tool, and return its reply, which must have at most `budget` tokens."""
        began = time.perf_counter()
        result = await self.client.call_tool(tool, arguments)
        milliseconds = (time.perf_counter() - began) * 1000
        text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
        tokens = self.count(text)
        request = f"{tool} {json.dumps(_brief(arguments), ensure_ascii=False)}"
        _require(tokens <= budget, f"{request} was answered with {tokens} tokens, and {budget} are allowed.")
        error = bool(result.is_error)
        if show:
            self.screen.exchange(request, text, f"{tokens} tokens, {milliseconds:.1f} ms", error=error)
        return Reply(text, error, tokens, milliseconds)


def _described(tool: Any) -> dict[str, Any]:
    """Return a tool as it goes over the wire, which is what a model pays for."""
    described: dict[str, Any] = tool.model_dump(mode="json", by_alias=True, exclude_none=True)
    return described


def _cursor(reply: Reply) -> str | None:
    """Return the cursor in the footer, which is the last line; a memory may hold words that look like one."""
    found = _NEXT.search(reply.text.rpartition("\n")[2])
    return found[1] if found else None


def _require(holds: bool, otherwise: str) -> None:
    """Go on only if `holds`.

    Raises:
        StepFailedError: It does not; `otherwise` says what went wrong.
    """
    if not holds:
        raise StepFailedError(otherwise)


def _brief(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return arguments to be shown: a long text by its beginning."""
    return {
        name: f"{value[:_ECHO_CHARACTERS]}..."
        if isinstance(value, str) and len(value) > _ECHO_CHARACTERS
        else value
        for name, value in arguments.items()
    }
