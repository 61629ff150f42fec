"""Find secrets by their names: `DB_PASSWORD=...`, `"client_secret": "..."`, `--token ...`.

Many texts contain words such as `key`, but no secret. Therefore, a value is judged only if the whole name is the
name of a secret. No part of a text is read more than a few times.
"""

from lamella.domain.privacy.secret_names import HITS, NAME_SIGNS, names_password
from lamella.domain.privacy.signs import after, lowered, places_of

_LONGEST_NAME = 60


def assigned_secrets(text: str) -> list[tuple[int, int]]:
    """Return the spans of secrets assigned to names, in order, without overlaps."""
    lower = lowered(text)
    found: list[tuple[int, int]] = []
    done = 0
    for hit in sorted(hit for word in HITS for hit in places_of(word, lower)):
        if hit >= done:
            secret = _secret_of(text, lower, hit)
            if secret:
                found.append(secret)
                done = secret[1]
    return found


def _secret_of(text: str, lower: str, hit: int) -> tuple[int, int] | None:
    """Return the span of the secret assigned to the name around offset `hit`; None without a secret."""
    end = after(text, hit, NAME_SIGNS, alphanumeric=True, most=_LONGEST_NAME)
    password = names_password(text, lower, hit, end)
    if password is None:
        return None
    from lamella.domain.privacy.assigned_values import secret_of  # noqa: PLC0415 - see above

    return secret_of(text, lower, hit, slice(_name_begin(text, hit), end), password=password)


def _name_begin(text: str, hit: int) -> int:
    start = hit
    while start and hit - start < _LONGEST_NAME and (text[start - 1].isalnum() or text[start - 1] in NAME_SIGNS):
        start -= 1
    is_escape = text[start - 1 : start] == "\\" and text[start] in "nrt"  # the text has an escaped line break
    return start + is_escape
