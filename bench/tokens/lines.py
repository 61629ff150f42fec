"""Measures what a compact line costs in tokens: with today's snippets, with the beginnings of texts, with none.

    python -m bench.tokens.lines

The memories are the made-up facts of `bench/quality`, and the commits of this repository as an agent would save
them, both with generated titles. The tokenizer is the default one.
"""

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from uuid import UUID

from bench.quality.collections.facts import facts
from bench.tables import Table
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import Hit, Match
from lamella.domain.memories.titles import generated_title
from lamella.domain.replies.answer import Answer
from lamella.domain.replies.snippets import COMPACT_CHARACTERS, around_match
from lamella.domain.replies.views import CompactView
from lamella_adapters.tokenizers.character_classes import ClassTokenizer

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 11, 20, tzinfo=UTC)


def hits(texts: Iterable[str]) -> list[Hit]:
    """Return texts as hits with generated titles."""
    found = []
    for number, text in enumerate(texts, 1):
        id = UUID(int=number * 0x9E3779B97F4A7C15 << 60 & (1 << 128) - 1)
        draft = Draft(content=text, title=generated_title(text))
        observation = draft.observed(id=id, project="p", sequence=number, now=NOW)
        found.append(Hit(observation=observation, short_id=id.hex[:8], match=Match.WORDS, strength=0.84))
    return found


def lines(found: Sequence[Hit]) -> Iterator[tuple[str, str, str]]:
    """Yield each hit as a line with its snippet, with the beginning of its text instead, and with none."""
    view = CompactView(Answer(hits=tuple(found)), UTC)
    for number, hit in enumerate(found):
        line = view.item(number).text
        head, _, tail = line.rsplit(" | ", 2)
        beginning = around_match(hit.observation.content, (), COMPACT_CHARACTERS)
        yield line, f"{head} | {beginning} | {tail}", f"{head} | - | {tail}"


def commits() -> list[str]:
    """Return the messages of this repository's commits, with the subject as a sentence."""
    log = subprocess.run(
        ["git", "log", "--no-merges", "--format=%s.%n%n%b%x00"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    return [each.strip() for each in log.stdout.split("\0") if each.strip()]


def main() -> None:
    """Run from the command line."""
    count = ClassTokenizer().count
    rows = []
    for name, texts in (("facts", [each.text for each in facts().memories]), ("commits", commits())):
        costs = [[count(f"{each}\n") for each in kinds] for kinds in lines(hits(texts))]
        rows.append([f"{len(texts)} {name}", *(f"{mean(column):.1f}" for column in zip(*costs, strict=True))])
    head = ["memories", "now", "the beginning of the text", "no snippet"]
    Table(title="Tokens of a compact line, by its snippet", head=head, rows=rows).printed()


if __name__ == "__main__":
    main()
