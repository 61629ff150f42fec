"""Find secrets by their whole line: a word that looks like a secret, and other words as evidence.

A word less similar to a password or a token (see `chosen_words`) needs more evidence. Two things in the line are
evidence: a word for secrets, such as "password", in one of many languages; and a position where values are usually
written, such as after `=`. Lines in which a secret was already found are left alone.

Hooks check every text, so this module must be fast. If a line contains a word for a password, all of its words are
judged. In other lines, only words with a digit next to a letter are judged.
"""

from lamella.domain.privacy.evidence.chosen_words import (
    CHOSEN,
    STRONG,
    WEAK,
    is_file,
    is_hex,
    is_id,
    is_token,
    is_two_words,
    likeness,
)
from lamella.domain.privacy.evidence.vocabulary import (
    ABROAD,
    AS,
    BARE,
    FAILED,
    IS,
    NAMES_OF_PASSWORDS,
    NO_SECRETS,
    PUBLIC,
    SAID,
    SHORT,
    USERS,
    evidence_of,
    tells_of_next,
)
from lamella.domain.privacy.secret_likelihood import is_called, is_secret_phrase, is_version
from lamella.domain.privacy.signs import PASSWORD_OPTIONS, SHAPE, places_of

Span = tuple[int, int]
"""Start and end of a part of a text."""

_TO, _CHANGED = frozenset({"auf", "a", "\u00e0", "en", "til"}), ("chang", "cambi", "\u00e4nder", "setz", "wijzig")
"""Translations of `to`, which come before a new password, and parts of verbs that mean `change`."""
_SIGNS_BEFORE = frozenset(":=/>}|")
_QUOTES = frozenset("\"'`\u00ab\u00bb\u201e\u201c")
_QUOTED = ("\u201e\u201c", "\u201e\u201d", "\u201c\u201d", "\u00ab\u00bb", "\u00bb\u00ab", '""')
_JOINTS = frozenset("=:/@>&")
_ENDS = frozenset(" \t\r\n\"'`<()[]{},;|\\\u00ab\u00bb\u201e\u201c\u201d\u2018\u2019\u3002\uff1a\uff0c")
_WORDS = {ord(each): " " for each in _ENDS}

_NEAR_BEFORE, _NEAR_BEHIND = 200, 100
"""Number of characters to search for evidence before and after a word."""
_LONGEST_WORD = 256
_SHORTEST_HEX = 16
_LENGTH_OF_KEY = 28
_ENOUGH = 5


def evident_secrets(text: str) -> list[Span]:
    """Return the spans of secrets with evidence in their line, in order, without overlaps."""
    shape = text.encode("ascii", "replace").translate(SHAPE).decode("ascii")
    words = text.translate(_WORDS)
    hits = sorted(
        [*places_of("a0", shape), *places_of("0a", shape), *places_of("a.0", shape), *_near(text, words)]
    )
    found: list[Span] = []
    done = 0
    for hit in hits:
        if hit >= done:
            begin = words.rfind(" ", max(0, hit - _LONGEST_WORD), hit) + 1 or max(0, hit - _LONGEST_WORD)
            end = words.find(" ", hit, hit + _LONGEST_WORD)
            done = min(len(text), hit + _LONGEST_WORD) if end < 0 else end
            found += _secrets_of(text, begin, done)
    return [*found, *_phrases(text)] if "ass" in text or not text.isascii() else found


def _without_dots(value: str) -> str:
    """Replace dots by hyphens in a value with digits, such as `aster.Pond.42`, unless the value is a version."""
    return value.replace(".", "-") if any(map(str.isdigit, value)) and not is_version(value) else value


def _near(text: str, words: str) -> list[int]:
    """Return the offsets of all words in lines with a word for a password."""
    found: list[int] = []
    lower = text.lower()
    done = 0
    for at in sorted(at for name in NAMES_OF_PASSWORDS for at in places_of(name, lower)):
        if at >= done:
            least = max(done, at - _NEAR_BEFORE)
            begin = max(least, text.rfind("\n", least, at) + 1)
            end = text.find("\n", at, at + _NEAR_BEHIND)
            done = min(len(text), at + _NEAR_BEHIND) if end < 0 else end
            found += [
                place
                for place in range(begin, done)
                if words[place] != " " and words[place - 1 : place] in {"", " "}
            ]
    return found


