"""Excerpts of a memory, cut at ends of sentences. Hooks use this module, so it imports little."""

import re
from collections.abc import Sequence

from lamella.domain.text.languages.rationale import decides, gives_reason
from lamella.domain.text.printing import one_line
from lamella.domain.text.sentences import sentences

GAP = "…"
"""Mark for omitted sentences."""

_CUT = "..."
"""Ending of a title cut from a longer sentence."""

_ENDS = (".", "!", "?", ":", ";", "。", "！", "？", GAP)  # noqa: RUF001 - the signs of Chinese and Japanese
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+>|#]|\d+[.)])\s)")
_MARKS_CHARACTERS = 16
"""Maximum length of the heading and comment marks that a text may have before the words of its title."""


def passages(title: str, content: str) -> list[str]:
    """Return the sentences of a memory, each on one line. The title comes first if the text begins differently.

    A line break inside a paragraph doesn't end a sentence.
    """
    beginning = title.removesuffix(_CUT)
    place = content.find(beginning, 0, len(beginning) + _MARKS_CHARACTERS) if beginning else 0
    text = content if place < 0 else content[place:]
    paragraphs = [one_line(each) for each in _PARAGRAPH.split(text)]
    found = [each.strip() for paragraph in paragraphs for each in sentences(paragraph) if each.strip()]
    return [one_line(title), *found] if place < 0 else found


def rationale(said: Sequence[str]) -> list[str]:
    """Return the first sentence, and all sentences with a decision or a reason.

    Mark where sentences are omitted.
    """
    chosen: list[str] = []
    for number, sentence in enumerate(said):
        if not number or gives_reason(sentence) or decides(sentence):
            chosen.append(sentence)
        elif chosen[-1] != GAP:
            chosen.append(GAP)
    return chosen[:-1] if chosen[-1:] == [GAP] else chosen


def excerpt(said: Sequence[str], most: int) -> str:
    """Return as many sentences as fit in `most` characters, on one line.

    Return the first sentence even if it is longer.
    """
    text = ""
    for sentence in said:
        separator = " " if text.endswith(_ENDS) or sentence == GAP else " | "
        longer = f"{text}{separator}{sentence}" if text else sentence
        if text and len(longer) > most:
            break
        text = longer
    return text.removesuffix(f" {GAP}")
