"""Worklist of a review: notes that contradict or repeat each other, are outdated, long, or never recalled."""

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from hashlib import sha256
from itertools import combinations, islice
from uuid import UUID

from attrs import frozen

from lamella.domain.audit.activity import Activity
from lamella.domain.memories.freshness import FileState, Freshness
from lamella.domain.memories.query import Hit
from lamella.domain.search import weights
from lamella.domain.search.corrections import MOST_WORDS, corrects
from lamella.domain.text.languages.latin import language_of
from lamella.domain.text.languages.stems import stems

CORRECTED = "the second seems to correct the first"
ALIKE = "they say much the same, or contradict each other"
GONE = "all its files are gone"
REWRITTEN = "{path} was changed by {commits} commits since"
LONG = "it is long and says several things"
UNUSED = "nobody was given it or recalled it for half a year"

UNUSED_FOR = timedelta(days=180)
RECORDED_BEFORE = timedelta(days=30)
"""Time before that in which something has to be logged. Else it is unknown what was used."""

_MOST_UNUSED = 10
"""Most notes that are listed because nobody used them, the oldest."""

_MANY_COMMITS = 10
"""Commits after which a file counts as rewritten."""

_LONG_CHARACTERS = 1_200
_LEAST_PARTS = 4
"""Fewest paragraphs or list items of a note that says several things."""

_PART = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+#]|\d+[.)])\s)")

_WORD = re.compile(r"\w+")

_COMMON = 50
"""Notes from which on a word says nothing about what a note is about."""

_IN_ORDER = 0.8
"""Share of the common words that items of a list have in the same order."""

_DIGITS = 12

_EXACT_DIGITS = 9
"""Digits of a share that don't depend on the order of a sum."""


@frozen
class Task:
    """One entry of a worklist.

    Attributes:
        hits: The memories that it is about, the oldest first.
        reason: Reason why they are listed.
    """

    hits: tuple[Hit, ...]
    reason: str


def mark(id: UUID) -> str:
    """Return the mark of a memory that was reviewed and kept, which doesn't reveal its id."""
    return sha256(id.bytes).hexdigest()[:_DIGITS]


def worklist(
    notes: Sequence[Hit],
    files: Mapping[UUID, Mapping[str, FileState]],
    kept: Collection[str],
    unused: Collection[UUID] = (),
) -> tuple[Task, ...]:
    """Return what a review has to settle, the most certain first. All memories of an entry were kept: it is done.

    Args:
        notes: Live notes.
        files: Their files that are not as they were.
        kept: Marks of the notes that were kept.
        unused: Ids of notes that nobody uses.
    """

    def is_open(task: Task) -> bool:
        return any(mark(hit.observation.id) not in kept for hit in task.hits)

    by_age = sorted(notes, key=_age)
    alone = (*_gone(notes, files), *_long(notes), *_rewritten(notes, files))
    open_ = (*_joining(filter(is_open, _pairs(by_age))), *filter(is_open, alone))
    listed = {hit.observation.id for task in open_ for hit in task.hits}
    left = [hit for hit in by_age if hit.observation.id in unused and hit.observation.id not in listed]
    return (*open_, *islice(filter(is_open, (Task((hit,), UNUSED) for hit in left)), _MOST_UNUSED))


def unused(notes: Sequence[Hit], log: Sequence[Activity], now: datetime) -> frozenset[UUID]:
    """Return the ids of a project's notes that are old and in no entry for long; none if the log is too short.

    Args:
        notes: Live notes; what holds everywhere may be used elsewhere.
        log: Entries since `UNUSED_FOR` and `RECORDED_BEFORE`.
        now: The present time.
    """
    since = now - UNUSED_FOR
    if all(each.at > since for each in log):
        return frozenset()
    used = {id for each in log if each.at > since for id in each.memories}
    old = (hit.observation.id for hit in notes if not hit.everywhere and hit.observation.created_at <= since)
    return frozenset(id for id in old if id.hex not in used)


def _age(hit: Hit) -> tuple[object, int]:
    return hit.observation.occurred_at, hit.observation.sequence


def _pairs(notes: Sequence[Hit]) -> Iterator[Task]:
    """Yield pairs of notes about the same, those that share most first."""
    texts = [hit.observation.content for hit in notes]
    for alike, older, newer in sorted(_alike([_stems(text) for text in texts]), reverse=True):
        corrected = corrects(texts[newer], texts[older])
        if corrected or (alike >= weights.LEAST_SAME and not _are_items(texts[older], texts[newer])):
            yield Task((notes[older], notes[newer]), CORRECTED if corrected else ALIKE)


def _joining(pairs: Iterable[Task]) -> Iterator[Task]:
    """Yield the pairs of notes that earlier pairs don't join: n notes that say the same are n - 1 entries."""
    groups: dict[UUID, set[UUID]] = {}
    for pair in pairs:
        one, other = (groups.setdefault(hit.observation.id, {hit.observation.id}) for hit in pair.hits)
        if one is not other:
            one |= other
            groups.update(dict.fromkeys(other, one))
            yield pair


def _alike(notes: Sequence[Sequence[str]]) -> Iterator[tuple[float, int, int]]:
    """Yield pairs with the share of their words that both have, rare words first: Dice's coefficient by IDF."""
    holding = defaultdict[str, list[int]](list)
    for number, words in enumerate(notes):
        for word in dict.fromkeys(words):
            holding[word].append(number)
    worth = {word: math.log((len(notes) + 1) / len(numbers)) for word, numbers in holding.items()}
    whole = [math.fsum(worth[word] for word in set(words)) for words in notes]
    shared = defaultdict[tuple[int, int], float](float)
    for word, numbers in holding.items():
        if len(numbers) <= _COMMON:
            for pair in combinations(numbers, 2):
                shared[pair] += worth[word]
    for (older, newer), common in shared.items():
        alike = round(2 * common / (whole[older] + whole[newer]), _EXACT_DIGITS)
        if alike >= weights.LEAST_RELATED:
            yield alike, older, newer


def _are_items(older: str, newer: str) -> bool:
    """Return True if two notes are items of a list: the same words in the same order, but for two parts."""
    old, new = (_stems(text)[:MOST_WORDS] for text in (older, newer))
    parts = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    in_order = sum(end - start for tag, start, end, *_ in parts if tag == "equal")
    replaced = sum(tag == "replace" for tag, *_ in parts)
    return replaced > 1 and in_order >= _IN_ORDER * len({*old} & {*new})


def _stems(text: str) -> Sequence[str]:
    """Return the stems of the telling words of a text, in order."""
    return stems(_WORD.findall(text), language_of(text))


def _gone(notes: Sequence[Hit], files: Mapping[UUID, Mapping[str, FileState]]) -> Iterator[Task]:
    for hit in notes:
        states = files.get(hit.observation.id, {})
        gone = {path for path, state in states.items() if state.freshness is Freshness.GONE}
        if gone and gone == {change.path for change in hit.observation.changes}:
            yield Task((hit,), GONE)


def _rewritten(notes: Sequence[Hit], files: Mapping[UUID, Mapping[str, FileState]]) -> Iterator[Task]:
    for hit in notes:
        for path, state in files.get(hit.observation.id, {}).items():
            if (state.commits or 0) >= _MANY_COMMITS:
                yield Task((hit,), REWRITTEN.format(path=path, commits=state.commits))
                break


def _long(notes: Sequence[Hit]) -> Iterator[Task]:
    for hit in notes:
        content = hit.observation.content
        if len(content) >= _LONG_CHARACTERS and len(_PART.split(content)) >= _LEAST_PARTS:
            yield Task((hit,), LONG)
