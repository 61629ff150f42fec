"""Recognise private files by their names. Their content is never captured.

Hooks check every file, each in its own process, so this module imports little.
"""

from lamella.domain.tables import read_table

_WORDS = read_table(__file__, "private_files.txt")
_NAMES = frozenset(_WORDS["names"].split())
_BEGINNINGS = (".env.", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519")
_ENDINGS = tuple(_WORDS["endings"].split())
_JSON_BEGINNINGS = ("client_secret", "service-account", "service_account")
"""Prefixes of private names ending in `.json`."""

_EXAMPLES = (".example", ".sample", ".template", ".dist", ".pub")
"""Suffixes of templates and public keys: not private."""

_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".gcloud", ".kube", ".docker", ".password-store"})


def is_private(path: str) -> bool:
    """Return True if a path, with `/`, names a private file: `.env`, a key, credentials. Case is ignored."""
    *folders, name = path.lower().split("/")
    if not _FOLDERS.isdisjoint(folders):
        return True
    if name.endswith(_EXAMPLES):
        return False
    return (
        name in _NAMES
        or name.startswith(_BEGINNINGS)
        or name.endswith(_ENDINGS)
        or (name.endswith(".json") and name.startswith(_JSON_BEGINNINGS))
    )
