"""Facts about one project as agents save them, in English and in six further languages."""

from collections.abc import Iterator

from attrs import evolve

from bench.quality.collection import Collection
from bench.quality.collections.records import DATA, marked, read

LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean", "ru": "Russian", "ar": "Arabic", "de": "German"}
"""Names of the languages by the names of their files."""


def facts() -> Collection:
    """Return short facts with reworded questions. A third of the questions share no word with their fact."""
    records = read(DATA / "facts.txt")
    return Collection(name="facts, reworded", memories=records.memories, questions=records.questions)


def with_keywords(collection: Collection) -> Collection:
    """Return the facts with keywords. The author of the keywords didn't know the questions."""
    keywords = zip(collection.memories, marked("keywords.txt", "+ "), strict=True)
    memories = [evolve(each, keywords=said) for each, said in keywords]
    return evolve(collection, name=f"{collection.name}, with keywords", memories=memories)


def asked_by_agents(collection: Collection) -> Collection:
    """Return the facts with queries in the style of agents. The author of the queries didn't know the facts."""
    queries = zip(collection.questions, marked("queries.txt", "? "), strict=True)
    questions = [evolve(each, text=asked) for each, asked in queries]
    return evolve(collection, name=f"{collection.name}, agents' queries", questions=questions)


def languages() -> Iterator[Collection]:
    """Yield a collection for each language. The questions inflect, join or split words, as speakers do."""
    for file, name in LANGUAGES.items():
        records = read(DATA / "languages" / f"{file}.txt")
        yield Collection(
            name=name,
            memories=records.memories,
            questions=records.questions,
            figures=("R@3", "nDCG@10"),
            unrelated=records.unrelated,
        )


def everyday() -> tuple[str, ...]:
    """Return questions of everyday life, in English."""
    return tuple(read(DATA / "everyday.txt").unrelated)
