"""Words that tell of secrets, in some twenty languages."""

ABROAD = tuple(
    """
    kennwort passwort zugangsdaten anmeldedaten geheim identifiants contrase wachtwoord salasana adgangskode
    passord palavra-passe heslo jelsz segreto hemlig has\u0142o l\u00f6senord \u015fifre
    \u043f\u0430\u0440\u043e\u043b \u5bc6\u7801 \u5bc6\u78bc \u30d1\u30b9\u30ef\u30fc\u30c9 \ube44\ubc00
    """.split()  # noqa: SIM905 - words in running lines can be read and mended
)
_PASSWORDS = (
    *("passw", "passph", "passcode", "pword", "pwd", "secret", "creds", "credential", "identified", "rootpw"),
    *("authtok", "de passe", "sharedkey", "shared_key", "shared-key", *ABROAD),
)
_WHOLE_PASSWORDS = frozenset("pass passe pw pin psk cred mdp clave senha parola".split())  # noqa: SIM905 - see above
"""Those that are parts of other words."""

SHORT = frozenset({"pw", "pwd", "mdp", "clave", "senha"})
"""Those that sentences hardly have but before one."""

NAMES_OF_PASSWORDS = (
    *_WHOLE_PASSWORDS - {"passe", "cred"},
    *(name for name in _PASSWORDS if not name.startswith("pass")),
)
_NAMES = (*_PASSWORDS, "token", "api", "key")
_KEYS = ("key", "cl\u00e9", "schl\u00fcssel", "chiave", "clave")
_OTHERS = tuple(
    """
    key login logon auth anmeld zugang sudo jwt crypt appid admin cl\u00e9 conn user basic signing signer hmac
    webhook localhost rotate client account cookie unlock encrypted
    """.split()  # noqa: SIM905 - see above
)
"""Weak evidence: words that stand beside secrets and beside much else."""
_WHOLE_OTHERS = frozenset(
    """
    root seed salt pat otp signin api ftp sftp smtp imap ldap ssh telnet vnc mqtt vpn wifi wlan jdbc
    """.split()  # noqa: SIM905 - see above
)
_ENDINGS = ("password", "passwd", "passphrase", "secret")
NO_SECRETS = tuple(
    """
    hash sha1 sha2 sha5 md5 sum digest commit rev finger integrity public pub etag uuid guid trace span addr
    contract serial thumb version signingkey image object index cache primary foreign partition
    nonce signature signed age verif
    """.split()  # noqa: SIM905 - see above
)
"""Parts of names of what looks like a token."""
PUBLIC = (
    *("public", "contract", "commit ", "checksum", "fingerprint", "sha256", "md5", "hash", "arn:", "data:"),
    *("signingkey", "ssh-rsa", "ssh-ed", " nkey", "v=dkim1", "domainkey"),
    *(" h1:", "trace-id", "cache key", "restored from key", "digest: ", "websocket-key", "enc[aes"),
)
"""What is said in lines with such things."""
IS = frozenset(
    """
    is now ist est es was war to be lautet vaut reads remains still become \u00e8 \u00e9 jest \u00e4r er \u662f
    \u306f \u70ba \u4e3a
    """.split()  # noqa: SIM905 - see above
)
_APART = dict.fromkeys(
    [
        *(each for each in range(128) if not chr(each).isalpha()),
        *b"\xab\xbb",
        *map(ord, "\u201e\u201c\u201d\u2018\u2019\u3002\uff1a\uff0c"),
    ],
    " ",
)


def evidence_of(said: str, *, token: bool) -> int:
    """Return how much some words tell of a secret: 0 nothing, 1 a little, 2 much."""
    words = frozenset(said.translate(_APART).split())
    if not _WHOLE_PASSWORDS.isdisjoint(words) or any(name in said for name in _PASSWORDS):
        return 2
    if any(name in said for name in ("token", "jeton")) or ("api" in said and any(key in said for key in _KEYS)):
        return 1 + token
    return int(not _WHOLE_OTHERS.isdisjoint(words) or any(name in said for name in _OTHERS))


def tells_of_next(word: str) -> int:
    """Return how much the word right before another one tells that this is a secret."""
    if word.strip("-") in _WHOLE_PASSWORDS:
        return 2
    is_name = word.replace("-", "").lstrip("+").rstrip("0123456789").isalpha() and not word.endswith(
        ("id", "name")
    )
    return (
        evidence_of(word, token=True)
        if is_name and (word.lstrip("-").startswith(_NAMES) or word.endswith(_ENDINGS))
        else 0
    )
