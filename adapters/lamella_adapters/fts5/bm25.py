"""Ranking shared by all storages: query phrases, BM25 scores, and details of a match.

Tokens come from FTS5's own tokenizer (through APSW), because a second implementation of Unicode 6.1 word splitting
and Porter stemming would differ on 2 to 3 % of tokens. Scores are equal to FTS5's to the last bit if FTS5 sums the
terms in the order of `terms`, too.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from attrs import frozen

from lamella.domain.memories.query import Span
from lamella.domain.search.dates import is_date_word
from lamella.domain.search.strength import rarity, strength
from lamella.domain.search.weights import COLUMN_WEIGHTS, DATE_WEIGHT
from lamella.domain.text.words import Word
from lamella_adapters.fts5.tokens import idf, joined, occurrences, places_in, quoted
from lamella_adapters.fts5.tokens import tokens as tokens  # noqa: PLC0414 - storages import it from here with the other functions

K1, B = 1.2, 0.75
"""BM25's constants, as FTS5 fixes them (sqlite.org/fts5.html, "The bm25() function")."""

ESSENTIAL_SHARE = 0.03
"""Maximum document frequency of an essential term (see `sqlite.search.ranking`), as a share of all rows.

In a measurement, this was the best threshold.
"""

LARGE_PROJECT = 1_000
"""Minimum size of a project, in rows, for treating a word in half of the rows as a stop word.

In a small project, half of the rows may be only a handful.
"""

NEAR_FACTOR = 2
"""Weight of a query word in ranking, as a multiple of the weight of a near word."""

NEAR_TELLS = 1 / 3
"""Information of the best near word, as a share of the query word's information.

The second-best near word has half of this share, the third-best a third.

Measured: with 1/2, or with equal shares for all near words, more answers to unrelated questions look strong.
"""


@frozen
class Phrase:
    """Form of a query word.

    Attributes:
        text: The form as a string literal for FTS5.
        tokens: Tokens of the form.
        weight: Number of times that the form counts in a score.
    """

    text: str
    tokens: tuple[str, ...]
    weight: int = 1


@lru_cache(maxsize=4_096)
def forms(word: Word) -> tuple[tuple[str, ...], ...]:
    """Return the tokens of each form of a word, except forms without tokens. The result is cached."""
    return tuple(made for form in word.forms if (made := form_tokens(form)))


def most_holders(forms: Iterable[Iterable[str]], holders: Callable[[str], int]) -> int:
    """Return an upper bound for the number of rows with a word, given the number of rows with each token."""
    return max((min(map(holders, form)) for form in forms), default=0)


def phrases(words: Sequence[Word]) -> tuple[Phrase, ...]:
    """Return phrases for all forms of the words and of their near words. Forms with equal tokens occur once.

    Dates have double weight. If any word has near words, all exact forms have double weight compared to near
    words.
    """
    known = NEAR_FACTOR if any(word.near for word in words) else 1
    unique = {form_tokens(form): Phrase(quoted(form), form_tokens(form)) for word in words for form in word.near}
    for word in words:
        weight = known * (DATE_WEIGHT if is_date_word(word.forms[0]) else 1)
        for form in reversed(word.forms):
            unique[form_tokens(form)] = Phrase(quoted(form), form_tokens(form), weight)
    unique.pop((), None)
    return tuple(unique.values())


def terms(found: Sequence[Phrase], holders: Callable[[str], int], rows: int) -> list[Phrase]:
    """Return the phrases to rank a query by, rarest first. A phrase occurs as often as its weight.

    Equally rare phrases are in the order of their tokens.

    The rarity of a phrase is the rarity of its rarest token. To count the rows of the whole phrase, a search would
    be needed. A phrase is left out if one of its tokens is in no row. In a large project, a phrase in half of the
    rows or more is left out, too, unless the query has no other phrase. Every storage sums scores in this order.
    Otherwise, floating-point sums could differ between storages, and with them the order of equal scores.

    Args:
        found: Phrases of the query.
        holders: Returns the number of rows with a token.
        rows: Number of rows in the project.
    """
    held = {each: min(map(holders, each.tokens)) for each in found}
    present = sorted((each for each in found if held[each]), key=lambda each: (held[each], each.tokens))
    if rows >= LARGE_PROJECT:
        present = [each for each in present if 2 * held[each] < rows] or present
    return [each for each in present for _ in range(each.weight)]


def highest_score(hits: float, rows: int) -> float:
    """Return an upper bound of `gain`, a term's share in a score. `gain` is less than the IDF times `K1 + 1`."""
    return (K1 + 1) * idf(hits, rows)


def bm25(columns: Sequence[Sequence[str]], terms: Sequence[tuple[Phrase, float]], average_length: float) -> float:
    """Return the BM25 score of a row.

    Args:
        columns: Tokens of each column.
        terms: Phrases and their IDF, in the order to sum them.
        average_length: Average number of tokens of a row.
    """
    norm = K1 * (1 - B + B * sum(map(len, columns)) / average_length)
    # Most columns lack most phrases. Checking a set first avoids a linear search.
    weighed = [*zip(COLUMN_WEIGHTS, columns, map(frozenset, columns), strict=True)]
    score = 0.0
    for phrase, weight in terms:
        frequency = 0.0
        for column_weight, column, present in weighed:
            if phrase.tokens[0] in present:
                for _ in occurrences(column, phrase.tokens):
                    frequency += column_weight
        score += gain(weight, frequency, norm)
    return score


