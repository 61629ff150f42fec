"""Texts that repeat themselves: what they cost grows no faster than their length.

Only ratios of processor time of one run are judged. Four times the text costs 4 times as much where cost is in
proportion to it, and 16 times where it grows with its square.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate, count, pairwise, takewhile
from pathlib import Path
from random import Random
from typing import TypeVar

from attrs import frozen

from lamella import ByText, LamellaError, Memory, RecallRequest, SaveRequest, open_memory
from lamella.domain.conversations.message import Message, Role
from lamella.domain.conversations.summary import summarised
from lamella.domain.exchange import front_matter
from lamella.domain.exchange.fields import InvalidRecordError
from lamella.domain.ledger.fingerprints import fingerprints_of
from lamella.domain.ledger.reintroduction import NewCode
from lamella.domain.ledger.unreported import net
from lamella.domain.memories.query import Span
from lamella.domain.memories.titles import generated_title
from lamella.domain.privacy.redaction import cleaned
from lamella.domain.replies.snippets import beyond_title
from lamella.domain.search.dates import named_dates
from lamella.domain.search.indexing import all_hidden_forms
from lamella.domain.text.printing import printed_block
from lamella.domain.text.words import query_words
from lamella_adapters.fts5 import bm25
from lamella_adapters.hooks.clients import patch
from lamella_adapters.peers.front_matter import divided
from lamella_adapters.web.rendering.markdown import rendered
from lamella_adapters.web.rendering.marks import Marks
from tests.faults.fault import Injections

MOST = 10
"""Most times the cost for 4 times the text."""

_FLOOR_SECONDS = 0.05
"""A text that costs less is not worth measuring."""

_ATTEMPTS = 3
"""Measurements after which a text costs too much: a busy machine can disturb one."""

_AT = datetime(2026, 11, 24, tzinfo=UTC)
_MEMORIES = 8
"""Memories that are searched."""

_UNITS: list[str] = json.loads(Path(__file__).with_name("units.json").read_text("utf-8"))
"""Texts that are repeated, alone or in pairs."""


_T = TypeVar("_T")


@frozen
class Operation:
    """Work on a text of at most `limit` characters."""

    name: str
    limit: int
    work: Callable[[str], object]


def questions(folder: Path, noise: Random) -> Injections:
    """Ask about memories that repeat what the question repeats."""
    for number, storage in enumerate(_endless(noise, ("sqlite:", "memory:"))):
        unit, place = _unit(noise), folder / str(number)
        place.mkdir()
        with open_memory(place, data_directory=place / "data", storage=storage, embedder="none") as memory:
            for each in range(_MEMORIES):
                memory.save(SaveRequest(text=f"{each} {_repeated(unit, 9_900)} {each}"))

            ask = noise.choice((_ask, _ask_in_growing_parts))
            yield cost(Operation(storage, 4_000, partial(ask, memory)), unit)


def texts(_folder: Path, noise: Random) -> Injections:
    """Clean, name, index, find and print a memory."""
    for operation in _endless(noise, OF_TEXTS):
        yield cost(operation, _unit(noise))


def files(_folder: Path, noise: Random) -> Injections:
    """Read hunks, patches, front matter and what was said."""
    for operation in _endless(noise, _OF_FILES):
        yield cost(operation, _unit(noise))


def cost(operation: Operation, unit: str) -> str:
    """Return how the cost of an operation grows, in words.

    Raises:
        AssertionError: It grows faster than its text.
    """
    seen = []
    for _ in range(_ATTEMPTS):
        short, long = (_seconds(operation, _repeated(unit, operation.limit // part)) for part in (4, 1))
        if long < _FLOOR_SECONDS or long <= MOST * short:
            return "its cost grows no faster than its length"
        seen.append(round(long / short))
    raise AssertionError(f"{operation.name}: 4 times {unit!r} costs {min(seen)} times as much")


def _seconds(operation: Operation, text: str) -> float:
    """Return the processor time of an operation, the best of two."""
    taken = []
    for _ in range(2):
        begun = time.thread_time()
        with suppress(ValueError, InvalidRecordError):
            operation.work(text)
        taken.append(time.thread_time() - begun)
    return min(taken)


def _ask(memory: Memory, text: str) -> None:
    with suppress(LamellaError):
        memory.recall(RecallRequest(selector=ByText(text)))


def _ask_in_growing_parts(memory: Memory, text: str) -> None:
    starts = [*takewhile(lambda start: start < len(text), accumulate(count(2), initial=0))]
    _ask(memory, " ".join(text[start:end] for start, end in pairwise([*starts, len(text)])))


def _endless(noise: Random, each: Sequence[_T]) -> Iterator[_T]:
    while True:
        yield from noise.sample(each, len(each))


def _unit(noise: Random) -> str:
    return "".join(noise.sample(_UNITS, noise.choice((1, 1, 2))))


def _repeated(unit: str, length: int) -> str:
    return (unit * (length // len(unit) + 1))[:length]


def _dense(text: str) -> list[Span]:
    """Return matches of a few words at each place."""
    return [Span(at, at + 1, word) for at in range(len(text) - 1) for word in range(4)]


def _said(text: str) -> Message:
    return Message(number=1, session="s", role=Role.HUMAN, text=text, at=_AT)


_SOUGHT = [*map(bm25.Sought.of, query_words("a b aa a.a a.a.a password token word when 1 2 3"))]
OF_TEXTS = (
    Operation("clean", 10_000, cleaned),
    Operation("clean a file", 60_000, cleaned),
    Operation("title", 10_000, generated_title),
    Operation("index", 10_000, lambda text: all_hidden_forms("title", text)),
    Operation("tokens", 10_000, bm25.tokens),
    Operation("match", 10_000, lambda text: bm25.explain(_SOUGHT, [1.0] * len(_SOUGHT), 400, text, ["title"])),
    Operation("snippet", 10_000, lambda text: beyond_title("zebra b", text, _dense(text), 100, least=40)),
    Operation("snippet after its title", 10_000, lambda text: beyond_title(text[:100], text, _dense(text), 150)),
    Operation("marks", 10_000, lambda text: Marks.of("zebra b").message(text, _dense(text))),
    Operation("Markdown", 10_000, rendered),
    Operation("print", 10_000, printed_block),
    Operation("words", 4_000, query_words),
    Operation("dates", 4_000, lambda text: named_dates(text, _AT.date())),
)
_OF_FILES = (
    Operation("hunks", 60_000, lambda text: fingerprints_of([text])),
    Operation("lines", 60_000, net),
    Operation("new code", 60_000, lambda text: NewCode.of(text[: len(text) // 2], text)),
    Operation("patch", 60_000, lambda text: patch.made(f"*** Begin Patch\n{text}", "/")),
    Operation("front matter", 60_000, lambda text: front_matter.parsed(f"---\n{text}\n---\n")),
    Operation("front matter of others", 60_000, lambda text: divided(f"---\n{text}\n---\n")),
    Operation("summary", 60_000, lambda text: summarised([_said(text)])),
)
