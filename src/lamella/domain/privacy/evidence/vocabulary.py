"""Words as evidence of secrets, in some twenty languages."""

from lamella.domain.tables import read_table

_WORDS = read_table(__file__, "vocabulary.txt")
ABROAD = tuple(_WORDS["abroad"].split())
PASSWORDS = (
    *("passw", "passph", "passcode", "pword", "pwd", "secret", "creds", "credential", "identified", "rootpw"),
    *("authtok", "de passe", "sharedkey", "shared_key", "shared-key", *ABROAD),
)
WHOLE_PASSWORDS = frozenset("pass passe pw pin psk cred mdp clave senha parola".split())  # noqa: SIM905 - see above
"""Names of passwords that are strong evidence only as whole words."""

SHORT = frozenset({"pw", "pwd", "mdp", "clave", "senha"})
"""Names nearly always followed by a password, even in sentences."""

NAMES_OF_PASSWORDS = (
    *WHOLE_PASSWORDS - {"passe", "cred"},
    *(name for name in PASSWORDS if not name.startswith("pass")),
)
_NAMES = (*PASSWORDS, "token", "api", "key")
TOKENS = ("token", "jeton")
KEYS = ("key", "cl\u00e9", "schl\u00fcssel", "chiave", "clave")
OTHERS = tuple(_WORDS["others"].split())
"""Weak evidence: words that occur near secrets, but also near other values."""
_WITHOUT_OTHERS = tuple(_WORDS["without_others"].split())
"""Words that contain one of the words in `OTHERS`, but aren't evidence."""
WHOLE_OTHERS = frozenset(_WORDS["whole_others"].split())
_ENDINGS = ("password", "passwd", "passphrase", "secret")
NO_SECRETS = tuple(_WORDS["no_secrets"].split())
"""Parts of names whose values look like tokens, but are no secrets."""
PUBLIC = (
    *("public", "contract", "commit ", "checksum", "fingerprint", "sha256", "md5", "hash", "arn:", "data:"),
    *("signingkey", "ssh-rsa", "ssh-ed", " nkey", "v=dkim1", "domainkey"),
    *(" h1:", "trace-id", "cache key", "restored from key", "digest: ", "websocket-key", "enc[aes"),
)
"""Parts of lines in which a token is public, such as a checksum."""
IS = frozenset(_WORDS["is"].split())
AS = IS | frozenset(_WORDS["as"].split())
FAILED = ("fail", "invalid", "wrong", "incorrect", "denied", "error", "user:", "policy", "expire", "reset")
"""Words in lines that mention a password, but don't contain a password, such as error messages."""
SAID = IS | frozenset(_WORDS["said"].split())
USERS = ("login", "user", "username", " -u")
"""Words before a user name. A password may follow the name."""
BARE = frozenset({"key", "keys", "default", "value", "plaintext"})
"""Names that say nothing about their values."""
_APART = dict.fromkeys(
    [
        *(each for each in range(128) if not chr(each).isalpha()),
        *b"\xab\xbb",
        *map(ord, "\u201e\u201c\u201d\u2018\u2019\u3002\uff1a\uff0c"),
    ],
    " ",
)


def evidence_of(said: str, *, token: bool) -> int:
    """Rate the evidence of some words for a secret: 0 for none, 1 for weak, 2 for strong evidence."""
    words = frozenset(said.translate(_APART).split())
    if not WHOLE_PASSWORDS.isdisjoint(words) or any(name in said for name in PASSWORDS):
        return 2
    if any(name in said for name in TOKENS) or ("api" in said and any(key in said for key in KEYS)):
        return 1 + token
    for harmless in _WITHOUT_OTHERS:
        said = said.replace(harmless, "")
    return int(not WHOLE_OTHERS.isdisjoint(words) or any(name in said for name in OTHERS))


def tells_of_next(word: str) -> int:
    """Rate a word's evidence that the next word is a secret: 0 for none, 1 for weak, 2 for strong."""
    if word.strip("-") in WHOLE_PASSWORDS:
        return 2
    is_name = word.replace("-", "").lstrip("+").rstrip("0123456789").isalpha() and not word.endswith(
        ("id", "name")
    )
    return (
        evidence_of(word, token=True)
        if is_name and (word.lstrip("-").startswith(_NAMES) or word.endswith(_ENDINGS))
        else 0
    )
