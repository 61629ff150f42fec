"""Languages recognised by their own script.

To add a language, list its stop words in `stop_words.txt` and add it to `SCRIPTS`.
"""

import re
from functools import cache

from lamella.domain.text.languages import WORDS, Language, language

RUSSIAN = language("russian", first="\u0400", last="\u052f")
GREEK = language("greek", first="\u0370", last="\u03ff")
ARMENIAN = language("armenian", first="\u0531", last="\u0588")
ARABIC = language("arabic", first="\u0620", last="\u06d3")
HINDI = language("hindi", first="\u0900", last="\u0963")
TAMIL = language("tamil", first="\u0b80", last="\u0bff")
# Korean particles are attached to words. Words are indexed as pairs of syllables, and so found with any particle.
KOREAN = language("korean", stemmer="", first="\uac00", last="\ud7a3")

SCRIPTS = (GREEK, RUSSIAN, ARMENIAN, ARABIC, HINDI, TAMIL, KOREAN)

STOP_WORDS = frozenset[str]().union(*(language.stop_words for language in SCRIPTS))
"""Stop words of all languages in `SCRIPTS`. One set is enough, because their scripts don't overlap."""

_RUNS = f"[{''.join(f'{language.first}-{language.last}' for language in SCRIPTS)}]+"

_HANGUL = f"[{KOREAN.first}-{KOREAN.last}]"
_BESIDE_KOREAN = rf"(?<=[a-zA-Z0-9_])(?={_HANGUL})|(?<={_HANGUL})(?=[a-zA-Z0-9_])"


def runs(text: str) -> dict[Language, list[str]]:
    """Return the different runs of letters of the scripts in `SCRIPTS`, keyed by language."""
    found: dict[Language, list[str]] = {}
    for run in dict.fromkeys(re.findall(_RUNS, text)):
        found.setdefault(next(each for each in SCRIPTS if run[0] <= each.last), []).append(run)
    return found


def with_korean_apart(text: str) -> str:
    """Insert spaces between Korean and adjacent Latin words or numbers."""
    return re.sub(_BESIDE_KOREAN, " ", text)


def meaningful(run: str) -> list[str]:
    """Return the parts of a run between its stop words, for a script without spaces."""
    return [part for part in _unspaced_stop_words().split(run) if part]


@cache
def _unspaced_stop_words() -> re.Pattern[str]:
    """Return a pattern for Japanese and Chinese question words and endings, each including a particle after it."""
    return re.compile(f"(?:{'|'.join(WORDS['unspaced'].split())})[はがをにのもでとへ]?")
