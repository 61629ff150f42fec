"""Names of secrets: `DB_PASSWORD`, `clientSecret`, `api-key`; but not `next_token` or `bypass`."""

from lamella.domain.tables import read_table

HITS = ("pass", "pw", "psk", "secret", "token", "key", "credential", "creds", "auth", "_pat")
"""Parts of names, in small letters. Every name of a secret contains one of them."""

NAME_SIGNS = "_-."
_WITHOUT_SIGNS = {ord(each): None for each in NAME_SIGNS}

_PASSWORD_WORDS = ("password", "passwd", "passphrase", "passwort", "passcode", "pass", "pwd", "pw", "psk")
_SHORT_PASSWORD_WORDS = frozenset({"pass", "pwd", "pw", "psk"})
"""Parts of names that count only at the beginning of a word: `bypass` isn't a name of a password.

`PASS` in capitals may also end a word, as in SSHPASS.
"""
_NO_PASSWORD = ("BY", "COM", "IM", "OVER", "SUR", "TRES", "UNDER", "MULTI", "TWO", "LOW", "HIGH", "BAND")

_WORDS = read_table(__file__, "secret_names.txt")
_WHOSE = tuple(_WORDS["whose"].split())
"""Owners of a password, before `password` in the same word: `db` in `dbpassword`."""

_NOBODYS = tuple(_WORDS["nobodys"].split())
"""Words next to `password` in names of labels and fields, not of passwords: `confirm_password`."""

_FLAGS = ("--show-", "--hide-", "--no-")
"""Prefixes of options without a value: `--show-secrets`."""

_AFTER_KEY = frozenset(_WORDS["after_key"].split()) | {""}
_AFTER_PASSWORD = _AFTER_KEY | {"secret", "confirmation", "confirm", "repeat", "again"}
_AFTER_SECRET = _AFTER_KEY | {"key", "accesskey", "keybase", "token", "text", "string", "id"}
_AFTER_TOKEN = (_AFTER_KEY | {"secret", "key"}) - {"s"}
_AFTER = {
    "secret": _AFTER_SECRET,
    "token": _AFTER_TOKEN,
    "credential": _AFTER_KEY,
    "creds": frozenset({""}),
    "key": _AFTER_KEY,
}
"""For each word for a secret, the words that may follow it in a name, such as `key` in `secret_key`."""

_KINDS_OF_KEY = tuple(_WORDS["kinds_of_key"].split())
_WITH_PATS = ("git", "github", "gh", "gitlab", "azure", "ado", "devops", "ext", "bot", "user", "personal")
"""Words before `_PAT`, a personal access token."""
_PLACES_IN_A_LIST = ("next", "page", "continuation", "pad", "eos", "bos", "unk", "stop", "sync", "publickey")
"""Words before `token` in names of public values: positions in a list, or units of a language model's text."""


def names_password(text: str, lower: str, hit: int, end: int) -> bool | None:
    """Return True if the name around `hit` names a password, False for another secret, None for no secret."""
    if lower.endswith(_FLAGS, 0, hit):
        return None
    tail = lower[hit:end].translate(_WITHOUT_SIGNS).rstrip("0123456789")
    before = lower[max(0, hit - 16) : hit].translate(_WITHOUT_SIGNS)
    if tail.startswith(("pass", "pw", "psk")):
        word = next(word for word in _PASSWORD_WORDS if tail.startswith(word))
        known = word not in _SHORT_PASSWORD_WORDS or _begins_word(text, lower, hit)
        return True if known and tail[len(word) :] in _AFTER_PASSWORD else None
    for word, following in _AFTER.items():
        if tail.startswith(word):
            names = tail[len(word) :] in following and (
                _may_follow(before, word) or _is_key_of_jwt(lower, hit, word)
            )
            return word == "secret" and not tail.endswith("id") if names else None
    if lower.startswith("_pat", hit):
        return False if lower[hit:end] == "_pat" and lower.endswith(_WITH_PATS, 0, hit) else None
    if tail == "authtok":
        return True
    return False if tail in {"auth", "authorization"} and _begins_word(text, lower, hit) else None


def names_whose(lower: str, hit: int) -> bool:
    """Return True if the name around `hit` includes the owner of the secret, as in `db_password`."""
    owner = lower[max(0, hit - 16) : hit]
    bare = owner.rstrip(NAME_SIGNS)
    return owner.endswith(_WHOSE) or (owner != bare and bare[-1:].isalnum() and not bare.endswith(_NOBODYS))


def _begins_word(text: str, lower: str, hit: int) -> bool:
    is_escape = text[hit - 2 : hit - 1] == "\\" and text[hit - 1] in "nrt"  # an escaped line break before the name
    if is_escape or not lower[hit - 1 : hit].isalnum() or (text[hit].isupper() and text[hit - 1].islower()):
        return True
    if lower.startswith(("pass", "pw"), hit) and lower.endswith(_WHOSE, 0, hit):
        return True
    return text.startswith("PASS", hit) and text[hit - 1].isupper() and not text.endswith(_NO_PASSWORD, 0, hit)


def _is_key_of_jwt(lower: str, hit: int, word: str) -> bool:
    """Return True for `"Jwt": {"Key": "..."}`."""
    return word == "key" and lower[hit - 1 : hit] == '"' and '"jwt' in lower[max(0, hit - 100) : hit]


def _may_follow(before: str, word: str) -> bool:
    """Return True if a word after the text `before` can name a secret, as in `api_key` but not in `next_token`."""
    if before.endswith(("usersigning", "pkcs11:")):
        return False  # a signing key of git, or the path of a device
    if word == "key":
        return before.rstrip(" ").endswith(_KINDS_OF_KEY) or before.endswith("jwt:")
    return word != "token" or not before.endswith(_PLACES_IN_A_LIST)
