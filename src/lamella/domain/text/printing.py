"""Text for storage and for display.

Storage keeps well-formed text verbatim. Printed text must not deceive its reader: hidden characters are shown as
escapes, and no line of a memory looks like a header or footer of lamella.
"""

import re
import unicodedata
from _json import encode_basestring_ascii
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

MAX_ECHO_CHARACTERS = 200
"""Maximum length of a request quoted in an error."""

MAX_KEY_CHARACTERS = 500
"""Maximum length of a stored key: at most 2,000 bytes, within the index limits of SQLite and PostgreSQL."""

_DIGEST_BYTES = 16
_SEPARATOR = "~"
_KEPT_CHARACTERS = MAX_KEY_CHARACTERS - len(_SEPARATOR) - 2 * _DIGEST_BYTES
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n?")
_POSES_AS_OURS = re.compile(r"^(?=---|──)", re.MULTILINE)

# Large character classes stay strings, which `re` compiles on first use. Most texts need none, and hooks must be
# fast.

# Hidden characters: control characters other than tab and line feed; line separators known to str.splitlines and
# possibly terminals; zero-width characters; bidirectional controls (Unicode TR 9); invisible operators;
# interlinear annotation; tag characters; the invisible Hangul and Mongolian fillers; variation selectors except
# the first after a visible character; lone surrogates.
_HIDDEN = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
    "|(?<![^\\s\u200b-\u200f\ufe00-\ufe0f])[\ufe00-\ufe0f]"
)
_ZWNJ, _ZWJ = "\u200c", "\u200d"
# Scripts in which words are spelled with joiners: Arabic to Sinhala, Khmer, Mongolian.
_JOINER_SCRIPTS = "[\u0600-\u061b\u061d-\u0dff\u1780-\u17b3\u17b6-\u17ff\u1810-\u18af]"
_PICTOGRAPHS = "[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]"
# Continuations of a grapheme besides the marks: joiners, skin tones, the vowels and final consonants of a
# decomposed Korean syllable.
_CONTINUES = "[\u200c\u200d\U0001f3fb-\U0001f3ff\u1161-\u11ff\ud7b0-\ud7fb]"
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
_LONGEST_ESCAPE = len("\\u{10FFFF}")


def well_formed(text: str) -> str:
    """Replace characters unfit for some databases by U+FFFD: NUL and lone surrogates."""
    return text if text.isascii() and "\0" not in text else _UNSTORABLE.sub("\ufffd", text)


def storable(key: str) -> str:
    """Write the bytes of `key` that aren't UTF-8 as escapes. Different keys remain different."""
    return key.encode(errors="backslashreplace").decode()


def stored_key(key: str) -> str:
    """Return a key for storage in well-formed Unicode. A key that is too long becomes its beginning and a digest.

    Keys are the ids of messages, records, sources, sessions, requests and activity, and the aliases of projects.
    Different long keys stay different. A stored key is returned unchanged.
    """
    key = well_formed(key)
    if len(key) <= MAX_KEY_CHARACTERS:
        return key
    import hashlib  # noqa: PLC0415 - hooks don't need it, and its import is slow

    digest = hashlib.blake2b(key.encode(), digest_size=_DIGEST_BYTES).hexdigest()
    return f"{key[:_KEPT_CHARACTERS]}{_SEPARATOR}{digest}"


def as_key(value: str) -> str:
    """Return a key for storage. Values of other types are returned unchanged, for a validator to reject."""
    return stored_key(value) if isinstance(value, str) else value


def as_text(value: str) -> str:
    """Return a text in well-formed Unicode.

    Values of other types are returned unchanged, for a validator to reject.
    """
    return well_formed(value) if isinstance(value, str) else value


def as_trimmed(value: str) -> str:
    """Return a trimmed text. Values of other types are returned unchanged, for a validator to reject."""
    if not isinstance(value, str):
        return value
    # Fast path: most texts are single lines, and each save trims several.
    return trimmed(value) if "\n" in value else value.strip()


def as_texts(values: Sequence[str]) -> tuple[str, ...]:
    """Return texts in well-formed Unicode, as a tuple.

    Other types are returned unchanged, for a validator to reject.
    """
    return tuple(map(as_text, values)) if isinstance(values, list | tuple) else values  # type: ignore[return-value]


def trimmed(text: str) -> str:
    r"""Return `text` without blank lines around it. The first of several lines keeps its indentation.

    Example:
        >>> trimmed("\n    x = 1\n    y = 2\n"), trimmed("    x = 1\n")
        ('    x = 1\n    y = 2', 'x = 1')
    """
    inner = text.strip()
    before = text[: len(text) - len(text.lstrip())] if "\n" in inner else ""
    return before[len(before.rstrip(" \t")) :] + inner


