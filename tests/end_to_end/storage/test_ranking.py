"""Ranking reads as little as it can, and answers as if it had read everything."""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import product
from pathlib import Path
from uuid import UUID

import apsw
import pytest
from attrs import frozen
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lamella.domain.memories.observation import CodeChange, Draft
from lamella.domain.memories.query import Filters
from lamella.domain.text.words import query_words
from lamella_adapters.fts5.plan import planned
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.projects.scope import Opened, Scope
from lamella_adapters.sqlite.search import filter_conditions, ranking, search
from lamella_adapters.sqlite.tables import observation_rows
from lamella_adapters.sqlite.tables.code_change_rows import ChangeRows
from tests.end_to_end.storage.worker import NOW, Memory, unsynced_folder

VOCABULARY = ["".join(letters) for letters in product("bcfgk", repeat=3)][:60]
"""Words that no analysis changes."""
COMMON, RARE = VOCABULARY[:8], VOCABULARY[8:]
FILTERS = (
    Filters(),
    Filters(session="s1"),
    Filters(path="src/a"),
    Filters(since=NOW + timedelta(minutes=100)),
    Filters(session="s2", path="src", since=NOW + timedelta(minutes=50)),
)
PLAIN = """
SELECT o.seq, -bm25(search, 2.0, 1.0, 0.5, 0.3) FROM search JOIN observation AS o ON o.seq = search.rowid
WHERE search MATCH :match
"""
ESSENTIAL_ONLY, SPLIT, PAIRED, UNPAIRED, WIDENED = "essential only", "split", "paired", "unpaired", "widened"


@frozen
class Case:
    """A project of some rows, of which some are purged, written before and after the first query."""

    seed: int
    before: int
    after: int
    purged: int
    words: Sequence[str]
    filters: Filters
    limit: int


def cases() -> st.SearchStrategy[Case]:
    words = st.lists(st.sampled_from(COMMON), max_size=5)
    return st.builds(
        Case,
        seed=st.integers(0, 2**32),
        before=st.integers(50, 350),
        after=st.integers(0, 60),
        purged=st.integers(0, 30),
        words=st.builds(
            lambda some, others: some + others,
            words,
            st.lists(st.sampled_from(RARE[-25:]) | st.sampled_from(RARE), max_size=6),
        ),
        filters=st.sampled_from(FILTERS),
        limit=st.integers(1, 6) | st.integers(1, 50),
    )


def write(connection: apsw.Connection, numbers: range, dice: random.Random) -> None:
    """Rows whose words are as unequal as those of a language, in one transaction."""
    weights = [1 / (place + 1) ** 1.3 for place in range(len(VOCABULARY))]
    for number in numbers:
        words = dice.choices(VOCABULARY, weights, k=dice.randint(2, 25))
        when = NOW + timedelta(minutes=number)
        id = UUID(int=dice.getrandbits(128), version=4)
        draft = Draft(
            session=dice.choice((None, "s1", "s2")),
            title=" ".join(words[: dice.randint(0, 3)]),
            content=" ".join(words),
            changes=tuple(
                CodeChange(path=path) for path in dice.sample(("src/a", "src/b", "doc"), dice.randint(0, 2))
            ),
        )
        context = " ".join(dice.choices(VOCABULARY, weights, k=dice.randint(0, 6)))
        said = draft.observed(id=id, project="p", sequence=0, now=when)
        own = {"seq": None, "fingerprint": bytes(32), "request": None, "context": context}
        connection.execute(observation_rows.INSERT, {**observation_rows.DerivedRow.of(said).columns, **own})
        ChangeRows.of(said).write(connection, connection.last_insert_rowid())


def purge(connection: apsw.Connection, count: int, dice: random.Random) -> None:
    live = [seq for (seq,) in connection.execute("SELECT seq FROM observation WHERE purged_at IS NULL").fetchall()]
    for sequence in dice.sample(live, min(count, len(live))):
        connection.execute("UPDATE observation SET purged_at = 1, context = '' WHERE seq = ?", (sequence,))


@pytest.fixture(autouse=True)
def _always_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "SPLIT_ROWS", 0)


