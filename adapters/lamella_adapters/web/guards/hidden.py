"""Hidden characters in fields of forms: shown as escapes, and stored as they were."""

import re

from rapidfuzz.distance import Indel

from lamella.application.memories.save import MAX_TEXT_CHARACTERS
from lamella.domain.text.printing import visible

SHOWN = "shown_"
"""Prefix of the name of a hidden field of a form, before the name of a visible field.

The hidden field has the original text of the visible field, percent-encoded, including hidden characters.
"""

_MAX_TOKENS = 2 * MAX_TEXT_CHARACTERS
"""Maximum number of tokens to compare. Longer texts can't be saved."""

_TOKEN = re.compile(r"\\u\{[0-9A-F]{4,6}\}|.", re.DOTALL)
"""An escape, or one character."""


def as_stored(typed: str, shown: str) -> str:
    """Return the text `typed`, in which unedited escapes become the hidden characters of the text `shown` again.

    An escape is unedited if the longest common subsequence of both texts contains the escape and a token beside
    it. Other escapes are text.
    """
    if typed == visible(shown):
        return shown
    shown = shown.replace("\r\n", "\n").replace("\r", "\n")
    before, after = (["", *_TOKEN.findall(each), ""] for each in (visible(shown), typed))
    if max(len(before), len(after)) > _MAX_TOKENS:
        return typed
    stored, place = list[str](), 0
    for token in before:
        length = len(token) if shown.startswith(token, place) else 1
        stored.append(shown[place : place + length])
        place += length
    for same in Indel.opcodes(before, after):
        if same.tag == "equal" and same.src_end - same.src_start > 1:
            after[same.dest_start : same.dest_end] = stored[same.src_start : same.src_end]
    return "".join(after)