def _phrases(text: str) -> list[Span]:
    """Return the spans of quoted passphrases after words that announce a passphrase."""
    found = []
    for quotes in _QUOTED:
        for at in places_of(quotes[0], text):
            end = text.find(quotes[1], at + 1, at + _LONGEST_WORD)
            phrase = text[at + 1 : end].strip(" \\")
            if end > 0 and phrase.replace(" ", "").isalnum() and is_secret_phrase(phrase, words=True):
                begin, line = _line_around(text, at, at)
                said = line[: at - begin].lower().rstrip(" \\")
                before = "".join(said.split()[-1:])
                is_announced = before in SAID or evidence_of(before, token=False) > 1
                if is_announced and evidence_of(said, token=False) > 1:
                    begin = text.index(phrase, at)
                    found.append((begin, begin + len(phrase)))
    return found


def _secrets_of(text: str, begin: int, end: int) -> list[Span]:
    """Return the first secret in a word: the whole word or a part of it."""
    begin += text[begin] in "+-" and text[begin - 1 : begin] in {"", "\n"}  # the sign of a line in a diff
    is_quoted = text[begin - 1 : begin] in _QUOTES and text[end : end + 1] in {"\\", *_QUOTES, "\u201d"}
    if text.rfind("ENC[", max(0, begin - _LONGEST_WORD), begin) > text.rfind("]", 0, begin):
        return []  # a value encrypted by SOPS
    last = end if is_quoted else begin + len(text[begin:end].rstrip(".:!?"))
    likely = [
        (*part, score)
        for part in _parts(text, begin, last, is_quoted=is_quoted)
        if (score := likeness(_without_dots(text[slice(*part)]) if is_quoted else text[slice(*part)]))
        and (is_quoted or not _is_code(text, *part))
        and (not is_two_words(text[slice(*part)]) or _is_set(text, part[0]))
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
    said = said.lower().replace("tokeniz", "").replace("usercontent", "").replace("hmac-sha", "hmac ")
    return [
        (one, other) for one, other, score in likely if _is_believed(line, said, one - start, other - start, score)
    ][:1]


def _parts(text: str, begin: int, end: int, *, is_quoted: bool) -> list[Span]:
    """Return a word, or its parts if it can't be a single secret. For a URL, return the parts of its query."""
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
    """Return True for a name of a function, an object or a file."""
    value, following = text[begin:end], text[end : end + 2]
    is_name = value[-1:] in {"!", "?"} or (is_file(value) and not is_token(value))
    is_name = is_name or (following == " -" and not any(map(str.isdigit, value)))  # as in `Read-Host -Prompt`
    return is_name or is_called(following) or (following[:1] == "." and following[1:].isalnum())


def _is_set(text: str, begin: int) -> bool:
    """Return True for a value assigned to a name, as opposed to two words of a sentence."""
    return text[max(0, begin - _NEAR_BEHIND) : begin].rstrip(" \"'\\")[-1:] in {":", "="}


def _line_around(text: str, begin: int, end: int) -> tuple[int, str]:
    """Return the start of a word's line, and the line's text near the word."""
    least = max(0, begin - _NEAR_BEFORE)
    start = text.rfind("\n", least, begin) + 1 or least
    start = max(start, text.rfind("\\n", least, begin) + 2 if "\\n" in text[least:begin] else 0)
    behind = text[end : end + _NEAR_BEHIND].partition("\n")[0].partition("\\n")[0]
    return start, text[start:end] + behind


def _is_believed(line: str, said: str, begin: int, end: int, score: int) -> bool:
    value = line[begin:end]
    name, word = _name_before(line, begin).lower(), _word_before(line, begin)
    is_bare = (name in BARE or (len(name) == len("u8") and name not in SHORT)) and line[
        begin - len("?key=") : begin
    ] not in {"?key=", "&key="}
    token = is_token(value) or (name != "" and len(value) >= _SHORTEST_HEX and is_hex(value))
    is_salt = name.endswith("salt")
    named = name or word * word.startswith("--")
    evidence = evidence_of(said.replace(name, "", 1) if is_bare else said, token=token) or int(
        word in PASSWORD_OPTIONS or "[redacted]" in line
    )
    if (
        (any(each in name for each in NO_SECRETS) and not is_salt)
        or (named.endswith("id") and not named.endswith(("appid", "secret_id", "secret-id")))
        or (token and not is_salt and any(each in said for each in PUBLIC))
        or (is_hex(value) and not line[:begin].strip("+- ") and line[end : end + 2] in {"  ", " *"})  # from md5sum
    ):
        return False
    is_key = score == STRONG and token and not is_hex(value) and len(value) >= _LENGTH_OF_KEY
    is_option = len(word) == len("-t") and word[0] == "-"
    if is_key and ((is_option and not value.islower()) or line[begin - len(name) - len('="') : begin].isupper()):
        return True
    is_user = line[begin - 1 : begin] == ":" and (not token or evidence > 1)
    if not evidence or (
        name and not is_user and not is_bare and not is_key and not evidence_of(name, token=token)
    ):
        return False
    of_user = is_user and name != "" and score > WEAK and not evidence_of(name, token=token)
    points = int(token and score == STRONG and evidence > 1)
    if name:
        is_literal = line[begin - 1 : begin] in _QUOTES and (is_bare or evidence_of(name, token=False) > 1)
        points = 1 + (token or of_user or is_literal or name in SHORT or name.startswith(ABROAD))
    score = max(score, CHOSEN) if token else score
    points = max(points, _standing(line, begin, end, score, evidence))
    return score + evidence + points >= _ENOUGH and (points > 1 or not is_id(value))


def _name_before(line: str, begin: int) -> str:
    """Return the name before a value: a variable, or a function that makes ids (`UserId("...")`); may be empty."""
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
    return (
        line[:begin]
        .replace(" (", " ")
        .rstrip(" [\"'`\u00ab\u00bb\u201e\u201c\\")
        .rpartition(" ")[2]
        .rpartition("'")[2]
        .lower()
    )


def _standing(line: str, begin: int, end: int, score: int, evidence: int) -> int:
    """Return 2 if the text beside a word announces a secret, for example by a user name.

    Otherwise, return 1 if the word is in the position of a value, else 0.
    """
    before, value = line[:begin].rstrip(" "), line[begin:end]
    word = _word_before(line, begin)
    behind = line[end:].strip(" )}\"'`*").lower().split()[:5]
    is_changed = word in _TO and any(each in line.lower() for each in _CHANGED)
    is_said = (
        is_changed
        or not IS.isdisjoint((word, before[-1:]))
        or (behind[:1] and behind[0] in AS and evidence_of(" ".join(behind[1:]), token=False) > 1)
    )
    if evidence > 1 and is_said:
        return 2
    is_quoted, tells = line[begin - 1 : begin] in {"[", *_QUOTES}, tells_of_next(word)
    is_drawn = word[:1] == "-" and is_token(value)
    follows_user = score > WEAK and before.rpartition(" ")[0].endswith(USERS)
    is_sure = (
        is_quoted or score > WEAK or word in SHORT or is_hex(value) or (word != "pass" and value[-2:].isdigit())
    )
    if (is_sure and tells > 1) or (is_drawn and tells) or follows_user or before.endswith((" /", " //")):
        return 2
    if is_quoted:
        earlier = before[:-1].rstrip(" \\")
        return 1 + (
            score > WEAK and "(" in earlier and earlier[-1:] == "," and earlier[:-1].rstrip(" ")[-1:] in _QUOTES
        )
    is_last = not line[end:].strip(" .;!)}\"'`")
    is_set = before[-1:] == ":" or (before[-1:] == "=" and is_two_words(value))
    if evidence > 1 and is_set and is_last and not value.isupper():
        return 1 + (not any(each in line.lower() for each in FAILED))
    is_announced = line[begin - 1 : begin] == " " and evidence_of(word, token=False) + score > STRONG
    stands = word[:1] == "-" or word in SAID or before[-1:] in _SIGNS_BEFORE
    return int(is_announced or stands or is_last)