def gain(idf: float, frequency: float, norm: float) -> float:
    """Return a term's share in a score. `frequency` is the sum of the column weights of its occurrences."""
    return idf * ((frequency * (K1 + 1)) / (frequency + norm))


@frozen(kw_only=True)
class MatchDetails:
    """Details of how an observation matches a query.

    Attributes:
        strength: Strength of the match, from 0 to 1; see `strength`.
        spans: Spans of the query's words in the content, in order.
        own: True if a text of the observation itself matches, not only its context.
        held: Information of each matched word, keyed by the word as written in the query.
    """

    strength: float
    spans: tuple[Span, ...]
    own: bool
    held: Mapping[str, float]


@frozen
class Sought:
    """Word of a query, prepared for searches in many texts.

    Attributes:
        alternatives: Groups of forms, best first, each with a factor: 1 for exact forms, `NEAR_TELLS / n` for the
            nth near word. Empty groups are left out. A form is a pair: its tokens, and these tokens joined into
            one text (see `joined`).
        spellings: A pair for each form: its text in lower case, and its text as written. Both texts are searched
            for inside longer tokens.
    """

    alternatives: Sequence[tuple[float, Sequence[tuple[Sequence[str], str]]]]
    spellings: Sequence[tuple[str, str]]

    @classmethod
    def of(cls, word: Word) -> "Sought":
        """Prepare a query word."""
        near = ((NEAR_TELLS / place, (form_tokens(form),)) for place, form in enumerate(word.near, 1))
        groups = ((1.0, forms(word)), *near)
        alternatives = [(share, [(each, joined(each)) for each in made]) for share, made in groups]
        return cls(alternatives, spellings=[(form.lower(), form) for form in word.forms])


def explain(
    words: Sequence[Sought],
    information: Sequence[float],
    rows: int,
    content: str,
    others: Sequence[str],
    *,
    keywords: str = "",
) -> MatchDetails:
    """Return the details of how an observation matches a query.

    Args:
        words: Words of the query.
        information: Information of each word; see `information`.
        rows: Number of rows in the project.
        content: Content of the observation.
        others: The other texts of the observation itself: title, hidden forms (see `domain.search.indexing`) and
            heading.
        keywords: Keywords of the observation. They are part of the heading, but their tokens are counted in the
            length of the content.
    """
    places = places_in(content)
    content_tokens = [token for _, _, token in places]
    said, folded = joined(content_tokens), content.lower()
    spans: list[Span] = []
    held: dict[str, float] = {}
    elsewhere = ""
    for number, (word, weight) in enumerate(zip(words, information, strict=True)):
        here: list[Span] = []
        for share, made in word.alternatives:
            here = [
                Span(places[at][0], places[at + len(form) - 1][1], number)
                for form, text in made
                if text in said
                for at in occurrences(content_tokens, form)
            ]
            if not here:
                # Tokenize the other texts only if the content lacks a word.
                elsewhere = elsewhere or joined(*map(tokens, others))
            if here or any(text in elsewhere for _, text in made):
                held[word.spellings[0][1]] = share * weight
                break
        spans += here or [
            Span(match.start(), match.end(), number)
            for lower, form in word.spellings
            if lower in folded
            for match in re.finditer(re.escape(form), content, re.IGNORECASE)
        ]
    spans.sort()
    length = len(places) + (len(tokens(keywords)) if keywords else 0)
    found = strength(sum(held.values()), information, length=length, rows=rows)
    return MatchDetails(strength=found, spans=tuple(spans), own=bool(held), held=held)


def information(words: Sequence[Word], hits: Callable[[str], int], rows: int) -> tuple[float, ...]:
    """Return the information of each query word. The rarer a word, the higher is its information.

    If the query has other words than dates, dates have the information 0. A word in no row has the information of
    a word in one row, so that strengths are comparable between small and large projects. A word without tokens has
    the information 0.

    Args:
        words: Words of the query.
        hits: Returns the number of rows with a token.
        rows: Number of rows in the project.
    """
    rarities = [rarity(max(1, most_holders(made, hits)), rows) if made else 0.0 for made in map(forms, words)]
    dates = {word for word in words if is_date_word(word.forms[0])}
    if all(word.forms[0].isdecimal() for word in dates):
        dates = set()  # a number without a month may be something other than a year
    besides = [0.0 if word in dates else each for word, each in zip(words, rarities, strict=True)]
    return tuple(besides if any(besides) else rarities)


@lru_cache(maxsize=4_096)
def form_tokens(form: str) -> tuple[str, ...]:
    """Return the tokens of a form. The result is cached."""
    return tuple(tokens(form))
