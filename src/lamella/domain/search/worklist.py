"""Worklist of a review: contradicting, duplicate, outdated, long and unused notes."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import chain, islice
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
"""The log must be older than `UNUSED_FOR` by at least this time.

A younger log can't show whether a note was used.
"""

_MOST_UNUSED = 10
"""Maximum number of unused notes to list, oldest first."""

_MANY_COMMITS = 10
"""Commits after which a file counts as rewritten."""

_LONG_CHARACTERS = 1_200
_LEAST_PARTS = 4
"""Minimum number of paragraphs or list items of a long note."""

_PART = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+#]|\d+[.)])\s)")

_WORD = re.compile(r"\w+")

_COMMON = 50
"""Maximum number of notes with a word. A more common word says little about a note's subject."""

_IN_ORDER = 0.8
"""Minimum share of common words in the same order between parallel items of a list."""

_SUBJECT = 2
"""Minimum number of first words in common for the same subject."""

_EXACT_DIGITS = 9
"""Decimal places to round similarities to, so that they don't depend on the order of summation."""


@frozen
class Task:
    """Entry of a worklist.

    Attributes:
        hits: Memories to review together, oldest first.
        reason: Reason for listing them.
    """

    hits: tuple[Hit, ...]
    reason: str


def worklist(
    notes: Sequence[Hit],
    files: Mapping[UUID, Mapping[str, FileState]],
    kept: Collection[UUID],
    unused: Collection[UUID] = (),
) -> tuple[Task, ...]:
    """Return the open tasks of a review, the most certain first. A task is closed if all its memories were kept.

    Args:
        notes: Live notes.
        files: States of the changed files of each note.
        kept: Ids of notes reviewed and kept.
        unused: Ids of unused notes.
    """

    def is_open(task: Task) -> bool:
        return any(hit.observation.id not in kept for hit in task.hits)

    by_age = sorted(notes, key=_age)
    alone = (*_gone(notes, files), *_long(notes), *_rewritten(notes, files))
    open_ = (*_joining(filter(is_open, _pairs(by_age))), *filter(is_open, alone))
    listed = {hit.observation.id for task in open_ for hit in task.hits}
    left = [hit for hit in by_age if hit.observation.id in unused and hit.observation.id not in listed]
    return (*open_, *islice(filter(is_open, (Task((hit,), UNUSED) for hit in left)), _MOST_UNUSED))


def old(notes: Sequence[Hit], now: datetime) -> frozenset[UUID]:
    """Return the ids of notes old enough to be unused.

    Leave out global notes, because other projects may use them.
    """
    since = now - UNUSED_FOR
    return frozenset(
        hit.observation.id for hit in notes if not hit.everywhere and hit.observation.created_at <= since
    )


def unused(aged: Collection[UUID], log: Sequence[Activity], now: datetime) -> frozenset[UUID]:
    """Return the ids of old notes without recent log entries. Empty if the log is too young.

    Args:
        aged: Ids of old notes.
        log: Entries of the last `UNUSED_FOR` and `RECORDED_BEFORE`.
        now: Current time.
    """
    since = now - UNUSED_FOR
    if all(each.at > since for each in log):
        return frozenset()
    used = {id for each in log if each.at > since for id in each.memories}
    return frozenset(id for id in aged if id.hex not in used)


def _age(hit: Hit) -> tuple[object, int]:
    return hit.observation.occurred_at, hit.observation.sequence


def _pairs(notes: Sequence[Hit]) -> Iterator[Task]:
    """Yield pairs of similar notes, the most similar first."""
    for older, newer, reason in _similar(tuple(hit.observation.content for hit in notes)):
        yield Task((notes[older], notes[newer]), reason)


@lru_cache(maxsize=4)
def _similar(texts: Sequence[str]) -> Sequence[tuple[int, int, str]]:
    """Return the numbers of similar texts with the reason, the most similar first.

    Cached, because it takes most of the time of a review, and notes seldom change between two.
    """
    pairs = []
    for alike, older, newer in sorted(_alike([_stems(text) for text in texts]), reverse=True):
        corrected = corrects(texts[newer], texts[older])
        if corrected or (alike >= weights.LEAST_SAME and not _are_items(texts[older], texts[newer])):
            pairs.append((older, newer, CORRECTED if corrected else ALIKE))
    return pairs


def _joining(pairs: Iterable[Task]) -> Iterator[Task]:
    """Yield pairs that aren't already connected by earlier pairs, so that n duplicates become n - 1 tasks."""
    groups: dict[UUID, set[UUID]] = {}
    for pair in pairs:
        one, other = (groups.setdefault(hit.observation.id, {hit.observation.id}) for hit in pair.hits)
        if one is not other:
            one |= other
            groups.update(dict.fromkeys(other, one))
            yield pair


def _alike(texts: Iterable[Iterable[str]]) -> Iterator[tuple[float, int, int]]:
    """Yield pairs of notes, given by their words, with their similarity: Dice's coefficient, weighted by IDF.

    Counting words in common is fast, and rules out nearly all pairs: IDF then matters little: a word shared by two
    notes weighs at most as much as a word of one note.
    """
    notes = [*map(frozenset, texts)]
    held = Counter(chain.from_iterable(notes))
    worth = {word: math.log((len(notes) + 1) / count) for word, count in held.items()}
    whole = [math.fsum(map(worth.__getitem__, words)) for words in notes]
    most = math.log((len(notes) + 1) / 2)
    earlier: dict[str, list[int]] = {word: [] for word, count in held.items() if 1 < count <= _COMMON}
    for newer, words in enumerate(notes):
        telling = words & earlier.keys()
        least = weights.LEAST_RELATED * whole[newer]
        for older, common in Counter(chain.from_iterable(map(earlier.__getitem__, telling))).items():
            if 2 * common * most >= least:
                shared = math.fsum(worth[word] for word in telling & notes[older])
                alike = round(2 * shared / (whole[older] + whole[newer]), _EXACT_DIGITS)
                if alike >= weights.LEAST_RELATED:
                    yield alike, older, newer
        for word in telling:
            earlier[word].append(newer)


def _are_items(older: str, newer: str) -> bool:
    """Return True if two notes are parallel items of a list, with the same words in order except in two parts.

    Notes that begin with the same subject and first differ in a number are not parallel items: a value has
    changed.
    """
    old, new = (_stems(text)[:MOST_WORDS] for text in (older, newer))
    words = enumerate(zip(old, new, strict=False))
    same, values = next(((place, one + other) for place, (one, other) in words if one != other), (0, ""))
    if same >= _SUBJECT and values.isdigit():
        return False
    parts = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    in_order = sum(end - start for tag, start, end, *_ in parts if tag == "equal")
    replaced = sum(tag == "replace" for tag, *_ in parts)
    return replaced > 1 and in_order >= _IN_ORDER * len({*old} & {*new})


@lru_cache(maxsize=1_024)
def _stems(text: str) -> Sequence[str]:
    """Return the stems of the words in a text in order, without stop words. Cached for the next review."""
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
