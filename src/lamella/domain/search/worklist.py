"""Worklist of a review: contradicting, duplicate, outdated, long and unused notes, then all others by subject."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from uuid import UUID

from attrs import frozen

from lamella.domain.memories.freshness import FileState, Freshness
from lamella.domain.memories.query import Hit
from lamella.domain.search import weights
from lamella.domain.search.alike import EXACT_DIGITS, Near, groups, join, shared_words, standing_out
from lamella.domain.search.corrections import MOST_WORDS, corrects
from lamella.domain.text.languages.latin import language_of
from lamella.domain.text.languages.stems import stems

CORRECTED = "the second seems to correct the first"
ALIKE = "they say much the same, or contradict each other"
GONE = "all its files are gone"
REWRITTEN = "{path} was changed by {commits} commits since"
LONG = "it is long and says several things"
UNUSED = "not shown or recalled for half a year"
ONE_SUBJECT = "they are on one subject, and some may repeat or contradict each other in other words"

UNUSED_FOR = timedelta(days=180)
RECORDED_BEFORE = timedelta(days=30)
"""Notes are listed as unused only if the activity log is older than `UNUSED_FOR` by at least this time.

A younger log can't show that a note wasn't used.
"""

_MOST_UNUSED = 10
"""Maximum number of unused notes to list, oldest first."""

_MANY_COMMITS = 10
"""Number of commits since a note's save after which a file counts as rewritten."""

_LEAST_TOGETHER, _MOST_TOGETHER = 3, 20
"""Minimum and maximum number of notes on one subject (see `bench/README.md`)."""

_LEAST_NEW = 10
"""Notes are listed by subject only if at least this number are neither kept nor listed for another reason.

A smaller number needs no review, because a session is shown more notes than this at its start.
"""

_LONG_CHARACTERS = 1_200
_LEAST_PARTS = 4
"""Minimum number of paragraphs or list items of a long note."""

_PART = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+#]|\d+[.)])\s)")

_WORD = re.compile(r"\w+")

_IN_ORDER = 0.8
"""Minimum share of the common words of parallel list items that come in the same order in both items."""

_PARALLEL = 0.3
"""Minimum share of the shorter item's words that a parallel list item contains."""

_SUBJECT = 2
"""Minimum number of first words in common for the same subject."""


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
    near: Near[UUID] = MappingProxyType({}),
) -> tuple[Task, ...]:
    """Return the open tasks of a review, the most certain first. A task is closed if all its memories were kept.

    Args:
        notes: Live notes.
        files: States of the changed files of each note.
        kept: Ids of notes reviewed and kept.
        unused: Ids of unused notes.
        near: Cosines of the notes nearest to each, by id. Empty without a model.
    """

    def is_open(task: Task) -> bool:
        return any(hit.observation.id not in kept for hit in task.hits)

    by_age = sorted(notes, key=_age)
    texts = tuple((hit.observation.content, hit.observation.keywords) for hit in by_age)
    pairs, subjects = _by_words(texts)
    alike = (Task((by_age[older], by_age[newer]), reason) for older, newer, reason in pairs)
    alone = (*_gone(notes, files), *_long(notes), *_rewritten(notes, files))
    open_ = [*_joining(filter(is_open, (*alike, *_by_meaning(by_age, near)))), *filter(is_open, alone)]
    left = [hit for hit in _without(by_age, open_) if hit.observation.id in unused]
    open_ += islice(filter(is_open, (Task((hit,), UNUSED) for hit in left)), _MOST_UNUSED)
    left = _without(by_age, open_)
    if sum(hit.observation.id not in kept for hit in left) >= _LEAST_NEW:
        unlisted = frozenset(map(id, left))
        parts = (tuple(hit for hit in map(by_age.__getitem__, each) if id(hit) in unlisted) for each in subjects)
        open_ += filter(is_open, (Task(part, ONE_SUBJECT) for part in parts if len(part) >= _LEAST_TOGETHER))
    return tuple(open_)


