"""Find secrets by what a line says altogether: a word that looks like one, and others that tell of one.

The less a word looks like a password or a token (`chosen_words`), the more must tell of one: a name of secrets in
some language, and a place where values stand. Lines with a secret that was found otherwise are left alone.

Hooks check every text: lines are read only around letters and signs that stand beside digits.
"""

from lamella.domain.privacy.evidence.chosen_words import (
    CHOSEN,
    STRONG,
    WEAK,
    is_file,
    is_hex,
    is_id,
    is_token,
    likeness,
)
from lamella.domain.privacy.secret_likelihood import is_secret_phrase
from lamella.domain.privacy.token_formats import places_of

Span = tuple[int, int]
"""Start and end of a part of a text."""

_ABROAD = tuple(
    """
    kennwort passwort zugangsdaten anmeldedaten geheim identifiants contrase wachtwoord salasana adgangskode
    passord palavra-passe heslo jelsz segreto hemlig has\u0142o l\u00f6senord \u015fifre
    \u043f\u0430\u0440\u043e\u043b \u5bc6\u7801 \u5bc6\u78bc \u30d1\u30b9\u30ef\u30fc\u30c9 \ube44\ubc00
    """.split()  # noqa: SIM905 - words in running lines can be read and mended
)
_PASSWORDS = (
    *("passw", "passph", "passcode", "pword", "pwd", "secret", "creds", "credential", "identified", "rootpw"),
    *("authtok", "sharedkey", "shared_key", "shared-key", *_ABROAD),
)
_WHOLE_PASSWORDS = frozenset("pass passe pw pin psk cred mdp clave senha parola".split())  # noqa: SIM905 - see above
"""Those that are parts of other words."""

_SHORT = frozenset({"pw", "pwd", "mdp", "clave", "senha"})
"""Those that sentences hardly have but before one."""

_NAMES = (*_PASSWORDS, "token", "api", "key")
_TOKENS = ("token", "apikey", "api-key", "api_key", "api key", "cl\u00e9 api", "jeton", "schl\u00fcssel")
_OTHERS = tuple(
    """
    key login logon auth anmeld zugang sudo jwt crypt appid admin cl\u00e9 conn user basic signing signer hmac
    webhook localhost rotate client( account cookie unlock encrypted
    """.split()  # noqa: SIM905 - see above
)
"""Weak evidence: words that stand beside secrets and beside much else."""
_WHOLE_OTHERS = frozenset(
    """
    root seed salt pat otp signin api ftp sftp smtp imap ldap ssh telnet vnc mqtt vpn wifi wlan jdbc
    """.split()  # noqa: SIM905 - see above
)
_NO_SECRETS = tuple(
    """
    hash sha1 sha2 sha5 md5 sum digest commit rev finger integrity public pub etag uuid guid trace span addr
    contract serial thumb version signingkey image object index cache primary foreign partition
    nonce signature signed age verif
    """.split()  # noqa: SIM905 - see above
)
"""Parts of names of what looks like a token."""
_PUBLIC = (
    *("public", "contract", "commit", "checksum", "fingerprint", "sha256", "md5", "hash", "arn:", "data:"),
    *("signingkey", "ssh-rsa", "ssh-ed", " nkey", "v=dkim1", "domainkey"),
    *(" h1:", "trace-id", "cache key", "restored from key"),
)
"""What is said in lines with such things."""
_BEFORE_SECRETS = frozenset("use using with as by and typed set jetzt mit und avec et con com met en".split())  # noqa: SIM905
_IS = frozenset(
    """
    is now ist est es was war to be lautet vaut reads remains still become \u00e8 \u00e9 jest \u00e4r er \u662f
    \u306f \u70ba \u4e3a
    """.split()  # noqa: SIM905 - see above
)
_FAILED = ("fail", "invalid", "wrong", "incorrect", "denied", "error", "user:", "policy", "expire", "reset")
"""What is said in lines about passwords that tell none."""
_SAID = _IS | _BEFORE_SECRETS
_SIGNS_BEFORE = frozenset(":=/>}|")
_QUOTES = frozenset("\"'`\u00ab\u00bb\u201e\u201c")
_QUOTED = ("\u201e\u201c", "\u201e\u201d", "\u201c\u201d", "\u00ab\u00bb", "\u00bb\u00ab", '""')
_JOINTS = frozenset("=:/@>&")
_ENDS = frozenset(" \t\r\n\"'`<()[]{},;|\\\u00ab\u00bb\u201e\u201c\u201d\u2018\u2019\u3002\uff1a\uff0c")
_WORDS = {ord(each): " " for each in _ENDS}
_APART = {ord(each): " " for each in _ENDS | _JOINTS | set("_-.$#!?%*+~^0123456789")}

_NEAR_BEFORE, _NEAR_BEHIND = 200, 100
"""How far away words tell of a secret."""
_LONGEST_WORD = 256
_SHORTEST_HEX = 16
_LENGTH_OF_KEY = 28
_ENOUGH = 5

_SHAPE = bytes(
    ord("0" if each.isdigit() else "a" if each.isalpha() or each in "_-!@#$%^&*?~" else " ."[each == "."])
    for each in map(chr, range(128))
).ljust(256)
"""Letters and signs in words as `a`, digits as `0`."""


