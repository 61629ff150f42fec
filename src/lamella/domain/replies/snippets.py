"""Snippets: one line of a memory's text that shows why it matches."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from lamella.domain.memories.query import Span
from lamella.domain.text.printing import cut_point, one_line, visible
from lamella.domain.text.sentences import sentence_ends

COMPACT_CHARACTERS = 100
"""Maximum length of a snippet in the compact view and in JSON."""

COMPACT_LEAST = 40
"""Length of a truncated snippet in the compact view.

If a longer snippet shows more matches, the longer snippet is used.
"""

TIMELINE_CHARACTERS = 150
"""Maximum length of a snippet in the timeline."""

NOTHING_MORE = "-"
"""Snippet of a memory with nothing beyond its title."""

_MARKS = "#/*->!"
"""Marks of headings and comments in a text. Titles generated from the text don't have them."""

_ENDS = ".!? \u3002\uff01\uff1f"
"""Characters at ends of sentences, which titles leave out."""

_LONGEST_WORD = 20
"""Maximum length of a word to leave out whole at the edge of a snippet. A longer word is cut."""

_LEFT_OUT = 3
"""To end a snippet at a word boundary, at most a third of its length is removed: words of code can be long."""

_HEADING_ENDS = (":", "\uff1a")
"""Characters at the end of a heading. The next line belongs to the heading."""

_STEP = 20
"""Longer snippets are tried in steps of this number of characters.

A sentence that is longer by at most one step isn't truncated.
"""


def beyond_title(
    title: str, content: str, spans: Sequence[Span], characters: int, *, least: int | None = None
) -> str:
    """Return a sentence of `content` that isn't in the title: the sentence with the most matches.

    Without matches, return the first such sentence. Words in the title don't count as matches. `...` marks each
    truncated side. If the title has the whole text, return `NOTHING_MORE`.

    Args:
        title: The title displayed beside the snippet.
        content: The text.
        spans: Matches in the text, sorted by `start`.
        characters: Maximum number of characters of the snippet.
        least: Preferred length of a truncated sentence; `characters` by default. A longer part of the sentence is
            returned only if it shows more matches.
    """
    # The last word may be only the beginning of a word: a title made from a long sentence is truncated.
    words = title.removesuffix("...").split()
    said = title.casefold()
    known = {span.word for span in spans if content[span.start : span.end].casefold() in said}
    # Words in the title don't count.
    unsaid = [span for span in spans if span.word not in known]
    best_first = sorted(_pieces(words, content, unsaid), key=attrgetter("matches", "follows"), reverse=True)
    for piece in best_first:
        line = one_line(content[piece.start : piece.end])
        if piece.says_more(line, words):
            return _printed(piece, line, content, characters, least=characters if least is None else least)
    return NOTHING_MORE


def around_match(content: str, spans: Sequence[Span], characters: int) -> str:
    """Return a part of a text on one line. If the beginning has a match, return the beginning.

    Otherwise, return the part around the best match: the most different query words close together. `...` marks
    each truncated side.

    Args:
        content: The text.
        spans: Matches in the text, sorted by `start`.
        characters: Maximum number of characters of the snippet.
    """
    line = one_line(content)
    left = _left(content, len(line), spans, characters)
    return visible(line[:characters].rstrip()) if left is None else _marked(line, left, left + characters)


def passage(content: str, spans: Sequence[Span], characters: int) -> str:
    """Like `around_match`, without `...` at the sides."""
    line = one_line(content)
    left = _left(content, len(line), spans, characters) or 0
    return visible(line[left : left + characters].strip())


def beginning(content: str, characters: int) -> str:
    """Truncate `content` to at most `characters` characters, at a grapheme boundary."""
    return visible(content if len(content) <= characters else content[: cut_point(content, characters)])


class _Piece(NamedTuple):
    """A sentence of a text, without any part that the title already shows.

    Attributes:
        start: Offset of the first character.
        end: Offset after the last character.
        matches: Number of different query words in the piece.
        spans: Spans of these words.
        follows: True if the piece directly follows the title's sentence.
        begun: True if the title shows the beginning of the sentence, so the piece is only the rest.
    """

    start: int
    end: int
    matches: int
    spans: Sequence[Span]
    follows: bool
    begun: bool

    def says_more(self, line: str, title: Sequence[str]) -> bool:
        """Return False if the piece, printed as `line`, is a heading, has no words, or repeats the title."""
        words = line.lstrip(f"{_MARKS} ").strip(_ENDS).casefold()
        if words.endswith(_HEADING_ENDS) or not any(map(str.isalnum, words)):
            return False
        return self.begun or words not in " ".join(title).casefold()


