"""Ranking that all storages share: FTS5's tokens, phrases, BM25, and the reason of a match.

The tokens come from FTS5's own tokenizer (through APSW), because a second implementation of Unicode 6.1 word
splitting and Porter stemming would differ on 2 to 3 % of tokens. BM25 computed here from these tokens agrees with
FTS5's to the last bit, as long as both add up the terms in the same order: that of `terms`.
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
from lamella_adapters.fts5.tokens import tokens as tokens  # noqa: PLC0414 - storages find it beside the rest

K1, B = 1.2, 0.75
"""BM25's constants, as FTS5 fixes them (sqlite.org/fts5.html, "The bm25() function")."""

ESSENTIAL_SHARE = 0.03
"""Maximum share of the rows that contain an essential term; measured as the best place to split a query."""

LARGE_PROJECT = 1_000
"""Minimum rows to treat words in half of them as stop words; in fewer rows, half may be a handful."""

NEAR_FACTOR = 2
"""Number of near words that count as much as one word of the question in ranking."""

NEAR_TELLS = 1 / 3
"""Share of a word's information that a near one holds (measured: with a half, too many answers look strong)."""


@frozen
class Phrase:
    """A form of a query word, as a string literal for FTS5 and as the tokens of its text.

    It counts `weight` times.
    """

    text: str
    tokens: tuple[str, ...]
    weight: int = 1


@lru_cache(maxsize=4_096)
def forms(word: Word) -> tuple[tuple[str, ...], ...]:
    """Return the tokens of each form of a word that has any; cached because a plan asks for them at each step."""
    return tuple(made for form in word.forms if (made := form_tokens(form)))


def most_holders(forms: Iterable[Iterable[str]], holders: Callable[[str], int]) -> int:
    """Return the most rows that can hold a word with these `forms`, from the number of rows with each token."""
    return max((min(map(holders, form)) for form in forms), default=0)


def phrases(words: Sequence[Word]) -> tuple[Phrase, ...]:
    """Return every form of `words` that has tokens, without repeating forms with equal tokens.

    Dates count double; where near words stand in for unknown ones, everything else counts double again.
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
    """Return the phrases to rank a query by, rarest first, then by tokens, each as often as it counts.

    A phrase is as rare as its rarest token: to count its rows takes a search of its own. Phrases with a token that
    no row has are left out. In a large project, phrases in half of the rows or more are its own stop words and are
    left out too, unless no others remain. Every storage adds up scores in this order, because floating-point sums,
    and so ties, depend on it.

    Args:
        found: The phrases of the query.
        holders: Function that returns the number of rows with a token.
        rows: Number of rows in the project.
    """
    held = {each: min(map(holders, each.tokens)) for each in found}
    present = sorted((each for each in found if held[each]), key=lambda each: (held[each], each.tokens))
    if rows >= LARGE_PROJECT:
        present = [each for each in present if 2 * held[each] < rows] or present
    return [each for each in present for _ in range(each.weight)]


def highest_score(hits: float, rows: int) -> float:
    """Return the maximum that a term can add to a score, as its frequency saturates at `K1 + 1`."""
    return (K1 + 1) * idf(hits, rows)


def bm25(columns: Sequence[Sequence[str]], terms: Sequence[tuple[Phrase, float]], average_length: float) -> float:
    """Return the score of a row with these tokens by column, for `terms` and their idf in the given order."""
    norm = length_norm(sum(map(len, columns)), average_length)
    # Most columns lack most phrases, which a set knows without a search.
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


def length_norm(length: int, average_length: float) -> float:
    """Return BM25's normalisation for the length of a row in tokens, to pass to `gain`."""
    return K1 * (1 - B + B * length / average_length)


def gain(idf: float, frequency: float, norm: float) -> float:
    """Return the share of a term in a score; `frequency` sums the column weights of its occurrences."""
    return idf * ((frequency * (K1 + 1)) / (frequency + norm))


@frozen(kw_only=True)
class MatchDetails:
    """The reason why an observation is a hit.

    Attributes:
        strength: How much of the question it holds, from 0 to 1; see `strength`.
        spans: Places of the words in its content, in order.
        own: True if it holds any of the words itself; its context is the text of other observations.
        held: Information that it holds by each of the words.
    """

    strength: float
    spans: tuple[Span, ...]
    own: bool
    held: Mapping[str, float]


@frozen
class Sought:
    """A word of a query, as it is sought in the text of each hit.

    Attributes:
        alternatives: Tokens of its forms, then of its near words, each after the share of its information that
            they hold. Tokens come with their `joined` text.
        spellings: Its forms, for places inside longer tokens, each after itself in small letters.
    """

    alternatives: Sequence[tuple[float, Sequence[tuple[Sequence[str], str]]]]
    spellings: Sequence[tuple[str, str]]

    @classmethod
    def of(cls, word: Word) -> "Sought":
        """Take a word of a query."""
        made = [(1.0, forms(word)), (NEAR_TELLS, tuple(map(form_tokens, word.near)))]
        return cls(
            alternatives=[(told, [(each, joined(each)) for each in tokens]) for told, tokens in made if tokens],
            spellings=[(form.lower(), form) for form in word.forms],
        )


def explain(
    words: Sequence[Sought],
    information: Sequence[float],
    rows: int,
    content: str,
    others: Sequence[str],
    *,
    keywords: str = "",
) -> MatchDetails:
    """Return why an observation matches.

    Args:
        words: The words of the query.
        information: Information of each of them; see `information`.
        rows: Number of rows in the project.
        content: Its content.
        others: Its other own texts: title, sub column and heading.
        keywords: Its keywords, which its heading ends with. They count for its length.
    """
    places = places_in(content)
    content_tokens = [token for _, _, token in places]
    said, folded = joined(content_tokens), content.lower()
    spans: list[Span] = []
    held: dict[str, float] = {}
    elsewhere = ""
    for number, (word, weight) in enumerate(zip(words, information, strict=True)):
        here: list[Span] = []
        for told, made in word.alternatives:
            here = [
                Span(places[at][0], places[at + len(form) - 1][1], number)
                for form, text in made
                if text in said
                for at in occurrences(content_tokens, form)
            ]
            if not here:
                # Only for a content that lacks a word: most hits of a long question.
                elsewhere = elsewhere or joined(*map(tokens, others))
            if here or any(text in elsewhere for _, text in made):
                held[word.spellings[0][1]] = told * weight
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
    """Return how much each word of a query tells: its rarity, 0 for dates beside other words.

    A word that no row contains tells as much as one in a single row, so that shares of the sum mean the same in
    small projects and in large ones. What has no tokens tells nothing.

    Args:
        words: The words of the query.
        hits: Function that returns the number of rows with a token.
        rows: Number of rows in the project.
    """
    told = [rarity(max(1, most_holders(made, hits)), rows) if made else 0.0 for made in map(forms, words)]
    dates = {word for word in words if is_date_word(word.forms[0])}
    if all(word.forms[0].isdecimal() for word in dates):
        dates = set()  # years without a month may be any numbers
    besides = [0.0 if word in dates else each for word, each in zip(words, told, strict=True)]
    return tuple(besides if any(besides) else told)


@lru_cache(maxsize=4_096)
def form_tokens(form: str) -> tuple[str, ...]:
    """Return the tokens of a form; cached likewise."""
    return tuple(tokens(form))
