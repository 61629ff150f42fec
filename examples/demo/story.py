"""The steps of the demo that call tools, played with a real MCP client. Each reply is timed and checked."""

import json
import re
import statistics
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from anyio import to_thread
from attrs import define, field, frozen
from mcp.client import Client
from mcp_types import TextContent

from examples.demo import screen
from examples.demo.command import Command, StepFailedError
from examples.demo.texts import Piece
from lamella.domain.memories.limits import MAX_LIMIT
from lamella.domain.replies.budget import PAGE_TOKENS
from lamella.domain.search.strength import WEAK
from lamella_adapters.tokenizers.character_classes import ClassTokenizer

_SAVED = re.compile(r"^Memory saved \(id: ([0-9a-f-]{36})\)")
_COMPACT_ID = re.compile(r"^\[\d+\] ([0-9a-f]{8,32}) \| ", re.MULTILINE)
_FULL_HEADER = re.compile(r"^--- ([0-9a-f]{8,32}) \| ", re.MULTILINE)
_NEXT = re.compile(r" \| next: (\S+)")
_FIRST = 2

_OTHER_WORDS: dict[str, str] = tomllib.loads(Path(__file__).with_name("other_words.toml").read_text("utf-8"))
"""Synonyms of words that are frequent in commit messages."""


@frozen
class Reply:
    """Reply of a tool, with its size and duration."""

    text: str
    tokens: int
    milliseconds: float

    @property
    def footer(self) -> str:
        """The last line. Text of a memory may resemble it."""
        return self.text.rpartition("\n")[2]

    @property
    def cursor(self) -> str | None:
        """The cursor of the next page."""
        found = _NEXT.search(self.footer)
        return found[1] if found else None


@define
class Story:
    """The steps, played over one MCP connection.

    Attributes:
        client: MCP client, connected to the server.
        command: The command, with the memories of the server.
        pieces: The texts to save.
        saved: The full ids of the memories, in the order of `pieces`.
        tokenizer: Counts tokens as the server does.
    """

    client: Client
    command: Command
    pieces: Sequence[Piece]
    saved: list[str] = field(factory=list)
    tokenizer: ClassTokenizer = field(factory=ClassTokenizer)

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
        tools = (await self.client.list_tools()).tools
        names = ", ".join(each.name for each in tools)
        # A model sees these parts of a tool.
        seen = [
            {"name": one.name, "description": one.description, "inputSchema": one.input_schema} for one in tools
        ]
        cost = self.tokenizer.count(json.dumps(seen, ensure_ascii=False))
        screen.say(f"An agent gets {len(tools)} tools for {cost} tokens: {names}.")

    async def _save(self) -> None:
        times: list[float] = []
        # Save the oldest first, so that memories are in the repository's own order.
        for piece in reversed(self.pieces):
            show = piece is self.pieces[0]
            reply = await self._call("save_memory", show=show, title=piece.title, text=piece.text)
            saved = _SAVED.match(reply.text)
            self.saved.insert(0, saved[1] if saved else "")
            _require(bool(saved), f"saving was answered with: {reply.text}")
            times.append(reply.milliseconds)
        screen.say(f"{len(times)} memories saved, each in {statistics.median(times):.1f} ms (median).")

    async def _ask(self) -> tuple[str, str]:
        """Return a question, and the short id of the memory that answers it."""
        for piece, id in zip(self.pieces, self.saved, strict=True):
            question = in_other_words(piece.title)
            if question and await self._finds(question, id):
                break
        else:
            screen.say("No question in other words finds its memory, so the demo asks for a title.")
            piece, id = self.pieces[0], self.saved[0]
            question = piece.title
        screen.say(f'Saved: "{piece.title}"')
        screen.say(f'Asked: "{question}"')
        reply = await self._call("recall", query=question, limit=_FIRST)
        short = _short(reply.text, id)
        _require(bool(short), f"the question did not find the memory: {reply.text}")
        return question, short

    async def _finds(self, question: str, id: str) -> bool:
        """Search. Return True if the memory is the first hit and strong."""
        reply = await self._call("recall", show=False, query=question, limit=_FIRST)
        return WEAK not in reply.text and bool(_short(reply.text.partition("\n")[0], id))

    async def _keep_to_the_budget(self) -> None:
        screen.heading(f"3. No reply above {PAGE_TOKENS} tokens, and a cursor to go on with")
        request: dict[str, Any] = {"detail": "full", "limit": MAX_LIMIT}
        replies = [await self._call("recall", footer=True, **request)]
        _require(bool(replies[0].cursor), "all memories in full fit into one reply, but they should need several.")
        while cursor := replies[-1].cursor:
            show = len(replies) == 1
            replies.append(await self._call("recall", show=show, footer=True, **request, cursor=cursor))
        shown = [id for reply in replies for id in _FULL_HEADER.findall(reply.text)]
        whole = len(shown) == len(set(shown)) == len(self.pieces)
        _require(whole, f"the pages show {len(shown)} memories, not each of {len(self.pieces)} once.")
        largest = max(reply.tokens for reply in replies)
        screen.say(
            f"Followed to the end: {len(replies)} replies, the largest of {largest} tokens;"
            f" each of the {len(shown)} memories was shown once."
        )

    async def _purge_and_undo(self, question: str, id: str) -> None:
        screen.heading("4. Purge, and undo")
        await self._call("recall", action="purge", ids=[id])
        await self._is_found(question, id, found=False)
        undone = await to_thread.run_sync(self.command.run, "undo")
        screen.say("A person takes it back, with lamella undo:")
        for line in undone.splitlines():
            screen.say(f"  {line.strip()}")
        await self._is_found(question, id, found=True)

    async def _is_found(self, question: str, id: str, *, found: bool) -> None:
        reply = await self._call("recall", show=False, query=question, limit=_FIRST)
        _require((id in _COMPACT_ID.findall(reply.text)) == found, f"the question finds: {reply.text}")
        screen.say(f"  The question {'finds it again' if found else 'no longer finds it'}.")

    async def _call(self, tool: str, *, show: bool = True, footer: bool = False, **arguments: Any) -> Reply:
        """Call a tool, check its reply against the token budget, and return it. Show it, or only its footer."""
        request = f"{tool} {json.dumps(arguments, ensure_ascii=False)}"
        began = time.perf_counter()
        result = await self.client.call_tool(tool, arguments)
        milliseconds = (time.perf_counter() - began) * 1000
        text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
        reply = Reply(text, self.tokenizer.count(text), milliseconds)
        _require(reply.tokens <= PAGE_TOKENS, f"{request} was answered with {reply.tokens} tokens.")
        if show:
            note = f"{reply.tokens} tokens, {milliseconds:.1f} ms"
            screen.exchange(request, reply.footer if footer else text, note)
        return reply


def in_other_words(title: str) -> str | None:
    """Rephrase an imperative title as a question with synonyms. Return None for any other title."""
    first, *rest = re.split(r"(\W+)", title)
    if first.casefold() not in _OTHER_WORDS:
        return None
    return f"Did we {''.join(_OTHER_WORDS.get(each.casefold(), each) for each in (first, *rest))}?"


def _short(reply: str, id: str) -> str:
    """Return the short id of the memory `id` in a compact list; empty if it is missing."""
    return next((each for each in _COMPACT_ID.findall(reply) if id.replace("-", "").startswith(each)), "")


def _require(holds: bool, otherwise: str) -> None:
    """Raise an error unless `holds` is true.

    Raises:
        StepFailedError: `holds` is false. The message is `otherwise`.
    """
    if not holds:
        raise StepFailedError(otherwise)