def _pieces(title: Sequence[str], content: str, spans: Sequence[Span]) -> Iterator[_Piece]:
    """Yield the sentences of a text, including an unfinished last sentence."""
    until, start = -1, 0
    said = all(map(content.casefold().__contains__, map(str.casefold, title)))
    starts = [span.start for span in spans]
    for end in (*sentence_ends(content), len(content)):
        if content[end - 1 : end] == "\n" and content[end : end + 1].islower():
            continue  # the sentence may continue on the next line
        if said and until < 0:
            until = _end_of_title(title, content, start, end)
        begun = start < until
        rest = min(until, end) if begun else start
        inside = spans[bisect_left(starts, rest) : bisect_left(starts, end)]
        words = {span.word for span in inside}
        yield _Piece(rest, end, len(words), inside, follows=until >= 0, begun=begun)
        start = end


def _end_of_title(title: Sequence[str], content: str, start: int, end: int) -> int:
    """Return the offset after a title's words if the text begins with them at `start`, else -1."""
    lead = content[start:end]
    if lead.isspace():
        return -1
    for text in (lead.lstrip(), lead.lstrip(f"{_MARKS} \t\r\n")):
        place = end - len(text)
        for word in title:
            while content[place : place + 1].isspace():
                place += 1
            if content[place : place + len(word)].casefold() != word.casefold():
                break
            place += len(word)
        else:
            return _word_start(content, place) if title else -1
    return -1


def _word_start(content: str, place: int) -> int:
    """Return the start of the word at `place`; `place` itself if the word is too long, or if there is no word."""
    start = place
    while start > 0 and not content[start - 1].isspace():
        start -= 1
    inside = content[place - 1 : place].isalnum() and content[place : place + 1].isalnum()
    return start if inside and place - start <= _LONGEST_WORD else place


def _printed(piece: _Piece, line: str, content: str, characters: int, *, least: int) -> str:
    """Return the whole line of a short sentence. For a longer sentence, return the words around the best match."""
    if len(line) <= min(least + _STEP, characters):
        return _marked(line, 0, len(line), begun=piece.begun)
    best, shown = _densest(piece.spans, characters), characters
    most = len({span.word for span in best})
    for shorter in range(least, characters, _STEP):
        fewer = _densest(piece.spans, shorter)
        if len({span.word for span in fewer}) == most:
            best, shown = fewer, shorter
            break
    start, end = _extent(content, best, piece.start) if best else (0, 0)
    left = 0 if end <= shown else _centred(start, end, len(line), shown)
    right, word = left + shown, min(_LONGEST_WORD, shown // _LEFT_OUT)
    if left and not line[left - 1].isspace():
        space = line.find(" ", left, min(left + word, start))
        left = left if space < 0 else space
    if right < len(line) and not line[right].isspace():
        space = line.rfind(" ", max(right - word, min(end, right)), right)
        right = right if space < 0 else space
    return _marked(line, left, right, begun=piece.begun)


def _marked(line: str, left: int, right: int, *, begun: bool = False) -> str:
    """Return a part of a line with `...` at each truncated side."""
    before, after = "..." if left or begun else "", "..." if right < len(line) else ""
    return f"{before}{visible(line[left:right].strip())}{after}"


def _left(content: str, length: int, spans: Sequence[Span], characters: int) -> int | None:
    """Return the offset of an excerpt around the best match in a line.

    The line is `content` printed on one line of this `length`. Return None if the excerpt is the line's beginning.
    """
    if not spans or len(one_line(content[: min(span.end for span in spans)])) <= characters:
        return None
    return _centred(*_extent(content, _densest(spans, characters)), length, characters)


def _extent(content: str, spans: Sequence[Span], begin: int = 0) -> tuple[int, int]:
    """Print `content` from `begin` on as one line, and return the start and end of the matches in this line."""
    # Include the first character of the match, so that `one_line` doesn't trim the space before the match.
    start, end = spans[0].start + 1, max(span.end for span in spans)
    return len(one_line(content[begin:start])) - 1, len(one_line(content[begin:end]))


def _centred(start: int, end: int, length: int, characters: int) -> int:
    """Return the start of a window of `characters` characters, centred on a match in a line of this `length`."""
    return max(0, min((start + end - characters) // 2, start, length - characters))


def _densest(spans: Sequence[Span], characters: int) -> Sequence[Span]:
    """Return the successive spans within `characters` that match the most words.

    If several runs of spans match equally many words, return the first.
    """
    best, most, entered = spans[:1], 1, 0
    words = len({span.word for span in spans})
    for first, span in enumerate(spans):
        if most >= words:
            break
        limit = span.start + characters
        while entered < len(spans) and spans[entered].start < limit:
            entered += 1
        run = [other for other in spans[first:entered] if other.end <= limit]
        matched = len({other.word for other in run})
        if matched > most:
            best, most = run, matched
    return best
