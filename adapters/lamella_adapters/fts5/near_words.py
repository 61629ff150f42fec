"""Near words: words of a project that an unknown query word may mean, despite typos or inflections."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

MOST_CANDIDATES = 2_000
"""Maximum number of words with a given prefix to compare, in order of code points."""

MOST_NEAR = 4
"""Maximum number of near words for one query word."""

_LEAST_LENGTH = 5
"""Minimum length of a query word that has near words. Shorter words resemble too many other words by chance."""

_LONG = 8
"""Minimum length of words that may have two typos. Shorter words may have one."""

_LEAST_BEGINNING = 5
"""Minimum length of the common prefix of related words, such as `verbindung` and `verbindungen`."""

_BEGINNING_SHARE = 0.6
"""Minimum length of the common prefix of related words, as a share of the longer word."""

_LONGEST_COMPOUND = 64

_LEAST_JOINED = 4
"""Minimum number of letters that a compound adds to its first part. Fewer letters are probably an ending."""

_LEAST_PART = 5
"""Minimum length of a compound's part to search for, such as `verbindung` in `datenbankverbindung`."""


def neighbourhood(token: str) -> Iterator[tuple[str, str]]:
    """Yield the ranges of the vocabulary to search for misspellings of `token`.

    A range has all words with a prefix of two letters. A range is a pair: the prefix, and a bound greater than all
    of these words. The prefixes allow a typo in the first two letters.
    """
    if len(token) >= _LEAST_LENGTH and token.isalpha():
        first, second, third = token[0], token[1], token[2]
        for pair in dict.fromkeys((first + second, second + first, second + third, first + third)):
            yield beginning(pair)


def beginning(token: str) -> tuple[str, str]:
    """Return the range of words with the prefix `token`: an inclusive lower and an exclusive upper bound."""
    return token, token + "\U0010ffff"


def compounds(token: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Return the shortest compounds that begin with `token`. All `candidates` must begin with `token`."""
    least = len(token) + _LEAST_JOINED
    if len(token) < _LEAST_PART:
        return ()
    joined = [each for each in candidates if len(each) >= least and each.isalpha()]
    return tuple(islice(sorted(joined, key=lambda each: (len(each), each)), MOST_NEAR))


def parts(token: str) -> Collection[str]:
    """Return the suffixes of a word that may be the last part of a compound."""
    if not token.isalpha() or len(token) > _LONGEST_COMPOUND:
        return ()
    return [token[at:] for at in range(2, len(token) - _LEAST_PART + 1)]


def near_terms(token: str, candidates: Sequence[str]) -> tuple[str, ...]:
    """Return the candidates nearest to `token`.

    Choose the candidates with the fewest typos: insertions, deletions, substitutions and transpositions (optimal
    string alignment distance). If all candidates have too many typos, choose two kinds of candidates. The first
    are related words with the longest common prefix. The second are words that begin with `token`, and words that
    `token` begins or ends with.
    """
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - most queries have no unknown word

    most = 2 if len(token) >= _LONG else 1
    distances = {each: OSA.distance(token, each, score_cutoff=most) for each in candidates if each.isalpha()}
    nearest = min(distances.values(), default=most + 1)
    if nearest <= most:
        near = [each for each, distance in distances.items() if distance == nearest]
    else:
        near = [each for each in candidates if _is_kin(token, each)]
    return tuple(islice(sorted(near, key=lambda each: (-_common(token, each), each)), MOST_NEAR))


def _is_kin(token: str, other: str) -> bool:
    common, shorter = _common(token, other), min(len(token), len(other))
    if common >= max(_LEAST_BEGINNING, _BEGINNING_SHARE * max(len(token), len(other))):
        return True
    # One of the words may be a compound, and the other one its first or last part.
    return shorter >= _LEAST_PART and (common == shorter or token.endswith(other))


def _common(one: str, other: str) -> int:
    """Return the length of the common prefix of two words."""
    shared = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        shared += 1
    return shared
