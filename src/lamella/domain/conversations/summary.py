"""Summaries of parts of a conversation: selected sentences and the mentioned files, chosen without a model.

The messages of a session are divided into groups of 20, and five of these form a group of 100. A complete group
never changes, so its summary can be cached. Messages near the requested message are summarised in small groups,
distant messages in large groups.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import frozen

from lamella.domain.conversations.message import Message, Role
from lamella.domain.text.printing import one_line, shortened
from lamella.domain.text.sentences import sentences
from lamella.domain.text.words import STOP_WORDS

GROUP_MESSAGES = (20, 100)
"""Number of messages in a group of level 1, and of level 2."""

FARTHEST = 2_000
"""Maximum number of messages to summarise before, and after, the requested message. More would take seconds."""

_RECIPE = "1"
"""Version of the way summaries are computed. Cached summaries of other versions are ignored."""

_SENTENCES, _FILES = 4, 8
_SENTENCE_CHARACTERS = 200
_LEAST_CHARACTERS = 12
_MESSAGE_CHARACTERS = 4_000
"""Number of characters to read of a message. The important part of a message comes first."""

_SPEAKERS = {Role.HUMAN: "User", Role.ASSISTANT: "Assistant"}
_HUMAN_WEIGHT = 1.5
"""Weight of a human's sentences: requests say more about a conversation than answers."""

_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_MARKS = re.compile(r"^[\s#>*|-]+")
_WORDS = re.compile(r"\w{2,}")
_FILE = re.compile(
    r"(?<![\w/.:~-])(?:[\w@.-]*/)+[\w@.-]*\w\.[A-Za-z][A-Za-z0-9]{0,7}(?!\w)"
    r"|(?<![\w/.:~-])[\w-]+\.(?:c|cc|cfg|cpp|cs|css|go|h|html|ini|java|js|json|jsx|kt|lock|md|php|py|rb|rs|sh|sql|swift"
    r"|toml|ts|tsx|vue|xml|ya?ml)(?!\w)"
)


@frozen(kw_only=True)
class Summary:
    """Summary of a part of a session.

    Attributes:
        first: Number of the first message.
        last: Number of the last message.
        sentences: Chosen sentences, each with its speaker, in their order.
        files: Most frequently mentioned files.
    """

    first: int
    last: int
    sentences: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def parts_before(place: int) -> list[range]:
    """Return at most three parts of a session before the message at index `place`, nearest and smallest first.

    Parts are ranges of indexes. The first message of a session has the index 0.
    """
    borders = [place]
    for size in GROUP_MESSAGES:
        borders.append(max(0, (borders[-1] - 1) // size * size))
    borders.append(max(0, borders[-1] - FARTHEST))
    return [range(start, end) for end, start in pairwise(borders) if start < end]


def parts_after(place: int, count: int) -> list[range]:
    """Return at most three parts of a session of `count` messages, from index `place` on; see `parts_before`."""
    borders = [place]
    for size in GROUP_MESSAGES:
        borders.append(min(count, (borders[-1] // size + 1) * size))
    borders.append(min(count, borders[-1] + FARTHEST))
    return [range(start, end) for start, end in pairwise(borders) if start < end]


def groups(part: range, level: int) -> list[range]:
    """Return the groups of `level` (1 or higher) in `part`. The first and the last group may be incomplete."""
    size = GROUP_MESSAGES[level - 1]
    starts = [part.start, *range((part.start // size + 1) * size, part.stop, size)]
    return [range(start, min(part.stop, (start // size + 1) * size)) for start in starts]


def whole(group: range, level: int) -> bool:
    """Return True if a group is complete, and so will never change."""
    return len(group) == GROUP_MESSAGES[level - 1]


def fingerprint(numbers: Sequence[int]) -> str:
    """Return a unique key for the summary of the messages with these numbers."""
    return hashlib.sha256(repr((_RECIPE, *numbers)).encode()).hexdigest()[:32]


def summarised(messages: Sequence[Message]) -> Summary:
    """Return the summary of `messages`, which belong to one session."""
    texts = [(message.role, message.text[:_MESSAGE_CHARACTERS]) for message in messages]
    said = [
        f"{_SPEAKERS[role]}: {sentence}"
        for role, text in texts
        if role in _SPEAKERS
        for sentence in _sentences(text)
    ]
    named = Counter(file.removeprefix("./") for _, text in texts for file in _FILE.findall(text))
    return Summary(
        first=messages[0].number, last=messages[-1].number, sentences=_chosen(said), files=_most_common(named)
    )


def combined(summaries: Sequence[Summary]) -> Summary:
    """Merge the summaries of consecutive parts of a session into one."""
    named = Counter(file for summary in summaries for file in summary.files)
    return Summary(
        first=summaries[0].first,
        last=summaries[-1].last,
        sentences=_chosen([sentence for summary in summaries for sentence in summary.sentences]),
        files=_most_common(named),
    )


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, without code and the marks of lists and headings."""
    for each in sentences(_FENCED.sub("\n", text)):
        sentence = shortened(one_line(_MARKS.sub("", each)), _SENTENCE_CHARACTERS)
        if len(sentence) >= _LEAST_CHARACTERS:
            yield sentence


def _chosen(said: Sequence[str]) -> tuple[str, ...]:
    """Return the most typical sentences, without duplicates, in their order.

    This is the idea of SumBasic (Nenkova and Vanderwende, "The impact of frequency on summarization", 2005): the
    weight of a sentence is the average weight of its words. Choosing a sentence halves the weight of its words.
    """
    words = {each: _meaningful(each.partition(": ")[2]) for each in said}
    counted = Counter(word for each in words.values() for word in each)
    weights = {word: float(count) for word, count in counted.items()}
    places = {each: place for place, each in reversed(list(enumerate(said)))}
    left = dict(words)
    chosen: list[str] = []
    while left and len(chosen) < _SENTENCES:
        best = max(left, key=lambda each: (_weight(each, left[each], weights), -places[each]))
        chosen.append(best)
        for word in left.pop(best):
            weights[word] /= 2
    return tuple(sorted(chosen, key=places.__getitem__))


def _meaningful(sentence: str) -> list[str]:
    """Return the distinct words of a sentence. Keep their order, because floating-point sums depend on it."""
    return [word for word in dict.fromkeys(_WORDS.findall(sentence.lower())) if word not in STOP_WORDS]


def _weight(sentence: str, words: Sequence[str], weights: Mapping[str, float]) -> float:
    by_people = _HUMAN_WEIGHT if sentence.startswith(_SPEAKERS[Role.HUMAN]) else 1
    return by_people * sum(weights[word] for word in words) / (len(words) + 1)


def _most_common(named: Counter[str]) -> tuple[str, ...]:
    return tuple(file for file, _ in named.most_common(_FILES))
