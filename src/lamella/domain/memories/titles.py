"""Titles for memories saved without a title."""

import re

from lamella.domain.text.sentences import sentence_ends

MAX_TITLE_CHARACTERS = 200
"""Maximum length of a title. Generated titles are shorter."""

_SENTENCE_CHARACTERS = 100
_WHOLE_TEXT_CHARACTERS = 80
_CUT_CHARACTERS = 80

_FENCE = re.compile(r"[ \t]*(?P<fence>```+(?!.*`)|~~~+)")
_MARKS = re.compile(r"(?:\s|#+!?|//+|/\*+(?:\s*\*(?=\s))?|--+)+")


def generated_title(text: str) -> str:
    """Return a title for `text`: the first sentence, if the sentence is short enough.

    Otherwise, return the whole text. If the whole text is too long, return the beginning of the text.

    Ignore heading marks and comment markers at the start. Skip a code block at the start if prose follows.
    """
    text = _without_marks(_from_first_prose(text))
    sentence = text[: next(sentence_ends(text.replace("\r", "\n")), 0)].rstrip()
    if 0 < len(sentence) <= _SENTENCE_CHARACTERS:
        return sentence
    return text if len(text) <= _WHOLE_TEXT_CHARACTERS else text[:_CUT_CHARACTERS].rstrip() + "..."


def _without_marks(text: str) -> str:
    marks = _MARKS.match(text)
    unmarked = text[marks.end() :] if marks else text
    return unmarked.strip() or text.strip()


def _from_first_prose(text: str) -> str:
    """Return `text` without code blocks at the start. If no prose follows the blocks, return the code in them."""
    lines = text.strip().splitlines(keepends=True)
    code: list[str] = []
    while lines and (opening := _FENCE.match(lines[0])):
        fence = opening["fence"]
        end = next((n for n, line in enumerate(lines[1:], 1) if _closes(line.strip(), fence)), len(lines))
        code += lines[1:end]
        lines = "".join(lines[end + 1 :]).lstrip().splitlines(keepends=True)
    return "".join(lines) or "".join(code) or text


def _closes(line: str, fence: str) -> bool:
    """Return True if `line` closes a code block: a fence with the same sign and at least the same length."""
    return line.startswith(fence) and not line.strip(fence[0])
