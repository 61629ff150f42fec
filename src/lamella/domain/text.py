"""Text as it is stored, and text as it is printed.

Storage keeps text verbatim. What is printed must not be able to deceive its reader: hidden characters are
shown, and no line of a memory can pose as a header or footer of ours.
"""

import re
import unicodedata

_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(r"\s+")
_LINE_END = re.compile(r"\r\n?")
_POSES_AS_OURS = re.compile(r"^(?=---|──)", re.MULTILINE)

# Control characters other than tab and line feed; the line separators that str.splitlines knows and a
# terminal may obey; zero-width characters; bidirectional controls (Unicode TR 9); invisible operators;
# interlinear annotation; tag characters; the Hangul and Mongolian fillers that render as nothing.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_ZWNJ, _ZWJ = "\u200c", "\u200d"
# Scripts in which a joiner changes the spelling: Arabic to Mandaic, the Indic block, Mongolian.
_JOINER_SCRIPTS = re.compile("[\u0600-\u085f\u08a0-\u0dff\u1800-\u18af]")
_PICTOGRAPHS = re.compile("[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]")


def well_formed(text: str) -> str:
    """`text` with each lone surrogate, which no encoding can carry, replaced by U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)


def one_line(text: str) -> str:
    """`text` with line breaks and runs of white space as one space, trimmed."""
    return _SPACES.sub(" ", text).strip()


def canonical(text: str) -> str:
    """The form under which two spellings of a title are the same: composed, without case."""
    return unicodedata.normalize("NFC", text.casefold())


def visible(text: str) -> str:
    r"""`text` with every hidden character written as `\u{XXXX}`; line breaks become line feeds.

    Joiners stay where they belong: inside emoji, and in scripts that need them.
    """
    text = _LINE_END.sub("\n", text)
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_shown, text)


def printed_line(text: str) -> str:
    """`text` as part of one printed line: a title, a source, an id that was asked for."""
    return visible(one_line(text))


def printed_block(text: str) -> str:
    """`text` as lines of their own, none of which can pass for a header or footer of ours."""
    return defused(visible(text))


def defused(printed: str) -> str:
    """One space before each line that starts like a header or footer (`---`, `──`)."""
    return _POSES_AS_OURS.sub(" ", printed)


def cut_point(printed: str, at: int) -> int:
    r"""The last place at or before `at` that splits no character that is seen as one.

    Never between a base and its combining marks or joiners, and never inside a `\u{XXXX}`.
    """
    start = printed.rfind("\\u{", max(0, at - 9), at)
    if start >= 0 and printed.find("}", start, at) < 0:
        at = start
    while 0 < at < len(printed) and (_continues(printed[at]) or printed[at - 1] == _ZWJ):
        at -= 1
    return at


def _continues(character: str) -> bool:
    return (
        unicodedata.category(character) in {"Mn", "Mc", "Me"}
        or character == _ZWJ
        or "\U0001f3fb" <= character <= "\U0001f3ff"
    )


def _shown(match: re.Match[str]) -> str:
    character, text, at = match.group(), match.string, match.start()
    if character in (_ZWNJ, _ZWJ) and 0 < at < len(text) - 1:
        before, after = text[at - 1], text[at + 1]
        if _JOINER_SCRIPTS.match(before) and _JOINER_SCRIPTS.match(after):
            return character
        if character == _ZWJ and _PICTOGRAPHS.match(after) and _ends_pictograph(before):
            return character
    return f"\\u{{{ord(character):04X}}}"


def _ends_pictograph(character: str) -> bool:
    """Whether an emoji can end in `character`: a pictograph, a skin tone or a variation selector."""
    return _PICTOGRAPHS.match(character) is not None
