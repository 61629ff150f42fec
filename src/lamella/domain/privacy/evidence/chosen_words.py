"""Rate the likeness of a word to a password chosen by a person, or to a random token.

Examples of passwords are `n1mbleGoat`, `Marigold!88` and `fritz-Eibe-66`. They aren't words of a language, and are
unlikely as names in code.
"""

from lamella.domain.privacy import secret_likelihood
from lamella.domain.privacy.placeholders import changes_of, is_leet, stands_for_another
from lamella.domain.tables import read_table

WEAK, CHOSEN, STRONG = 1, 2, 3
"""Degrees of likeness: a word with digits, a likely password, an almost certain password."""

_SIGNS = frozenset("!@$%^&*?~")
"""Signs in passwords, but not in names."""

_JOINTS = {ord(each): " " for each in "-_.#+"}
_BASE64 = {ord(each): None for each in "-_+/=."}
_NO_BEGINNING = frozenset("-_$%#@~/.,<{&*+=^!?)")
_NUMBER = frozenset("0123456789.:,-/+%TZxhsmKMGBi")
_HEX = frozenset("0123456789abcdefABCDEF-")
_WORDS = read_table(__file__, "chosen_words.txt")
_NAMES = tuple(_WORDS["names"].split())
"""Parts of names in code, and of technical terms with digits."""

_PUBLIC = ("sha256-", "sha384-", "sha512-", "AAAA", "age1", "UGFzc3dvcmQ", "VXNlcm5hbWU")
"""Beginnings of checksums, of public keys of SSH and age, and of `Password` and `Username` in base64."""

_SHORTEST, _LONGEST = 6, 200
_SHORTEST_PART_OF_TOKEN = 12
_SHORTEST_SMALL_TOKEN = 20
_LENGTH_OF_HEX = 32
_UUID = (8, 4, 4, 4, 12)
_LONGEST_SUFFIX = 5
_FEWEST_CHANGES = 3
_FEWEST_GROUPS = 4
"""Minimum number of groups in a key that is written in groups of equal length."""
_FEWEST_LETTERS = 3


def likeness(value: str) -> int:
    """Return the likeness of a word to a password or a token; 0 for anything else."""
    if (
        not _SHORTEST <= len(value) <= _LONGEST
        or (value.isupper() and value.isalpha())
        or value[0] in _NO_BEGINNING
        or value.startswith(_PUBLIC)
        or any(each in value.lower() for each in ("abcdef", "123456", "a-z", "aaaaaa", "%$"))
        or (_NUMBER.issuperset(value) and (value.endswith("000") or not value.isdecimal()))
        or stands_for_another(value.replace("%20", " "))
        or _is_code(value)
        or secret_likelihood.is_technical(value)
    ):
        return 0
    if is_hex(value):  # 40 hexadecimal digits are probably the id of a commit
        return STRONG if value.isalnum() and len(value) == _LENGTH_OF_HEX else WEAK + is_token(value)
    return STRONG if is_token(value) else _chosen(value)


def is_hex(value: str) -> bool:
    """Return True for hexadecimal digits: an id, a checksum, or a key."""
    return _HEX.issuperset(value)


def is_id(value: str) -> bool:
    """Return True for a UUID, maybe with a word before it: `luks-3f1c2a9e-7b1d-4c2f-9e4a-0a8f5d6b7c21`."""
    parts = value.split("-")[-len(_UUID) :]
    return tuple(map(len, parts)) == _UUID and all(map(is_hex, parts))


def is_token(value: str) -> bool:
    """Return True for a word of random characters, such as a key or a checksum."""
    if is_hex(value):
        return len(value) >= _LENGTH_OF_HEX
    if _is_conversion(value) or not any(map(str.isdigit, value)) or not value.translate(_BASE64).isalnum():
        return False
    parts = value.translate(_JOINTS).split()
    is_grouped = len(parts) >= _FEWEST_GROUPS and len(set(map(len, parts))) == 1
    part = "".join(parts) if is_grouped else max(parts, key=len)
    mixed = any(map(str.isupper, part)) and any(map(str.islower, part))
    return len(part) >= _SHORTEST_PART_OF_TOKEN and (
        secret_likelihood.is_drawn_word(part)
        or (changes_of(part) >= _FEWEST_CHANGES and (mixed or len(part) >= _SHORTEST_SMALL_TOKEN))
    )


def _is_conversion(value: str) -> bool:
    """Return True for the name of a conversion, such as `symbol2label`."""
    one, _, other = value.partition("2")
    return min(len(one), len(other)) > _FEWEST_LETTERS and (one + other).isalpha() and value.islower()


def _is_code(value: str) -> bool:
    """Return True for a product, a version, or a name with a version or dots: `x*10`, `PageV2Lexer`, `a.b.c`."""
    name, _, after = value.partition("V")
    return (
        secret_likelihood.is_version(value)
        or (
            name[-1:].islower()
            and name.isalpha()
            and len(name) > len("js")
            and after[:1].isdigit()
            and not after[1:2].islower()
        )
        or ("*" in value and value.islower() and any(map(str.isdecimal, value.split("*"))))
        or (value.count(".") > 1 and all(map(str.isidentifier, value.split("."))))
    )


def _chosen(value: str) -> int:
    parts = value.translate(_JOINTS).split()
    digits = sum(map(str.isdigit, value))
    if not digits:
        joined = value if value.islower() or value.isupper() else value.replace("_", "-")
        if secret_likelihood.is_joined_words(joined) and not value.istitle():
            return CHOSEN
        is_pair = is_two_words(value) and secret_likelihood.is_joined_words(value.replace("_", "-"), fewest=2)
        is_joined = is_pair or secret_likelihood.is_joined_words(joined, fewest=3)
        return int(is_joined or (value.islower() and secret_likelihood.is_drawn_word(value)))
    signs = sum(each in _SIGNS for each in value)
    letters = sum(map(str.isalpha, value))
    if letters < _FEWEST_LETTERS or letters + digits + signs < len("".join(parts)):
        return 0
    stem = value.lower().rstrip("0123456789")
    names = () if secret_likelihood.has_digits_inside(value) else _NAMES
    if not signs and (stem.startswith(names) or stem.endswith(names)):
        return 0
    if "." in value or (not signs and any(name in stem for name in names)):
        return WEAK
    camel = any(b.isupper() and a.isalnum() and not a.isupper() for a, b in zip(value, value[1:], strict=False))  # noqa: RUF007
    leet = any(map(is_leet, parts))
    capital = any(part[0].isupper() and not part.isupper() for part in parts)
    traits = camel + leet + (capital and (leet or len(parts) > 1)) + 2 * (signs > 0)
    return min(STRONG, WEAK + traits) if traits or not capital or digits == 1 else CHOSEN


def is_two_words(value: str) -> bool:
    """Return True for two lower-case words joined by a sign, such as `read-only`."""
    parts = value.translate(_JOINTS).split()
    return value.islower() and len(parts) == len(("one", "other")) and all(map(str.isalpha, parts))


def is_file(value: str) -> bool:
    """Return True for a path, or a name with a suffix."""
    stem, _, suffix = value.rpartition(".")
    is_suffix = suffix.isalpha() and suffix.islower() and len(suffix) <= _LONGEST_SUFFIX
    return "/" in value or value[1:3] == ":\\" or (stem != "" and is_suffix)
