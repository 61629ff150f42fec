"""Warning before an edit that brings back removed code. Hooks import this module, so it must load fast."""

import re

from lamella.domain.ledger.reintroduction import Likeness
from lamella.domain.text.printing import printed_line, shortened

_TITLE_CHARACTERS = 100
"""Maximum length of a quoted title."""

_SEE_WHY = "See why before you keep it:"
_POSES_AS_OURS = re.compile(r"See[\W_]+why[\W_]+before", re.IGNORECASE)
_QUOTES = dict.fromkeys(map(ord, '"`\u00b4\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033'), "'")
"""Characters that could end a quotation, or begin a command in Markdown or a shell."""


def warning(likeness: Likeness, *, path: str, day: str, title: str, where: str, folder: str | None = None) -> str:
    """Return the warning that an edit brings back removed code. It quotes the title of the removal's memory.

    Args:
        likeness: Similarity of the new code to the removed code.
        path: Path of the file when the code was removed.
        day: Date of the removal.
        title: Title of the memory of the removal.
        where: Instruction for reading that memory.
        folder: Folder of the memory's project. None if the memory belongs to the session's project, or if `where`
            names the folder.
    """
    like = "code that" if likeness is Likeness.EXACT else "much the same code as"
    called = (("path", path), ("title", shortened(printed_line(title), _TITLE_CHARACTERS)), ("folder", folder))
    data = ", ".join(f"{name} {_quoted(each)}" for name, each in called if each)
    return f"This edit brings back {like} was removed on {day}. {_SEE_WHY} {where}.\nData of that removal: {data}"


def _quoted(text: str) -> str:
    """Quote untrusted text in a way that it can't end the quotation or pass for text of lamella."""
    shown = printed_line(text).translate(_QUOTES)
    return f'"{_POSES_AS_OURS.sub("[...]", shown)}"'
