"""Words of a project that are near to one that it does not have: typos, inflections, parts of compounds."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

MOST_CANDIDATES = 2_000
"""Words of a project with the same beginning that are compared with one, in order of code points."""

MOST_NEAR = 4
"""Nearest words that stand in for one."""

_LEAST_LENGTH = 5
"""Shorter words have too many near ones by chance."""

_LONG = 8
"""A word of so many letters may differ in two, a shorter one in one."""

_LEAST_BEGINNING = 5
"""Letters that words of one family share at their beginning, at least, and..."""

_BEGINNING_SHARE = 0.6
"""... this share of the longer one (`verbindung`, `verbindungen`)."""

_LONGEST_COMPOUND = 64

_LEAST_JOINED = 4
"""Letters that make a word a compound rather than another ending."""

_LEAST_PART = 5
"""Letters of a part that stands for a whole compound (`verbindung` in `datenbankverbindung`)."""


def neighbourhood(token: str) -> Iterator[tuple[str, str]]:
    """Yield the beginnings of words that may be near, each as its first word and the first one after it.

    The first two letters may be swapped, or one of them missing or added.
    """
    if len(token) >= _LEAST_LENGTH and token.isalpha():
        first, second, third = token[0], token[1], token[2]
        for pair in dict.fromkeys((first + second, second + first, second + third, first + third)):
            yield beginning(pair)


def beginning(token: str) -> tuple[str, str]:
    """Return the first word that begins with `token`, and the first one after all of them."""
    return token, token + "\U0010ffff"


def compounds(token: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Return the shortest words among the candidates, which begin with `token`, that join another word to it."""
    least = len(token) + _LEAST_JOINED
    if len(token) < _LEAST_PART:
        return ()
    joined = [each for each in candidates if len(each) >= least and each.isalpha()]
    return tuple(islice(sorted(joined, key=lambda each: (len(each), each)), MOST_NEAR))


def parts(token: str) -> Collection[str]:
    """Return the ends of a long word, which may be words by themselves."""
    if not token.isalpha() or len(token) > _LONGEST_COMPOUND:
        return ()
    return [token[at:] for at in range(2, len(token) - _LEAST_PART + 1)]


def near_terms(token: str, candidates: Sequence[str]) -> tuple[str, ...]:
    """Return the words among the candidates that are nearest to `token`.

    These are the ones with fewest typos (insertion, deletion, substitution, swap of neighbours: optimal string
    alignment); without any, those with the longest common beginning or, in a compound, its end.
    """
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - most questions have no unknown word

    most = 2 if len(token) >= _LONG else 1
    distances = {each: OSA.distance(token, each, score_cutoff=most) for each in candidates if each.isalpha()}
    nearest = min(distances.values(), default=most + 1)
    if nearest <= most:
        near = [each for each, distance in distances.items() if distance == nearest]
        return tuple(islice(sorted(near, key=lambda each: (-_common(token, each), each)), MOST_NEAR))
    kin = [each for each in candidates if _is_kin(token, each)]
    return tuple(islice(sorted(kin, key=lambda each: (-_common(token, each), each)), MOST_NEAR))


def _is_kin(token: str, other: str) -> bool:
    common, shorter = _common(token, other), min(len(token), len(other))
    if common >= max(_LEAST_BEGINNING, _BEGINNING_SHARE * max(len(token), len(other))):
        return True
    # One of them is the beginning of the other, or its end.
    return shorter >= _LEAST_PART and (common == shorter or token.endswith(other))


def _common(one: str, other: str) -> int:
    """Return the number of letters that two words share at their beginning."""
    shared = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        shared += 1
    return shared
