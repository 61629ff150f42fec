"""Collections of memories as agents save them: facts about one project, in English and in six other languages."""

from collections.abc import Iterator

from attrs import evolve

from bench.quality.collection import Collection
from bench.quality.collections.records import DATA, marked, read

LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean", "ru": "Russian", "ar": "Arabic", "de": "German"}
"""Names of the languages by the names of their files."""


def facts() -> Collection:
    """Return short facts, each with a reworded question; a third of these share no word with their fact."""
    records = read(DATA / "facts.txt")
    return Collection(name="facts, reworded", memories=records.memories, questions=records.questions)


def with_keywords(collection: Collection) -> Collection:
    """Return the facts saved with keywords, which were written without a look at the questions."""
    keywords = zip(collection.memories, marked("keywords.txt", "+ "), strict=True)
    memories = [evolve(each, keywords=said) for each, said in keywords]
    return evolve(collection, name=f"{collection.name}, with keywords", memories=memories)


def asked_by_agents(collection: Collection) -> Collection:
    """Return the facts asked for as agents do in their first query, written from the questions alone."""
    queries = zip(collection.questions, marked("queries.txt", "? "), strict=True)
    questions = [evolve(each, text=asked) for each, asked in queries]
    return evolve(collection, name=f"{collection.name}, agents' queries", questions=questions)


def languages() -> Iterator[Collection]:
    """Yield a project for each language, whose questions inflect, join or split words as its speakers do."""
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