def evident_secrets(text: str) -> list[Span]:
    """Return the start and end of each secret that a line of `text` tells of: in order, without overlaps."""
    shape = text.encode("ascii", "replace").translate(_SHAPE).decode("ascii")
    hits = sorted([*places_of("a0", shape), *places_of("0a", shape), *places_of("a.0", shape)])
    words = text.translate(_WORDS) if hits else ""
    found: list[Span] = []
    done = 0
    for hit in hits:
        if hit >= done:
            begin = words.rfind(" ", max(0, hit - _LONGEST_WORD), hit) + 1 or max(0, hit - _LONGEST_WORD)
            end = words.find(" ", hit, hit + _LONGEST_WORD)
            done = min(len(text), hit + _LONGEST_WORD) if end < 0 else end
            found += _secrets_of(text, begin, done)
    return [*found, *_phrases(text)] if "pass" in text or not text.isascii() else found


def _phrases(text: str) -> list[Span]:
    """Return passwords of several words, in quotes, that a sentence tells of."""
    found = []
    for quotes in _QUOTED:
        for at in places_of(quotes[0], text):
            end = text.find(quotes[1], at + 1, at + _LONGEST_WORD)
            phrase = text[at + 1 : end].strip(" \\")
            if end > 0 and phrase.replace(" ", "").isalnum() and is_secret_phrase(phrase, words=True):
                start, line = _line_around(text, at, at)
                said = line[: at - start].lower().rstrip(" \\")
                before = "".join(said.split()[-1:])
                if _evidence(said, token=False) > 1 and (before in _SAID or _evidence(before, token=False) > 1):
                    begin = text.index(phrase, at)
                    found.append((begin, begin + len(phrase)))
    return found


def _secrets_of(text: str, begin: int, end: int) -> list[Span]:
    """Return the first secret that is a part of a word, or all of it."""
    begin += text[begin] in "+-" and text[begin - 1 : begin] in {"", "\n"}  # the sign of a line in a diff
    is_quoted = text[begin - 1 : begin] in _QUOTES and text[end : end + 1] in {"\\", *_QUOTES, "\u201d"}
    last = end if is_quoted else begin + len(text[begin:end].rstrip(".:!?"))
    likely = [
        (*part, score)
        for part in _parts(text, begin, last, is_quoted=is_quoted)
        if (score := likeness(text[slice(*part)].replace(".", "-" if is_quoted else ".")))
        and (is_quoted or not _is_code(text, *part))
    ]
    if not likely:
        return []
    start, line = _line_around(text, begin, end)
    if "[redacted]" in line or "***" in line:
        likely = [(one, other, score) for one, other, score in likely if is_token(text[one:other])]
    said = line
    for one, other, score in likely:
        if score == STRONG:
            said = said[: one - start] + " " * (other - one) + said[other - start :]
    said = said.lower().replace("tokeniz", "").replace("usercontent", "")
    return [
        (one, other) for one, other, score in likely if _is_believed(line, said, one - start, other - start, score)
    ][:1]


def _parts(text: str, begin: int, end: int, *, is_quoted: bool) -> list[Span]:
    """Return a word if it can be one secret, else what stands between the signs in it; of an address the query."""
    word = text[begin:end]
    is_one = is_token(word) or (is_quoted and likeness(word) == STRONG)
    if _JOINTS.isdisjoint(word) or (is_one and not {":", "="} & set(word.rstrip("="))):
        return [(begin, end)]
    if "://" in word or word.startswith(("/", "~", ".", "arn:")):
        begin = text.find("?", begin, end) + 1
        if not begin or "://" in text[begin:end]:
            return []
    parts = []
    for at in range(begin, end):
        if text[at] in _JOINTS:
            parts.append((begin, at))
            begin = at + 1
    return [*parts, (begin, end)]


def _is_code(text: str, begin: int, end: int) -> bool:
    """Return True for the name of a function, an object or a file."""
    value, following = text[begin:end], text[end : end + 2]
    is_name = value[-1:] in {"!", "?"} or (is_file(value) and not is_token(value))
    return is_name or following[:1] in {"(", "["} or (following[:1] == "." and following[1:].isalnum())


def _line_around(text: str, begin: int, end: int) -> tuple[int, str]:
    """Return where the line of a word begins, and what it says near the word."""
    least = max(0, begin - _NEAR_BEFORE)
    start = text.rfind("\n", least, begin) + 1 or least
    start = max(start, text.rfind("\\n", least, begin) + 2 if "\\n" in text[least:begin] else 0)
    behind = text[end : end + _NEAR_BEHIND].partition("\n")[0].partition("\\n")[0]
    return start, text[start:end] + behind


