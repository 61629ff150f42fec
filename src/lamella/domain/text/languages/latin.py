"""Languages in Latin script, distinguished by their stop words.

To add a language, list its stop words in `stop_words.txt` and add it to `OTHERS`.
"""

import re

from lamella.domain.text.languages import WORDS, Language, language

ENGLISH = language("english", stemmer="", synonyms="english_synonyms.txt")  # the index itself has English stems
GERMAN = language("german", compounds=True)
FRENCH = language("french")
SPANISH = language("spanish")
ITALIAN = language("italian")
PORTUGUESE = language("portuguese")
DUTCH = language("dutch", compounds=True)

OTHERS = (GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH)

_ENGLISH_TOO = frozenset(WORDS["english too"].split())
"""Stop words of other languages that also occur in English texts, as words, names or abbreviations."""

LEAST_EVIDENCE = 1.5
"""Minimum number of a language's stop words in a text; see `language_of`.

A single word may be a name or a typo.
"""

MOST_WORDS_PER_STOP_WORD = 12
"""Maximum number of different words for each stop word of a language in a text of this language.

Prose has 3 to 6 different words for each stop word.
"""

_LETTERS = re.compile(r"[^\W\d_]+")
_ACCENT = "[\xc0-\xd6\xd8-\xf6\xf8-\u024f]"
_OWN = {
    language: frozenset(word for word in language.stop_words - ENGLISH.stop_words if len(word) > 1)
    for language in OTHERS
}
_TELLING = {language: words - _ENGLISH_TOO for language, words in _OWN.items()}
_ALL_TELLING = frozenset[str]().union(*_TELLING.values())


def language_of(text: str) -> Language:
    """Return the language in Latin script with the most stop words in `text`; English if no language prevails.

    A stop word that also occurs in English texts counts half. A single letter doesn't count. An accent counts as
    one more stop word.
    """
    if text.isascii() and text.count(" the ") > 1:
        return ENGLISH  # most English texts need no further check
    words = frozenset(_LETTERS.findall(text.lower()))
    if words.isdisjoint(_ALL_TELLING):
        return ENGLISH
    halves = {language: len(words & _TELLING[language]) + len(words & _OWN[language]) for language in OTHERS}
    likeliest = max(OTHERS, key=halves.__getitem__)
    evidence = halves[likeliest] / 2 + bool(re.search(_ACCENT, text))
    english = len(words & (ENGLISH.stop_words - likeliest.stop_words))
    enough = evidence >= max(LEAST_EVIDENCE, len(words) / MOST_WORDS_PER_STOP_WORD)
    return likeliest if enough and evidence > english else ENGLISH
