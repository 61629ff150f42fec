"""Plan of a search: the words and phrases to search a project for.

The plan depends only on the number of rows with each token, so all storages make the same plan.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Protocol

from attrs import frozen

from lamella.domain.conversations.message import Message
from lamella.domain.conversations.query import MessageHit
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, Match
from lamella.domain.search.dates import is_date_word
from lamella.domain.text.languages.synonyms import synonyms
from lamella.domain.text.words import Word
from lamella_adapters.fts5 import bm25, near_words
from lamella_adapters.fts5.tokens import pieces

MOST_WORDS = 48
"""Maximum words of a question to search for. In a longer question, choose the rarest (`bench/README.md`)."""

MOST_TOKENS = 16
"""Maximum tokens of a phrase. The cost of matching is the phrase's length times the occurrences of its tokens."""

MOST_REPEATS = 48
"""Maximum count of one token in all phrases of a question.

More repetitions would multiply the cost of rows that repeat the token.
"""

_ENDINGS = ("", "s", "e", "ing", "ed", "ment", "ion", "ness", "ly")
"""Endings removed by the stemmer, to find a word for a stem.

The stem itself may not be a word: `deploy` has the stem `deploi`.
"""


class Vocabulary(Protocol):
    """Tokens of one index: the index of live observations, of purged observations, or of messages."""

    @property
    @abstractmethod
    def rows(self) -> int:
        """Number of rows."""

    @abstractmethod
    def holders(self, tokens: Collection[str]) -> Mapping[str, int]:
        """Return the number of rows with each token, keyed by token; 0 for unknown tokens."""

    @abstractmethod
    def between(self, first: str, end: str) -> Iterable[str]:
        """Return the tokens from `first` (inclusive) to `end` (exclusive), in order of code points."""


@frozen(kw_only=True)
class Plan:
    """Plan of a search.

    Attributes:
        words: Words of the question, in their order. Unknown words have near words of the project. In languages
            with compounds (`near_words.compounds`), words also have compounds that begin with them.
        information: Information of each word; see `bm25.information`.
        rows: Number of rows in the project.
        terms: Phrases to rank rows by; see `bm25.terms`.
        explain: Returns the details of a match, from the content and the other texts of a row; see `bm25.explain`.
    """

    words: Sequence[Word]
    information: Sequence[float]
    rows: int
    terms: Sequence[bm25.Phrase]
    explain: Callable[..., bm25.MatchDetails]

    def hit(self, said: Observation, others: Sequence[str], *, short_id: str, score: float) -> Hit | None:
        """Return a ranked observation as a hit, or None if only its context matches.

        Args:
            said: The observation.
            others: Title, heading and hidden forms of the observation.
            short_id: Short id of the observation.
            score: Score of the hit.
        """
        why = self.explain(said.content, others, keywords=said.keywords)
        if not why.own:
            return None
        return Hit(
            observation=said,
            short_id=short_id,
            match=Match.WORDS,
            score=score,
            strength=why.strength,
            spans=why.spans,
            held=why.held,
        )

    def message_hit(self, said: Message, others: Sequence[str], *, session_name: str, score: float) -> MessageHit:
        """Return a ranked message as a hit. `others` are its heading and hidden forms."""
        why = self.explain(said.text, others)
        return MessageHit(
            message=said,
            session_name=session_name,
            score=score,
            strength=why.strength,
            spans=why.spans,
            held=why.held,
        )


def planned(words: Sequence[Word], vocabulary: Vocabulary) -> Plan:
    """Return the plan of a search for `words`."""
    words = [*dict.fromkeys(chain.from_iterable(map(_bounded, words)))]
    holders = vocabulary.holders({token for word in words for form in bm25.forms(word) for token in form})
    if len(words) > MOST_WORDS:
        information = bm25.information(words, holders.__getitem__, vocabulary.rows)
        held = (_held(bm25.forms(word), holders) for word in words)
        worth = [each if there else 0.0 for each, there in zip(information, held, strict=True)]
        chosen = sorted(sorted(range(len(words)), key=lambda number: -worth[number])[:MOST_WORDS])
        words = [words[each] for each in chosen]
    words = _without_repeats(words)
    information = bm25.information(words, holders.__getitem__, vocabulary.rows)
    words, holders = _with_near_words(words, vocabulary, holders)
    phrases = bm25.phrases(words)
    terms = bm25.terms(phrases, holders.__getitem__, vocabulary.rows)
    explain = partial(bm25.explain, [*map(bm25.Sought.of, words)], information, vocabulary.rows)
    return Plan(words=words, information=information, rows=vocabulary.rows, terms=terms, explain=explain)