def _is_believed(line: str, said: str, begin: int, end: int, score: int) -> bool:
    value = line[begin:end]
    name, word = _name_before(line, begin).lower(), _word_before(line, begin)
    is_bare = name in {"key", "keys"} and line[begin - len("?key=") : begin] not in {"?key=", "&key="}
    token = is_token(value) or (name != "" and len(value) >= _SHORTEST_HEX and is_hex(value))
    is_salt = name.endswith("salt")
    evidence = _evidence(said.replace(name, "", 1) if is_bare else said, token=token)
    if (
        (any(each in name for each in _NO_SECRETS) and not is_salt)
        or (name.endswith("id") and not name.endswith(("appid", "secret_id")))
        or (token and not is_salt and any(each in said for each in _PUBLIC))
        or (is_id(value) and not (name or word in _IS or _tells(word) + (word[:1] == "-") > 1))
        or (is_hex(value) and not line[:begin].strip("+- ") and line[end : end + 2] in {"  ", " *"})  # md5sum(1)
    ):
        return False
    is_key = score == STRONG and token and not is_hex(value) and len(value) >= _LENGTH_OF_KEY
    if is_key and line[begin - len(name) - len('="') : begin].isupper():
        return True
    is_user = line[begin - 1 : begin] == ":" and (not token or (evidence > 1 and not is_hex(value)))
    if not evidence or (name and not is_user and not is_bare and not _evidence(name, token=token)):
        return False
    of_user = is_user and name != "" and score > WEAK and not _evidence(name, token=token)
    told = int(token and score == STRONG and evidence > 1)
    if name:
        told = 1 + (token or of_user or name in _SHORT or name.startswith(_ABROAD))
    score = max(score, CHOSEN) if token else score
    return score + evidence + max(told, _standing(line, begin, end, score, evidence)) >= _ENOUGH


def _evidence(said: str, *, token: bool) -> int:
    """Return how much some words tell of a secret: 0 nothing, 1 a little, 2 much."""
    words = frozenset(said.translate(_APART).split())
    if not _WHOLE_PASSWORDS.isdisjoint(words) or any(name in said for name in _PASSWORDS):
        return 2
    if any(name in said for name in _TOKENS):
        return 1 + token
    return int(not _WHOLE_OTHERS.isdisjoint(words) or any(name in said for name in _OTHERS))


def _name_before(line: str, begin: int) -> str:
    """Return the name that a value is given to, or the maker of an id that takes it; empty in a sentence."""
    before = line[:begin].rstrip("\"'`[{\\ ")
    if before.endswith("("):
        name = _last_name(before[:-1])
        return name if name.lower().endswith("id") else ""
    head = before.rstrip(">=:?").rstrip(" ")
    operator = before[len(head) :].strip(" ")
    if operator in {"", ">", "?"}:
        return ""
    is_quoted = head[-1:] in _QUOTES
    head = head.rstrip("\"'`]\\")
    name = _last_name(head)
    rest = head[: len(head) - len(name)].rstrip(" -+\t")[-1:]
    is_given = "=" in operator or is_quoted or "_" in name or line[begin - 1 : begin] == ":"
    if rest in {"@", "/"}:
        return ""
    return name if is_given or rest in {"", "{", ",", "(", ";"} else ""


def _last_name(head: str) -> str:
    at = len(head)
    while at and (head[at - 1].isalnum() or head[at - 1] in "_-."):
        at -= 1
    return head[at:]


def _word_before(line: str, begin: int) -> str:
    return line[:begin].rstrip(" [\"'`\u00ab\u00bb\u201e\u201c\\").rpartition(" ")[2].rpartition("'")[2].lower()


def _tells(word: str) -> int:
    """Return how much the word right before another one tells that this is a secret."""
    if word.strip("-") in _WHOLE_PASSWORDS:
        return 2
    is_name = word.replace("-", "").rstrip("0123456789").isalpha() and not word.endswith(("id", "name"))
    return _evidence(word, token=True) if is_name and word.lstrip("-").startswith(_NAMES) else 0


def _standing(line: str, begin: int, end: int, score: int, evidence: int) -> int:
    """Return 1 for a word that stands where values do; 2 if a sentence says it, or it follows a user."""
    before = line[:begin].rstrip(" ")
    word = _word_before(line, begin)
    if evidence > 1 and not _IS.isdisjoint((word, before[-1:])):
        return 2
    is_quoted, tells = line[begin - 1 : begin] in {"[", *_QUOTES}, _tells(word)
    is_sure = is_quoted or score > WEAK or word in _SHORT or is_hex(line[begin:end])
    is_drawn = word[:1] == "-" and is_token(line[begin:end])
    if (is_sure and tells > 1) or (is_drawn and tells) or before.endswith((" /", " //")):
        return 2
    if is_quoted:
        earlier = before[:-1].rstrip(" \\")
        return 1 + (
            score > WEAK and "(" in earlier and earlier[-1:] == "," and earlier[:-1].rstrip(" ")[-1:] in _QUOTES
        )
    if evidence > 1 and before[-1:] == ":" and not (line[end:].strip() or line[begin:end].isupper()):
        return 1 + (not any(each in line.lower() for each in _FAILED))
    is_told = line[begin - 1 : begin] == " " and _evidence(word, token=False) + score > STRONG
    stands = word[:1] == "-" or word in _SAID or before[-1:] in _SIGNS_BEFORE
    return int(is_told or stands or not line[end:].strip(" .;!)}\"'`"))
