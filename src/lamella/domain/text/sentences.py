"""Ends of sentences, in texts with and without spaces. Hooks use this module, so it imports next to nothing."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDS = (".", "!", "?")
"""Signs that end a sentence before white space.

A colon doesn't end a sentence, because the main point often follows it.
"""

# The full stop, exclamation and question mark of Chinese and Japanese end a sentence in any position. Written as
# numbers, because `\N{...}` would import `unicodedata`.
_WIDE_ENDS = ("\u3002", "\uff01", "\uff1f")


def sentence_ends(text: str) -> "Iterator[int]":
    """Yield the offset after each end of a sentence or line, in order."""
    places = []
    for sign in (*_ENDS, *_WIDE_ENDS, "\n"):
        # Checking each character would take five times as long.
        place = text.find(sign) + 1
        while place:
            if sign not in _ENDS or not text[place : place + 1].strip():
                places.append(place)
            place = text.find(sign, place) + 1
    yield from sorted(places)


def sentences(text: str) -> "Iterator[str]":
    """Yield the sentences of a text with surrounding white space, including an unfinished last sentence."""
    start = 0
    for end in sentence_ends(text):
        yield text[start:end]
        start = end
    yield text[start:]


def first_sentence(text: str, *, least: int, most: int) -> str:
    """Return the first sentence of a text on one line.

    Args:
        text: The text.
        least: Minimum number of characters of a Western sentence or line: `1.` and `Hi!` are too short.
        most: Maximum number of characters of the sentence.
    """
    sentence = ""
    for line in text.split("\n"):
        for word in line.split():
            sentence += f" {word}" if sentence else word
            if len(sentence) >= least and word.endswith(_ENDS):
                return sentence[:most]
            if len(sentence) > most:
                break
        if len(sentence) >= least:
            break
    wide = [place + 1 for each in _WIDE_ENDS if (place := sentence.find(each)) >= 0]
    return sentence[: min([most, *wide])]