def _without(notes: Iterable[Hit], tasks: Iterable[Task]) -> list[Hit]:
    listed = {hit.observation.id for task in tasks for hit in task.hits}
    return [hit for hit in notes if hit.observation.id not in listed]


def old(notes: Sequence[Hit], now: datetime) -> frozenset[UUID]:
    """Return the ids of notes old enough to be unused.

    Global notes are left out, because other projects may use them.
    """
    since = now - UNUSED_FOR
    return frozenset(
        hit.observation.id for hit in notes if not hit.everywhere and hit.observation.created_at <= since
    )


def _age(hit: Hit) -> tuple[object, int]:
    return hit.observation.occurred_at, hit.observation.sequence


def _by_meaning(notes: Sequence[Hit], near: Near[UUID]) -> Iterator[Task]:
    """Yield pairs of notes with similar meanings."""
    numbers = {hit.observation.id: number for number, hit in enumerate(notes)}
    known = {
        numbers[id]: {numbers[other]: cosine for other, cosine in others.items()} for id, others in near.items()
    }
    for _, *pair in sorted(standing_out(known, weights.LEAST_NEARER), reverse=True):
        older, newer = (notes[number] for number in pair)
        if not _are_items(older.observation.content, newer.observation.content):
            yield Task((older, newer), ALIKE)


@lru_cache(maxsize=4)
def _by_words(texts: Sequence[tuple[str, str]]) -> tuple[Sequence[tuple[int, int, str]], Sequence[Sequence[int]]]:
    """Return pairs of similar notes with the reason to review them, and groups of notes on one subject.

    Notes are given by their index. The most similar pair comes first. Cached, because this takes most of the time
    of a review, and notes seldom change between two reviews.

    Args:
        texts: Content and keywords of each note.
    """
    shared, whole = shared_words([frozenset(_stems(f"{text}\n{keywords}")) for text, keywords in texts])
    apart = {(older, newer) for _, older, newer in standing_out(shared, weights.LEAST_WORDS_NEARER)}
    pairs = []
    for older, others in shared.items():
        for newer, common in others.items():
            both = whole[older] + whole[newer]
            if older < newer and 2 * common >= weights.LEAST_RELATED * both:
                # Dice's coefficient, weighted by IDF.
                alike = round(2 * common / both, EXACT_DIGITS)
                old, new = texts[older][0], texts[newer][0]
                corrected, same = corrects(new, old), alike >= weights.LEAST_SAME or (older, newer) in apart
                if corrected or (same and not _are_items(old, new)):
                    pairs.append((alike, older, newer, CORRECTED if corrected else ALIKE))
    subjects = sorted(map(sorted, groups(shared, _MOST_TOGETHER)), key=max, reverse=True)
    return [(older, newer, reason) for _, older, newer, reason in sorted(pairs, reverse=True)], subjects


def _joining(pairs: Iterable[Task]) -> Iterator[Task]:
    """Yield pairs whose notes aren't connected by earlier pairs yet. So n duplicates become n - 1 tasks."""
    joined: dict[UUID, set[UUID]] = {}
    return (pair for pair in pairs if join(joined, (hit.observation.id for hit in pair.hits)))


def _are_items(older: str, newer: str) -> bool:
    """Return True if two notes are parallel items of a list, with the same words in order except in two parts.

    Return False if they have few words in common, because these are in the same order by chance. Also return False
    if they begin with the same subject and first differ in a number, because then a value has changed.
    """
    old, new = (_stems(text)[:MOST_WORDS] for text in (older, newer))
    words = enumerate(zip(old, new, strict=False))
    same, values = next(((place, one + other) for place, (one, other) in words if one != other), (0, ""))
    if same >= _SUBJECT and values.isdigit():
        return False
    common = len({*old} & {*new})
    if common < _PARALLEL * min(len({*old}), len({*new})):
        return False
    parts = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    in_order = sum(end - start for tag, start, end, *_ in parts if tag == "equal")
    replaced = sum(tag == "replace" for tag, *_ in parts)
    return replaced > 1 and in_order >= _IN_ORDER * common


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
