"""Keys as they are stored: bounded, so that any database can index them."""

import hashlib

from lamella.domain.text.printing import well_formed

MAX_KEY_CHARACTERS = 500
"""Characters of the longest key that is kept whole: at most 2,000 bytes, which SQLite and PostgreSQL can index."""

_DIGEST_BYTES = 16
_SEPARATOR = "~"
_KEPT_CHARACTERS = MAX_KEY_CHARACTERS - len(_SEPARATOR) - 2 * _DIGEST_BYTES


def stored_key(key: str) -> str:
    """Return a key as it is stored: well-formed, and a longer one as its beginning and a digest of the whole.

    Keys are the ids of messages, records, sources, sessions, requests and activity, and the aliases of projects.
    Long keys that differ stay different; NUL and lone surrogates become U+FFFD. A stored key is stored as it is.
    """
    key = well_formed(key)
    if len(key) <= MAX_KEY_CHARACTERS:
        return key
    digest = hashlib.blake2b(key.encode(), digest_size=_DIGEST_BYTES).hexdigest()
    return f"{key[:_KEPT_CHARACTERS]}{_SEPARATOR}{digest}"


def as_key(value: str) -> str:
    """Return a key as it is stored; what is no text stays as it is, for a validator to refuse."""
    return stored_key(value) if isinstance(value, str) else value