def split(opened: Opened, case: Case) -> tuple[list[tuple[int, float]], Collection[str]]:
    """The best rows, and the ways in which they were found."""
    asked: list[tuple[bool, str]] = []

    def trace(_cursor: apsw.Cursor, statement: str, values: object) -> bool:
        if "bm25" in statement:
            assert isinstance(values, dict)
            asked.append((values["match"].startswith("("), values["among"]))
        return True

    opened.connection.set_exec_trace(trace)
    try:
        index = search._index(opened, purged=False)
        terms = planned(query_words(" ".join(case.words)), index).terms
        best = search._ranking(index, case.filters, purged=False).best(terms, case.limit)
    finally:
        opened.connection.set_exec_trace(None)
    both = sum(split for split, _ in asked)
    ways = {
        ESSENTIAL_ONLY: not both,
        SPLIT: both == 1,
        WIDENED: both > 1,
        PAIRED: any(among for _, among in asked),
        UNPAIRED: both > len(asked) - both,
    }
    return best, [way for way, taken in ways.items() if taken]


def plain(opened: Opened, case: Case) -> list[tuple[int, float]]:
    """Every row that has one of the words, by the plainest query there is."""
    conditions, values = filter_conditions.conditions(case.filters)
    match = " OR ".join(f'"{word}"' for word in dict.fromkeys(case.words))
    found = fetch(opened.connection, PLAIN + conditions, {**values, "match": match})
    return sorted(found, key=lambda each: (-each[1], -each[0]))


@contextmanager
def two_connections() -> Iterator[tuple[Scope, Memory]]:
    """One that reads, and one that writes behind its back."""
    with unsynced_folder() as folder, Memory(folder) as reader, Memory(folder) as writer:
        registry = reader.storage.registry
        yield Scope(registry.file_of(reader.id), registry), writer


def compare(case: Case, ways: Counter[str]) -> None:
    dice = random.Random(case.seed)  # noqa: S311 - the same in every run
    with two_connections() as (scope, writer):
        database = writer.storage.registry.file_of(writer.id).database
        with database.writing() as connection:
            write(connection, range(case.before), dice)
        for numbers in (range(0), range(case.before, case.before + case.after)):
            with database.writing() as connection:
                write(connection, numbers, dice)
                purge(connection, case.purged // 2, dice)
            with scope.reading() as opened:
                best, taken = split(opened, case)
                expected = plain(opened, case) if case.words else []
            ways.update(taken)
            scores = dict(expected)
            assert [score for _, score in best] == pytest.approx([score for _, score in expected[: case.limit]])
            assert [score for _, score in best] == pytest.approx([scores[sequence] for sequence, _ in best])
            assert best == sorted(best, key=lambda each: (-each[1], -each[0]))
            assert len(set(dict(best))) == len(best)


def test_the_best_rows_are_those_of_the_plainest_query() -> None:
    ways: Counter[str] = Counter()

    @settings(
        max_examples=50,
        phases=(Phase.generate,),
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases())
    def check(case: Case) -> None:
        compare(case, ways)

    check()
    assert min(ways[each] for each in (ESSENTIAL_ONLY, SPLIT, PAIRED, UNPAIRED, WIDENED)) > 1, ways


def test_counts_of_another_file_are_forgotten_with_it(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory, Memory(tmp_path / "other", "p") as other:
        for store, words in ((memory, "zebra"), (other, "horse")):
            with store.storage.registry.file_of(store.id).database.writing() as connection:
                write(connection, range(60), random.Random(1))  # noqa: S311 - the same in every run
            for number in range(3):
                store.save(f"{words} {number}")
        assert len(memory.find("zebra")) == 3
        assert memory.find("horse") == []
        other.storage.close()
        memory.storage.close()
        other.file.rename(memory.file)
        assert memory.find("zebra") == []
        assert len(memory.find("horse")) == 3


@pytest.mark.parametrize("large", [0, 1_000_000])
def test_rows_that_hold_no_word_themselves_make_room_for_later_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: int
) -> None:
    monkeypatch.setattr(search, "SPLIT_ROWS", large)
    # Rows after a short one have more of the word in their contexts than long ones have in their text.
    long = f"zebra {' '.join(RARE)}"
    texts = [f"{6 * 'zebra '} {n}" if n % 9 == 0 else f"{long} {n}" if n % 9 == 5 else f"{n}" for n in range(200)]
    with Memory(tmp_path) as memory:
        for minute, text in enumerate(texts):
            memory.save(text, session="s", now=NOW + timedelta(minutes=minute))
        every = memory.find("zebra")
        assert {*every} == {text for text in texts if "zebra" in text}
        limits = 1, 23, 30, 40
        assert [memory.find("zebra", limit=limit) for limit in limits] == [every[:limit] for limit in limits]
