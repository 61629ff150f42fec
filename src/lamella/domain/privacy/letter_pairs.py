"""Recognise random letters, such as `qzvkwhxt`, among words and names of code.

The table has the frequency of each pair of letters in words. The pairs were counted in all words of at least four
letters found in three or more of some 3,000 modules and pages: the standard library and the packages of a
development environment. The table has a row for each letter, with a figure from 0 to 9 for each following letter:
`round(1.3 * (4 + log(share * 26 ** 2)))`, with the pair's share of all pairs. The pairs must be counted again only
to accept words of another language.
"""

from lamella.domain.tables import read_rows

_FOLLOWING = {row[0]: row[1] for row in read_rows(__file__, "letter_pairs.tsv")}
"""For each letter, the frequencies of the letters that follow it in words."""

_BETWEEN_LETTER_AND_DIGIT = 3
_FEWEST_PAIRS = 5
_MOST_PER_TEN_PAIRS = 53
"""Letters are random if the average frequency of their pairs, times ten, is at most this.

Measured: 4 % of random eight-letter words exceed this limit, and 2 % of real words are below.
"""
_MOST_OF_MIXED_CASES = 58
"""Limit if every second pair mixes upper and lower case. Such a mix is rare in names of code."""

_LONGEST = 128


def is_drawn(value: str) -> bool:
    """Return True for letters and digits that look random, unlike a word."""
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
