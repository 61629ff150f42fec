"""Random memories and questions that resemble the memories of a developer, from one seed."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import NamedTuple
from uuid import UUID

from lamella.domain.memories.observation import Draft
from lamella_adapters.sqlite.storage import SqliteStorage
from lamella_adapters.sqlite.tables import observation_rows
from lamella_adapters.sqlite.tables.context_column import context_before

_VOCABULARY = 20_000
_SESSION = 25
_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)

# Function words of the artificial language, by rank: the commonest, and two used in questions. A line of words is
# easier to read and to correct than a list of literals.
_COMMONEST = "the of and to in a is for it that on we this with was be as by not are".split()  # noqa: SIM905 - see above
_FUNCTION_WORDS = {**dict(enumerate(_COMMONEST)), 90: "did", 250: "why"}


class Language:
    """Artificial language. Word frequencies follow Zipf's law; the commonest words are English function words."""

    def __init__(self, seed: int) -> None:
        """Create the vocabulary, which is the same for every seed. The seed determines the texts."""
        dictionary = random.Random(0)  # noqa: S311 - a workload, not a secret
        self.random = random.Random(seed)  # noqa: S311 - a workload, not a secret
        syllables = [c + v for c in "bcdfgklmnprstvz" for v in "aeiou"]
        words: dict[str, None] = {}
        while len(words) < _VOCABULARY - len(_FUNCTION_WORDS):
            words["".join(dictionary.choices(syllables, k=dictionary.randint(2, 4)))] = None
        self.words = list(words)
        for rank, word in _FUNCTION_WORDS.items():
            self.words.insert(rank, word)
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(_VOCABULARY)))

    def text(self, words: int) -> str:
        """Return a text of some words, with a full stop after each dozen, and a few identifiers."""
        drawn = self.random.choices(self.words, cum_weights=self._weights, k=words)
        for place in range(11, words, 12):
            drawn[place] += "."
        if words > 20:
            drawn[5] = f"{drawn[5]}_{drawn[6].rstrip('.')}"
        return " ".join(drawn)

    def five_terms(self) -> str:
        """Return a question of one rare term, two terms of medium frequency, and two common terms.

        The rare term is in 0.1 to 0.4 % of the titles and contents of memories, medium terms are in 0.4 to 1.2 %,
        and common terms in 12 to 25 %. With indexed contexts, each term is in about twice as many rows.
        """
        rest = f"{self._middling()} {self._middling()} {self._common()} {self._common()}"
        return f"{self._rare()} {rest}"

    def eight_words(self) -> str:
        """Return a question as a person would write it: more than half of its words are function words."""
        return f"why did we {self._middling()} {self._rare()} for the {self._common()}"

    def _rare(self) -> str:
        return self.random.choice(self.words[3_000:8_000])

    def _middling(self) -> str:
        return self.random.choice(self.words[800:1_500])

    def _common(self) -> str:
        return self.random.choice(self.words[25:62])


class Memory(NamedTuple):
    """A memory to save, with its id and time."""

    id: UUID
    at: datetime
    draft: Draft


def memories(language: Language, count: int) -> Iterator[Memory]:
    """Yield a number of memories in sessions, a minute apart."""
    for number in range(count):
        yield Memory(
            UUID(int=language.random.getrandbits(128), version=4),
            _BEGINNING + timedelta(minutes=number),
            Draft(
                session=f"session-{number // _SESSION}",
                title=language.text(7),
                content=language.text(language.random.randint(20, 120)),
                source="bench",
            ),
        )


def fill(storage: SqliteStorage, project: str, count: int, seed: int = 7) -> None:
    """Write the memories directly into the project's file, in large transactions, with their contexts.

    Index maintenance is complete afterwards, as in the storage of a server with idle time.
    """
    language = Language(seed)
    made = memories(language, count)
    database = storage.registry.file_of(project).database
    written = 0
    while written < count:
        with database.writing() as connection:
            for id, at, draft in [next(made) for _ in range(min(5_000, count - written))]:
                written += 1
                moment = observation_rows.to_microseconds(at)
                said = draft.observed(id=id, project=project, sequence=0, now=at)
                own = {
                    "seq": None,
                    "fingerprint": id.bytes * 2,
                    "request": None,
                    "context": context_before(connection, draft.content, draft.session, moment),
                }
                derived = observation_rows.DerivedRow.of(said).columns
                connection.execute(observation_rows.INSERT, {**derived, **own})
    while storage.maintain():
        pass
