"""Recognise letters that were drawn, such as `qzvkwhxt`, among words and names of code.

The table says how frequent each pair of letters is in words. It was counted in the words of four letters and more
that at least three of some 3,000 modules and pages have: the standard library and the packages of a development
environment. Count again only if words of another language should pass as words: for each letter a row, for each
letter that follows a figure from 0 to 9, `round(1.3 * (4 + log(share * 26 ** 2)))`.
"""

from lamella.domain.tables import read_rows

_FOLLOWING = {row[0]: row[1] for row in read_rows(__file__, "letter_pairs.tsv")}
"""Frequency of the letters that follow a letter."""

_BETWEEN_LETTER_AND_DIGIT = 3
_FEWEST_PAIRS = 5
_MOST_PER_TEN_PAIRS = 53
"""Of eight letters that were drawn 4 % have more, and of words of eight letters 2 % have less."""
_MOST_OF_MIXED_CASES = 58
"""The same where every second pair has a small letter and a capital: names of code rarely do."""

_LONGEST = 128


def is_drawn(value: str) -> bool:
    """Return True if letters and digits follow one another as they do in no word."""
    lower = value[:_LONGEST].replace("\u0130", "I").lower()
    frequency = pairs = changes = 0
    for at in range(len(lower) - 1):
        one, other = lower[at], lower[at + 1]
        if one in _FOLLOWING and other in _FOLLOWING:
            frequency += int(_FOLLOWING[one][ord(other) - ord("a")])
            pairs += 1
            changes += value[at].isupper() != value[at + 1].isupper()
        elif one.isalnum() and other.isalnum() and one.isdigit() != other.isdigit():
            frequency += _BETWEEN_LETTER_AND_DIGIT
            pairs += 1
    most = _MOST_OF_MIXED_CASES if changes * 2 >= pairs else _MOST_PER_TEN_PAIRS
    return pairs >= _FEWEST_PAIRS and frequency * 10 <= most * pairs