def one_line(text: str) -> str:
    r"""Return `text` with line breaks and runs of white space as one space, trimmed.

    Example:
        >>> one_line(" Staging  is\nreset. ")
        'Staging is reset.'
    """
    return " ".join(text.split())


def canonical(text: str) -> str:
    """Return a normal form for comparing titles: composed Unicode characters, without case."""
    return unicodedata.normalize("NFC", text.casefold())


def visible(text: str) -> str:
    r"""Return `text` with every hidden character written as `\u{XXXX}`; line breaks become line feeds.

    Joiners stay inside of emoji, and in scripts with joiners.
    """
    text = _LINE_END.sub("\n", text)
    return text if text.isascii() and text.isprintable() else re.sub(_HIDDEN, _shown, text)


def printed_line(text: str) -> str:
    r"""Return `text` as part of one printed line: a title, a source, a requested id.

    Example:
        >>> printed_line("Staging\x1b[2J is\nreset.")
        'Staging\\u{001B}[2J is reset.'
    """
    return visible(one_line(text))


def echo(asked: str) -> str:
    """Return the beginning of a user's request on one line, for quoting it in an error."""
    return visible(asked[:MAX_ECHO_CHARACTERS]).replace("\n", " ")


def printed_block(text: str) -> str:
    """Return `text` on separate lines, changed so that no line can pass for a header or footer of lamella."""
    return defused(visible(text))


def defused(printed: str) -> str:
    """Insert a space before each line starting like a header or footer (`---`, `──`).

    Example:
        >>> print(defused("--- a header ---"))
         --- a header ---
    """
    return _POSES_AS_OURS.sub(" ", printed)


def printed_json(value: Any) -> str:
    """Return `value` as compact JSON with escaped hidden characters."""
    import json  # noqa: PLC0415 - hooks don't print JSON, and its import is slow

    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return re.sub(_HIDDEN, _escaped, written)


def printed_time(at: datetime, zone: tzinfo = UTC) -> str:
    """Return a time in ISO 8601, to the second.

    Example:
        >>> printed_time(datetime.fromisoformat("2026-11-20T10:30:00.5+01:00"))
        '2026-11-20T09:30:00Z'
    """
    return at.astimezone(zone).isoformat(timespec="seconds").replace("+00:00", "Z")


def read_time(text: str) -> datetime:
    """Return a time in ISO 8601 as UTC. A time without a zone counts as UTC.

    Raises:
        ValueError, OverflowError: The time is invalid.
    """
    time = datetime.fromisoformat(text)
    return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, such as `2 memories`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def cut_point(printed: str, at: int) -> int:
    r"""Return the last grapheme boundary at or before `at`.

    A boundary is never between a base character and its combining marks or joiners, and never inside a flag or a
    `\u{XXXX}`.
    """
    start = printed.rfind("\\u{", max(0, at - _LONGEST_ESCAPE + 1), at + 2)
    if 0 <= start < at and printed.find("}", start, at) < 0:
        at = start
    while 0 < at < len(printed) and _joined(printed, at):
        at -= 1
    return at


def cut(text: str, most: int) -> str:
    """Truncate to at most `most` characters at a grapheme boundary."""
    return text[: cut_point(text, most)]


def shortened(text: str, most: int) -> str:
    """Truncate to at most `most` characters, ending with `...`."""
    return text if len(text) <= most else cut(text, most).rstrip() + "..."


def _joined(text: str, at: int) -> bool:
    """Return True if the characters before and after `at` form one grapheme."""
    before, after = text[at - 1], text[at]
    if after in _FLAG_LETTERS:
        return (at - len(text[:at].rstrip(_FLAG_LETTERS))) % 2 == 1
    if unicodedata.category(after).startswith("M") or before == _ZWJ:
        return True
    return re.match(_CONTINUES, after) is not None


def _escaped(match: re.Match[str]) -> str:
    """Escape a hidden character as in ASCII JSON. Keep a joiner that is part of a word or emoji."""
    return match[0] if _shown(match) == match[0] else encode_basestring_ascii(match[0])[1:-1]


def _shown(match: re.Match[str]) -> str:
    character, text, at = match.group(), match.string, match.start()
    if character in (_ZWNJ, _ZWJ):
        # Some spellings end in a joiner (Persian abbreviations, Indic half forms), but never begin with one.
        before, after = text[max(0, at - 1) : at], text[at + 1 : at + 2]
        if re.match(_JOINER_SCRIPTS, before):
            return character
        if character == _ZWJ and re.match(_PICTOGRAPHS, before) and re.match(_PICTOGRAPHS, after):
            return character
    return f"\\u{{{ord(character):04X}}}"
