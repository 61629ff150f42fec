"""Redact secrets in a text before it is stored.

Only published formats, and values that are assigned to the name of a secret, are recognised: a memory that mangles
ordinary text is useless too. The replacement of a secret is never longer than the secret.

Hooks do this in a process of their own: regular expressions are imported only for a text that may hold a secret.
"""

from lamella.domain.privacy.calls import called_secrets
from lamella.domain.privacy.commands.secrets import command_secrets, shaped_secrets
from lamella.domain.privacy.evidence.lines import evident_secrets
from lamella.domain.privacy.forms import stated_secrets
from lamella.domain.privacy.named_secrets import assigned_secrets
from lamella.domain.privacy.private_key_lines import key_lines
from lamella.domain.privacy.token_formats import formats_in, parts_of, words_in

REDACTED = "[redacted]"
"""Replaces a secret."""

_SHORTEST = len("PWD=abcd")
"""The shortest text that can hold a secret."""

_LONGEST_OF_ONE_SIGN = 16
"""More of the same sign at the end of a token stand for one."""

_REDACTED_SHORT = "***"
"""The same for a password of fewer characters."""

PRIVATE = "[private]"
"""Replaces text that a user marked as private."""

_PRIVATE_TAG = r"(?i)<(?P<end>/?)private\b[^<>]*>"


class Redacted(tuple[str, int]):
    """Text without its secrets, and their number."""

    __slots__ = ()

    def __new__(cls, text: str, secrets: int) -> "Redacted":  # noqa: PYI034 - `Self` would import `typing`
        """Create a value of the text without secrets, and their number."""
        return tuple.__new__(cls, (text, secrets))

    @property
    def text(self) -> str:
        """Text without its secrets."""
        return self[0]

    @property
    def secrets(self) -> int:
        """Number of secrets that were replaced."""
        return self[1]


def redact(text: str) -> Redacted:
    """Return `text` with each secret replaced by `[redacted]`, a short one by `***`."""
    if len(text) < _SHORTEST:
        return Redacted(text, 0)
    secrets = 0
    words = words_in(text)
    for format in formats_in(text, words):
        text, found = _without(format, text)
        secrets += found
    text, lines = _without_parts(key_lines(text), text)
    secrets += bool(lines)
    parts = parts_of(words)
    by_words = (
        lambda text: command_secrets(text, words),
        lambda text: shaped_secrets(text, words),
        lambda text: called_secrets(text, parts),
        lambda text: stated_secrets(text, parts),
    )
    for places_in in (_address_secrets, *by_words, assigned_secrets, evident_secrets):
        text, found = _without_parts(places_in(text), text)
        secrets += found
    return Redacted(text, secrets)


def cleaned(text: str) -> Redacted:
    """Return `text` as it may be stored: without secrets, and without what is marked as private."""
    return redact(without_private(text))


def without_private(text: str) -> str:
    """Return `text` with everything in `<private>...</private>` replaced by `[private]`.

    Tags may be nested. An unclosed one hides all text after it, in favour of privacy.
    """
    if "<" not in text or "<private" not in text.lower():
        return text
    import re  # noqa: PLC0415 - most texts have no such tag

    kept: list[str] = []
    start = depth = 0
    for tag in re.finditer(_PRIVATE_TAG, text):
        if not tag["end"]:
            if not depth:
                kept += [text[start : tag.start()], PRIVATE]
            depth += 1
        elif depth:
            depth -= 1
            start = tag.end()
    return "".join([*kept, "" if depth else text[start:]])


def _address_secrets(text: str) -> list[tuple[int, int]]:
    if "@" not in text or ":" not in text:
        return []
    from lamella.domain.privacy.addresses import address_secrets  # noqa: PLC0415 - few texts have one

    return address_secrets(text)


def _without(format: str, text: str) -> tuple[str, int]:
    import re  # noqa: PLC0415 - most texts hold nothing to look for

    kept = "kept" if "(?P<kept>" in format else 0
    ends = [(match.end(kept) if kept else match.start(), match.end()) for match in re.finditer(format, text)]
    return _without_parts([place for place in ends if not _is_placeholder(text[slice(*place)])], text)


def _is_placeholder(token: str) -> bool:
    """Return True for `ghp_xxxxxxxxxxxxxxxx`."""
    return len(token) > _LONGEST_OF_ONE_SIGN and set(token[-len(REDACTED) :]) <= set("xX")


def _without_parts(places: list[tuple[int, int]], text: str) -> tuple[str, int]:
    """Return `text` with some places replaced, and their number. Of places that overlap the first counts."""
    parts: list[str] = []
    done = count = 0
    for start, end in sorted(places):
        if start >= done:
            parts += text[done:start], _instead_of(end - start)
            done = end
            count += 1
    return "".join([*parts, text[done:]]), count


def _instead_of(length: int) -> str:
    return REDACTED if length >= len(REDACTED) else _REDACTED_SHORT
