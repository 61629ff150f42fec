"""Worklist of a review: contradicting, duplicate, outdated, long and unused notes, then other notes by subject."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice
from uuid import UUID

from attrs import frozen

from lamella.domain.embeddings.vector import Vector
from lamella.domain.memories.freshness import FileState, Freshness
from lamella.domain.memories.query import Hit
from lamella.domain.search import weights
from lamella.domain.search.alike import EXACT_DIGITS, groups, join, neighbours, shared_words, standing_out
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
"""Notes are listed as unused only if the activity log has an entry from this period, which ends `UNUSED_FOR` ago.

Without such an entry, the log may have begun too late to show that a note wasn't used for this long.
"""

_MOST_UNUSED = 10
"""Maximum number of unused notes to list, oldest first."""

_MANY_COMMITS = 10
"""Number of commits since a note's save after which a file counts as rewritten."""

_LEAST_TOGETHER, _MOST_TOGETHER = 3, 20
"""Minimum and maximum number of notes on one subject (see `bench/README.md`)."""

_LEAST_NEW = 10
"""Minimum number of unreviewed notes, not listed for another reason, before notes are listed by subject.

Fewer notes need no review, because a session sees more notes than this at its start.
"""

_LONG_CHARACTERS = 1_200
_LEAST_PARTS = 4
"""Minimum number of paragraphs or list items of a long note."""

_PART = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+#]|\d+[.)])\s)")

_WORD = re.compile(r"\w+")

_IN_ORDER = 0.8
"""Minimum share of the common words of two parallel list items that must be in the same order."""

_PARALLEL = 0.3
"""Minimum share of words that the shorter of two parallel list items has in common with the other."""

_SUBJECT = 2
"""Minimum number of first words that two notes on the same subject have in common."""


@frozen
class Compared:
    """Result of comparing notes.

    Attributes:
        notes: Id, content and keywords of each note, oldest first. `pairs` and `subjects` refer to notes by index.
        vectors: Mappings of note ids to vectors. A vector was compared only with vectors in the same mapping.
        pairs: Similar notes, each pair with the reason to review it. Pairs similar by words come first, then pairs
            similar by meaning, each group by falling similarity.
        subjects: Groups of notes on one subject.
    """

    notes: tuple[tuple[UUID, str, str], ...] = ()
    vectors: tuple[Mapping[UUID, Vector], ...] = ()
    pairs: Sequence[tuple[int, int, str]] = ()
    subjects: Sequence[Sequence[int]] = ()

    def of(self, notes: Sequence[Hit], vectors: Sequence[Mapping[UUID, Vector]]) -> bool:
        """Return True if this object compares the given notes with the given vectors."""
        return self.notes == _texts(notes) and self.vectors == tuple(vectors)


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
    compared: Compared,
    unused: Collection[UUID] = (),
) -> tuple[Task, ...]:
    """Return the open tasks of a review, the most certain first. A task is closed if all its memories were kept.

    Args:
        notes: Live notes.
        files: States of the changed files of each note.
        kept: Ids of notes reviewed and kept.
        compared: Comparison of the notes. It may be older than some notes, and then lacks pairs with these notes.
        unused: Ids of unused notes.
    """

    def is_open(task: Task) -> bool:
        return any(hit.observation.id not in kept for hit in task.hits)

    by_age = sorted(notes, key=_age)
    present = dict(zip(_texts(notes), by_age, strict=True))
    found = [present.get(each) for each in compared.notes]
    pairs = ((found[older], found[newer], reason) for older, newer, reason in compared.pairs)
    alike = (Task((older, newer), reason) for older, newer, reason in pairs if older and newer)
    alone = (*_gone(notes, files), *_long(notes), *_rewritten(notes, files))
    open_ = [*_joining(filter(is_open, alike)), *filter(is_open, alone)]
    left = [hit for hit in _without(by_age, open_) if hit.observation.id in unused]
    open_ += islice(filter(is_open, (Task((hit,), UNUSED) for hit in left)), _MOST_UNUSED)
    left = _without(by_age, open_)
    if sum(hit.observation.id not in kept for hit in left) >= _LEAST_NEW:
        unlisted = frozenset(map(id, left))
        together = (filter(None, map(found.__getitem__, each)) for each in compared.subjects)
        parts = (tuple(hit for hit in each if id(hit) in unlisted) for each in together)
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


def _texts(notes: Sequence[Hit]) -> tuple[tuple[UUID, str, str], ...]:
    said = (hit.observation for hit in sorted(notes, key=_age))
    return tuple((each.id, each.content, each.keywords) for each in said)


def compare(hits: Sequence[Hit], vectors: Sequence[Mapping[UUID, Vector]]) -> Compared:
    """Compare notes by their words, and by their vectors.

    Each comparison takes about half a second for 1,000 notes.
    """
    notes = _texts(hits)
    shared, whole = shared_words([frozenset(_stems(f"{text}\n{keywords}")) for _, text, keywords in notes])
    apart = {(older, newer) for _, older, newer in standing_out(shared, weights.LEAST_WORDS_NEARER)}
    pairs = []
    for older, others in shared.items():
        for newer, common in others.items():
            both = whole[older] + whole[newer]
            if older < newer and 2 * common >= weights.LEAST_RELATED * both:
                # Dice's coefficient, weighted by IDF.
                alike = round(2 * common / both, EXACT_DIGITS)
                old, new = notes[older][1], notes[newer][1]
                corrected, same = corrects(new, old), alike >= weights.LEAST_SAME or (older, newer) in apart
                if corrected or (same and not _are_items(old, new)):
                    pairs.append((alike, older, newer, CORRECTED if corrected else ALIKE))
    subjects = sorted(map(sorted, groups(shared, _MOST_TOGETHER)), key=max, reverse=True)
    listed = [(older, newer, reason) for _, older, newer, reason in sorted(pairs, reverse=True)]
    numbers = {id: number for number, (id, *_) in enumerate(notes)}
    near = {
        numbers[id]: {numbers[other]: cosine for other, cosine in others.items()}
        for each in vectors
        for id, others in neighbours(each).items()
    }
    listed += [
        (older, newer, ALIKE)
        for _, older, newer in sorted(standing_out(near, weights.LEAST_NEARER), reverse=True)
        if not _are_items(notes[older][1], notes[newer][1])
    ]
    return Compared(notes, tuple(vectors), listed, subjects)


def _joining(pairs: Iterable[Task]) -> Iterator[Task]:
    """Yield pairs whose notes aren't connected by earlier pairs yet. So n duplicates become n - 1 tasks."""
    joined: dict[UUID, set[UUID]] = {}
    return (pair for pair in pairs if join(joined, (hit.observation.id for hit in pair.hits)))


def _are_items(older: str, newer: str) -> bool:
    """Return True if two notes are parallel items of a list: similar notes that differ in at least two parts.

    Return False if the notes have few words in common, because a few words are in the same order by chance. Also
    return False if the notes begin with the same subject and first differ in a number: then the newer note changes
    a value.
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


@lru_cache(maxsize=2_048)
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
