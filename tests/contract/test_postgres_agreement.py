"""PostgreSQL answers as SQLite does after the same operations: the same memories with the same scores."""

import random
from collections.abc import Iterator
from contextlib import closing
from itertools import accumulate, count, islice
from pathlib import Path
from uuid import UUID

import pytest
from attrs import define, field

from lamella.domain.memories.observation import CodeChange, Draft, Kind, Observation
from lamella.domain.memories.query import ByText, Filters, RecallQuery
from lamella.ports.storage.storage import Storage
from lamella_adapters.fts5 import bm25
from lamella_adapters.postgresql import open_storage
from lamella_adapters.postgresql.search import ranking
from lamella_adapters.sqlite.storage import SqliteStorage
from lamella_contracts.fixtures.answers import assert_same_ranking, unnumbered
from lamella_contracts.fixtures.project import ProjectFixture, location_named, signed
from lamella_contracts.fixtures.strategies import DATES, IDENTIFIERS, PLAIN, SESSIONS, SPOKEN, UNSPACED
from tests import postgres

NAMES = ("Ada Lovelace", "Grace Hopper", "Miyazaki", "Jürgen")
PATHS = ("src/auth/login.py", "src/auth/token.py", "docs/read.me")
TENTH = 10
"""Hits of an answer."""


class Speech:
    """Words whose frequencies follow Zipf's law, in the same order in every run."""

    def __init__(self, seed: int) -> None:
        self.drawn = random.Random(seed)  # noqa: S311 - a story, not a secret
        syllables = [consonant + vowel for consonant in "bcdfgklmnprstvz" for vowel in "aeiou"]
        made = ["".join(self.drawn.choices(syllables, k=self.drawn.randint(2, 4))) for _ in range(900)]
        self.words = [*PLAIN, *made, *IDENTIFIERS, *UNSPACED, *SPOKEN, *NAMES, *DATES]
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(len(self.words))))

    def text(self, words: int) -> str:
        return " ".join(self.drawn.choices(self.words, cum_weights=self._weights, k=words))

    def draft(self, *, replaces: tuple[UUID, ...] = ()) -> Draft:
        change = (CodeChange(path=self.drawn.choice(PATHS)),) if self.drawn.random() < 0.2 else ()
        return Draft(
            content=self.text(self.drawn.randint(3, 40)),
            title=self.text(self.drawn.randint(0, 6)),
            kind=self.drawn.choice((Kind.NOTE, Kind.NOTE, Kind.CHANGE, Kind.SUMMARY)),
            session=self.drawn.choice(SESSIONS),
            author=self.drawn.choice((None, *NAMES)),
            changes=change,
            replaces=replaces,
        )

    def typo(self) -> str:
        """Return a word with two letters swapped."""
        word = self.drawn.choice([each for each in self.words if len(each) > 5])
        place = self.drawn.randrange(1, len(word) - 2)
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]

    def questions(self, said: list[Observation]) -> Iterator[tuple[str, Filters]]:
        """Yield questions of all kinds in turn, including ones about words and phrases of memories."""
        some, drawn = self.drawn.choice, self.drawn
        for number in count():
            about = some(said)
            texts = (
                self.text(drawn.randint(1, 8)),
                " ".join(drawn.sample(self.words[300:900], 2)),
                " ".join(drawn.sample(PLAIN, 4)),
                '"' + " ".join(about.content.split()[1:3]) + '"',
                some(self.words)[:4],
                f"{self.typo()} {self.text(2)}",
                f"{some(NAMES)} {self.text(3)}",
                f"{some(DATES)} {self.text(2)}",
                f"{some(SPOKEN)} Serververbindung",
                f"{some(UNSPACED)} {some(UNSPACED)}",
                some(IDENTIFIERS).replace("_", " ").lower(),
                about.content[:400],
            )
            filters = (
                Filters(),
                Filters(session=about.session),
                Filters(kind=about.kind),
                Filters(author=about.author),
                Filters(since=about.occurred_at),
                Filters(until=about.occurred_at),
                Filters(path=some((*PATHS, "src/auth", "src"))),
            )
            yield texts[number % len(texts)], filters[0] if drawn.random() < 0.5 else some(filters)


@define
class Pair:
    """The same project in two storages. Each action is done in both and must have the same result."""

    one: ProjectFixture
    other: ProjectFixture
    speech: Speech
    said: dict[UUID, Observation] = field(factory=dict)

    def part(self, name: str) -> "Pair":
        return Pair(self.one.other(name), self.other.other(name), self.speech)

    def operate(self, times: int) -> None:
        for _ in range(times):
            some = self.speech.drawn.sample(list(self.said.values()), min(len(self.said), 3))
            step = self.speech.drawn.random() if some else 0.0
            if step < 0.7:
                live = [each.id for each in some[:1] if not self.one.get(each).purged] if step > 0.55 else []
                draft = self.speech.draft(replaces=tuple(live))
                mine, theirs = self.one.add(draft), self.other.add(draft)
                assert unnumbered(mine) == unnumbered(theirs)
                self.said[mine.observation.id] = mine.observation
            elif step < 0.85:
                assert self.one.purge(*some) == self.other.purge(*some)
            else:
                assert self.one.restore(*some) == self.other.restore(*some)

    def merge(self, part: "Pair") -> None:
        for here, there in ((self.one, part.one), (self.other, part.other)):
            here.storage.registry.merge(there.id, here.id, by=signed(here.now()))
        self.said |= part.said

    def compare(self, times: int) -> int:
        """Ask both storages a number of questions, and return how many had an answer."""
        answered = 0
        asked = islice(self.speech.questions([*self.said.values()]), times)
        for number, (text, filters) in enumerate(asked):
            query = RecallQuery(
                selector=ByText(text), filters=filters, limit=TENTH, include_purged=number % 4 == 3
            )
            mine, theirs = self.one.search.find(query), self.other.search.find(query)
            assert_same_ranking(mine, theirs, limit=TENTH, exact=True)
            answered += bool(mine)
        return answered


def project_in(storage: Storage, folder: Path) -> ProjectFixture:
    return ProjectFixture(lambda: storage, storage, location_named("agreeing"), folder)


@pytest.fixture(autouse=True)
def _bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make PostgreSQL read as few rows as in a large project, and rank by rare terms first."""
    monkeypatch.setattr(ranking, "LOOKED", 30)
    monkeypatch.setattr(ranking, "LOOKED_FOR_EACH", 1)
    monkeypatch.setattr(ranking, "SPLIT_ROWS_FOR_EACH", 0)
    monkeypatch.setattr(ranking, "SPLIT_FROM", 0)
    monkeypatch.setattr(bm25, "ESSENTIAL_SHARE", 0.2)


@pytest.mark.parametrize(
    ("operations", "questions"), [(25, 40), pytest.param(300, 350, marks=pytest.mark.team)], ids=["few", "many"]
)
def test_after_saves_purges_restores_edits_and_merges_both_give_the_same_answers(
    tmp_path: Path, operations: int, questions: int
) -> None:
    postgres.empty()
    with (
        closing(open_storage(postgres.location(), tmp_path)) as distant,
        closing(SqliteStorage(tmp_path / "sqlite")) as local,
    ):
        pair = Pair(project_in(distant, tmp_path), project_in(local, tmp_path), Speech(operations))
        answered = 0
        for name in ("first", "second", "third"):
            pair.operate(operations)
            part = pair.part(name)
            part.operate(operations)
            pair.merge(part)
            answered += pair.compare(questions)
    assert answered > questions
