"""Redact secrets in a text before it is stored.

This module recognises secrets in published formats, and values that are secrets according to the text around them.
Broader rules would also redact ordinary text, and a mangled memory is useless. The replacement of a secret is
never longer than the secret.

Each hook redacts texts in a process of its own, so imports cost time. A finder (a module for a kind of secrets) is
imported only for a text with one of its signs.
"""

# ruff: noqa: PLC0415 - see above

from lamella.domain.privacy.signs import Signs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REDACTED = "[redacted]"
"""Replacement for a secret."""

_SHORTEST = len("PWD=abcd")
"""Minimum length of a text that can contain a secret."""

_LONGEST_OF_ONE_SIGN = 16
"""Maximum length of a run of one character at the end of a token. Longer runs mean a placeholder."""

_REDACTED_SHORT = "***"
"""Replacement for a secret shorter than `REDACTED`."""

PRIVATE = "[private]"
"""Replacement for text marked as private by the user."""

_PRIVATE_TAG = r"(?i)<(?P<end>/?)private\b[^<>]*>"


class Redacted(tuple[str, int]):
    """Text with its secrets replaced, and the number of replaced secrets."""

    __slots__ = ()

    def __new__(cls, text: str, secrets: int) -> "Redacted":  # noqa: PYI034 - `Self` would import `typing`
        """Create the pair of the text and the number of replaced secrets."""
        return tuple.__new__(cls, (text, secrets))

    @property
    def text(self) -> str:
        """Text with its secrets replaced."""
        return self[0]

    @property
    def secrets(self) -> int:
        """Number of replaced secrets."""
        return self[1]


def redact(text: str) -> Redacted:
    """Return `text` with each secret replaced by `[redacted]`, or a short secret by `***`."""
    if len(text) < _SHORTEST:
        return Redacted(text, 0)
    signs = Signs(text)
    text, secrets = _without_formats(text, signs)
    for places_in in _finders(signs):
        text, found = _without_parts(places_in(text), text)
        secrets += found
    if secrets or signs.of_evidence():
        from lamella.domain.privacy.evidence.lines import evident_secrets

        text, found = _without_parts(evident_secrets(text), text)
        secrets += found
    return Redacted(text, secrets)


def cleaned(text: str) -> Redacted:
    """Return `text` for storage: without secrets and private parts."""
    return redact(without_private(text))


def without_private(text: str) -> str:
    """Return `text` with everything in `<private>...</private>` replaced by `[private]`.

    Tags may be nested. An unclosed tag hides all text after it, to be safe.
    """
    if "<" not in text or "<private" not in text.lower():
        return text
    import re

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


def is_emptied(text: str) -> bool:
    """Return True if a text consists only of replacements for secrets and private parts."""
    for replacement in (PRIVATE, REDACTED, _REDACTED_SHORT):
        text = text.replace(replacement, "")
    return not text.strip()


def _without_formats(text: str, signs: Signs) -> tuple[str, int]:
    """Return `text` without keys and tokens of known formats, and their number.

    All lines of a private key count as one secret.
    """
    secrets = 0
    if found := signs.of_formats():
        from lamella.domain.privacy.token_formats import formats_of

        for format in formats_of(found, text):
            text, count = _without(format, text)
            secrets += count
    if signs.of_lines_of_keys():
        from lamella.domain.privacy.private_key_lines import key_lines

        text, lines = _without_parts(key_lines(text), text)
        secrets += bool(lines)
    return text, secrets


def _finders(signs: Signs) -> "Iterator[Callable[[str], list[tuple[int, int]]]]":
    """Yield the finders for secrets without a known format. Skip finders without signs in the text."""
    if signs.of_addresses():
        from lamella.domain.privacy.addresses import address_secrets

        yield address_secrets
    if signs.of_commands():
        from lamella.domain.privacy.commands.secrets import command_secrets, shaped_secrets

        yield lambda text: command_secrets(text, signs.words)
        yield lambda text: shaped_secrets(text, signs.words)
    if functions := signs.of_calls():
        from lamella.domain.privacy.calls import called_secrets

        yield lambda text: called_secrets(text, functions)
    if signs.forms:
        from lamella.domain.privacy.forms import stated_secrets

        yield lambda text: stated_secrets(text, signs.forms)
    if signs.names:
        from lamella.domain.privacy.named_secrets import assigned_secrets

        yield assigned_secrets


def _without(format: str, text: str) -> tuple[str, int]:
    import re

    kept = "kept" if "(?P<kept>" in format else 0
    ends = [(match.end(kept) if kept else match.start(), match.end()) for match in re.finditer(format, text)]
    return _without_parts([place for place in ends if not _is_placeholder(text[slice(*place)])], text)


def _is_placeholder(token: str) -> bool:
    """Return True for `ghp_xxxxxxxxxxxxxxxx`, and for an issuer's sample key: `AKIAIOSFODNN7EXAMPLE`."""
    from lamella.domain.privacy.placeholders import ENDS_OF_SHOWN_KEYS

    if token.endswith(ENDS_OF_SHOWN_KEYS):
        return True
    return len(token) > _LONGEST_OF_ONE_SIGN and set(token[-len(REDACTED) :]) <= set("xX")


def _without_parts(places: list[tuple[int, int]], text: str) -> tuple[str, int]:
    """Return `text` with some spans replaced, and their number. Of overlapping spans, replace the first only."""
    parts: list[str] = []
    done = count = 0
    for start, end in sorted(places):
        if start >= done:
            parts += text[done:start], REDACTED if end - start >= len(REDACTED) else _REDACTED_SHORT
            done = end
            count += 1
    return "".join([*parts, text[done:]]), count