def _bounded(word: Word) -> Iterator[Word]:
    """Yield a word without forms of more than `MOST_TOKENS` tokens.

    If the original spelling has more tokens, split the word.
    """
    forms = tuple(form for form in word.forms if len(bm25.form_tokens(form)) <= MOST_TOKENS)
    if word.forms[0] in forms:
        yield word if forms == word.forms else word._replace(forms=forms)
    else:
        yield from (Word((piece,), identifier=word.identifier) for piece in pieces(word.forms[0], MOST_TOKENS))


def _without_repeats(words: Iterable[Word]) -> Sequence[Word]:
    """Drop forms that repeat a token too often (`MOST_REPEATS`). Split words that lose their own spelling."""
    counts, kept = Counter[str](), dict[Word, None]()
    for word in words:
        forms = []
        for form in word.forms:
            tokens = bm25.form_tokens(form)
            if len(tokens) > 1:
                if any(counts[token] + tokens.count(token) > MOST_REPEATS for token in tokens):
                    continue
                counts.update(tokens)
            forms.append(form)
        if word.forms[0] in forms:
            kept[word._replace(forms=tuple(forms))] = None
        else:
            kept.update(dict.fromkeys(Word((piece,)) for piece in pieces(word.forms[0], 1)))
    return [*kept]


def _with_near_words(
    words: Sequence[Word], vocabulary: Vocabulary, holders: Mapping[str, int]
) -> tuple[Sequence[Word], Mapping[str, int]]:
    """Add near words and compounds of the project to the words."""
    near = {word: _near(word, vocabulary, holders) for word in words}
    found = {token for spellings in near.values() for spelling in spellings for token in bm25.tokens(spelling)}
    if not found:
        return words, holders
    return [word._replace(near=near[word]) for word in words], {**holders, **vocabulary.holders(found)}


def _near(word: Word, vocabulary: Vocabulary, holders: Mapping[str, int]) -> tuple[str, ...]:
    """Return the near words of a word, or compounds that begin with it."""
    forms = bm25.forms(word)
    if not forms or len(forms[0]) > 1 or is_date_word(word.forms[0]):
        return ()
    token = forms[0][0]
    joined = near_words.compounds(token, _from(*near_words.beginning(token), vocabulary)) if word.compounds else ()
    if _held(forms, holders):
        terms = joined
    else:
        same = _synonyms(word, vocabulary)
        if same:
            return same
        inner = [part for part, held in vocabulary.holders(near_words.parts(token)).items() if held]
        candidates = chain.from_iterable(_from(*ends, vocabulary) for ends in near_words.neighbourhood(token))
        terms = near_words.near_terms(token, [*dict.fromkeys((*inner, *candidates))]) or joined
    return tuple(spelling for each in terms if (spelling := _spelling(each)))


def _synonyms(word: Word, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the synonyms of a word that occur in the project."""
    tokens = {each: bm25.tokens(each)[0] for each in synonyms(word.forms[0], word.synonyms)}
    held = vocabulary.holders(set(tokens.values())) if tokens else {}
    return tuple(islice((each for each, token in tokens.items() if held[token]), near_words.MOST_NEAR))


def _held(forms: Iterable[Iterable[str]], holders: Mapping[str, int]) -> bool:
    return any(all(map(holders.__getitem__, form)) for form in forms)


def _from(first: str, end: str, vocabulary: Vocabulary) -> Iterable[str]:
    return islice(vocabulary.between(first, end), near_words.MOST_CANDIDATES)


def _spelling(term: str) -> str:
    """Return a word that the stemmer turns into `term`; empty if none is found.

    A search stems its words. So `term` itself can't be searched for, because stemming a stem again may change it.
    """
    return next((term + ending for ending in _ENDINGS if bm25.tokens(term + ending) == [term]), "")
