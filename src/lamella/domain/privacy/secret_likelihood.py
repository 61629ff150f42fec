"""Decide whether a value assigned to the name of a secret is a secret.

Placeholders (`changeme`, `${TOKEN}`, `<password>`, a path) are not secrets. A bare word is tested more strictly
than a string literal, because the word may be a variable in code, or part of a sentence.
"""

from lamella.domain.privacy.placeholders import CHANGES_OF_A_TOKEN, changes_of, is_strong, stands_for_another
from lamella.domain.privacy.secret_names import HITS
from lamella.domain.tables import read_table

_NAMING = tuple(each for each in HITS if len(each) > len("pw"))

_SIGNS = frozenset("!@#$%^&*+=?~")
"""Characters in passwords, but not in names."""

_SUFFIXES = {ord(each): " " for each in "+-~"}
"""Signs after the numbers of a version, as in `4.13+dfsg1-4`."""

_WORDS = read_table(__file__, "secret_likelihood.txt")
_PROSE = frozenset(_WORDS["prose"].split())
"""Words that occur in prose about commands, but not in commands."""

_TECHNICAL = frozenset(_WORDS["technical"].split())

_TECHNICAL_BEGINNINGS = tuple(_WORDS["technical_beginnings"].split())
"""Prefixes of technical names, which often have digits, such as `sha256`."""

_NAMING_WORDS = frozenset(_WORDS["naming_words"].split())
_NAMING_ENDS = tuple(_WORDS["naming_ends"].split())
_TECHNICAL_PARTS = frozenset(_WORDS["technical_parts"].split())
"""Words in technical names that consist of several words joined by signs."""

_NAMING_ENDS_IN_CAPITALS = ("PASS", "PWD", "PW", "KEY", "SECRET")
_NO_PHRASE = frozenset(_WORDS["no_phrase"].split())

_LAST_OF_LATIN = "\u024f"


_SHORTEST_PASSWORD = 4
_SHORTEST_SETTING = 6
_FEWEST_WORDS, _MOST_WORDS = 3, 8
_FEWEST_WORDS_OF_SENTENCE = 5
_SHORTEST_BARE_PASSWORD = 6
_SHORTEST_PASSWORD_IN_PROSE = 8
_SHORTEST_OF_MIXED_LETTERS = 10
_SHORTEST_GIVEN = 3
SHORTEST_OF_JOINED_WORDS = 14
_SHORTEST_DRAWN = 8
_SHORTEST_TOKEN = 8
_SHORTEST_CHOSEN_TOKEN = 12
_SHORTEST_CHOSEN_WORDS = 10
_SHORTEST_BARE_TOKEN = 12
_CHANGES_OF_A_PASSWORD = 2


def is_secret_literal(value: str, *, password: bool) -> bool:
    """Return True if a string literal, or the value in a line of an environment file, is a secret."""
    if stands_for_another(value) or is_technical(value):
        return False
    has_digit = any(map(str.isdigit, value))
    if is_version(value):
        return False
    if password:
        return len(value) >= _SHORTEST_PASSWORD and (
            has_digit
            or is_joined_words(value)
            or not _SIGNS.isdisjoint(value)
            or _is_of_mixed_letters(value)
            or is_drawn_word(value)
        )
    return len(value) >= _SHORTEST_TOKEN and (
        is_chosen_token(value) or changes_of(value) >= CHANGES_OF_A_TOKEN or is_drawn_word(value)
    )


def is_chosen_token(value: str) -> bool:
    """Return True for a key chosen by a person, such as `JwtSigningKey2024` or `keyboard-Lynx-91`."""
    least = _SHORTEST_CHOSEN_TOKEN if _names_secret(value) else _SHORTEST_CHOSEN_WORDS
    mixed = any(map(str.islower, value)) and any(map(str.isupper, value)) and any(map(str.isdigit, value))
    return mixed and len(value) >= least and (value.isalnum() or least < _SHORTEST_CHOSEN_TOKEN)


def is_secret_word(value: str, following: str, *, password: bool, alone: bool) -> bool:
    """Return True if a word without quotes is a secret.

    `following` has the next characters of the text. The test is less strict with `alone`: the word is then the
    only value in a line, or directly follows a sign such as `=`.
    """
    if stands_for_another(value) or is_version(value) or is_called(following) or value[0] in "!&*@|=-(:,;)":
        return False
    changes = changes_of(value)
    if changes <= CHANGES_OF_A_TOKEN and _is_name(value):
        return False
    if not password:
        return is_drawn_word(value) or (len(value) >= _SHORTEST_BARE_TOKEN and changes >= CHANGES_OF_A_TOKEN)
    return _is_password_word(value, changes, alone=alone)


def is_version(value: str) -> bool:
    """Return True for a version or a ratio: `1.2.3`, `4.13+dfsg1-4`, `188/188`."""
    number = value.translate(_SUFFIXES).partition(" ")[0]
    return not number.isdecimal() and number.replace(".", "").replace("/", "").isdecimal()


def is_called(following: str) -> bool:
    """Return True if the text continues like a function call or an array: `find<Text>(`, `words[`."""
    return following[:1] in {"(", "["} or (following[:1] == "<" and following[1:].isupper())


def _is_name(value: str) -> bool:
    """Return True for a name in code: names joined by dots, or a name with a word for secrets."""
    parts = value.replace("=", ".").split(".")
    return all(map(str.isidentifier, parts)) and (
        len(parts) > 1 or (any(hit in value.lower() for hit in _NAMING) and not has_digits_inside(value))
    )


def has_digits_inside(value: str) -> bool:
    """Return True for a word with digits inside, such as `tulip7secret`.

    Return False for names in code, such as `s3secret` and `user1Secret`.
    """
    before = value[: next((at for at, sign in enumerate(value) if sign.isdigit()), 0)]
    after = value[len(before) :].lstrip("0123456789")
    is_word = len(before) >= _SHORTEST_PASSWORD and before.isalpha() and before[-1].islower()
    is_one = after[:1].islower() or (after[:1].isupper() and before[:1].isupper())
    return is_word and is_one and not is_technical(value)


def _is_password_word(value: str, changes: int, *, alone: bool) -> bool:
    has_digit = any(map(str.isdigit, value))
    drawn = changes >= _CHANGES_OF_A_PASSWORD or not _SIGNS.isdisjoint(value)
    if is_drawn_word(value):
        return True
    if alone and value.isalpha() and value.islower():
        return len(value) >= SHORTEST_OF_JOINED_WORDS
    if alone:
        return len(value) >= _SHORTEST_BARE_PASSWORD and (has_digit or drawn) and "123456" not in value
    return (
        len(value) >= _SHORTEST_PASSWORD_IN_PROSE
        and not is_technical(value)
        and (drawn or (has_digit and is_strong(value)))
        and (has_digit or value.isalnum() or is_strong(value))
    )


def is_technical(value: str) -> bool:
    """Return True for the name of a format, a protocol or an algorithm."""
    lower = value.lower()
    return (
        lower in _TECHNICAL
        or lower.partition("-v")[2].isdecimal()
        or (lower.startswith(_TECHNICAL_BEGINNINGS) and not is_strong(value))
    )


def _names_secret(value: str) -> bool:
    """Return True if a value is the name of a secret itself: `db_password`, `authToken`; but not `monkey123`."""
    parts = "".join(f" {each}" if each.isupper() else each for each in value) if value != value.upper() else value
    words = parts.lower().replace("-", " ").replace("_", " ").replace(".", " ").split()
    plain = [word.rstrip("0123456789") for word in words]
    if value.isupper() and value.endswith(_NAMING_ENDS_IN_CAPITALS):
        return True
    return not _NAMING_WORDS.isdisjoint(plain) or any(word.endswith(_NAMING_ENDS) for word in plain)


def is_joined_words(value: str, *, fewest: int = 4) -> bool:
    """Return True for words joined by signs, unless they may be a name in code.

    Such a name has no capitals, and fewer than `fewest` words.
    """
    parts = value.replace("*", "-").replace("!", "-").split("-")
    joined = len(parts) > 1 and all(
        part.isalpha() and len(part) > (len("non") if len(parts) < _FEWEST_WORDS else 1) for part in parts
    )
    chosen = not value.islower() or (
        len(parts) >= fewest and (_PROSE | _NO_PHRASE | _TECHNICAL_PARTS).isdisjoint(parts)
    )
    return joined and chosen and not stands_for_another(value) and not _names_secret(value)


def is_secret_phrase(value: str, *, words: bool) -> bool:
    """Return True if several words in quotes are a password. `words` is True if a passphrase is expected.

    One of the words must have digits or signs among its letters, or random letters. A passphrase may also be three
    or more plain words.
    """
    parts = value.split()
    lower = [part.lower().strip(".,:;!?") for part in parts]
    if (
        not 1 < len(parts) <= _MOST_WORDS
        or value[-1] in ":.?!"
        or not (_PROSE.isdisjoint(lower) and _NO_PHRASE.isdisjoint(lower))
        or any(each in value for each in ("$", "{", "<", "%", "(", "=", "://", ": ", " -"))
        or _is_sentence(parts)
    ):
        return False
    mixed = any(
        (any(map(str.isalpha, part)) or (words and part.isdecimal()))
        and not part.replace("'", "").replace("-", "").isalpha()
        for part in parts
    )
    chosen = words and len(parts) >= _FEWEST_WORDS and not value.istitle() and value[0].islower()
    return mixed or chosen or is_drawn_word("".join(parts))


def _is_sentence(parts: list[str]) -> bool:
    """Return True for a capitalised word followed by lower-case words and numbers, as in a label."""
    return (
        len(parts) >= _FEWEST_WORDS_OF_SENTENCE
        and parts[0].istitle()
        and all((part.isalpha() and part.islower()) or part.isdecimal() for part in parts[1:])
    )


def is_given_value(value: str, *, plain: bool) -> bool:
    """Return True if a value in a secret's position on a command line is a secret.

    With `plain`, plain words are secrets, too.
    """
    solid = "".join(value.split())
    lower = solid.lower()
    if (
        len(value) < _SHORTEST_GIVEN
        or value[0] in "-$<{\\"
        or stands_for_another(solid)
        or lower in _PROSE
        or lower in _TECHNICAL
        or (solid.isalpha() and max(solid) > _LAST_OF_LATIN)
        or (solid.replace("-", "_").isidentifier() and _is_word_for_secret(value))
    ):
        return False
    return plain or any(map(str.isdigit, value)) or not _SIGNS.isdisjoint(value) or is_drawn_word(value)


def _is_word_for_secret(value: str) -> bool:
    """Return True for a word that names a secret, such as `Secret1`.

    A word with more digits, such as `Secret123`, counts as a password chosen by a person.
    """
    digits = sum(map(str.isdigit, value))
    is_kebab = value[0].islower() and any(map(str.isupper, value.partition("-")[2]))  # not a name in code
    return digits < len("12") and not (is_kebab or any(map(str.isdigit, value[:-1]))) and _names_secret(value)


def in_prose(text: str) -> bool:
    """Return True if a text has words that occur in prose about commands, but not in commands."""
    return not _PROSE.isdisjoint(text.lower().replace("connect to", "").split())  # a command of DB2


def is_secret_setting(value: str, *, password: bool) -> bool:
    """Return True if a value in an environment file is a secret. A password there may be a plain word."""
    if is_secret_literal(value, password=password):
        return True
    if stands_for_another(value) or is_technical(value):
        return False
    if password:
        solid = value.replace("-", "").replace("_", "").isalnum() and not _names_secret(value)
        return (solid and len(value) >= _SHORTEST_SETTING) or (
            value.isalnum() and len(value) >= _SHORTEST_PASSWORD
        )
    if not value.isalnum():
        return False
    return len(value) >= _SHORTEST_TOKEN and not value.isdecimal() and is_given_value(value, plain=False)


def is_drawn_word(value: str) -> bool:
    """Return True for a random sequence of letters and digits."""
    if len(value) < _SHORTEST_DRAWN or not value.isalnum():
        return False
    from lamella.domain.privacy.letter_pairs import is_drawn  # noqa: PLC0415 - most texts assign no such value

    return is_drawn(value)


def _is_of_mixed_letters(value: str) -> bool:
    """Return True for a value that mixes capitals and small letters, and has no word for a secret.

    One capital at the start isn't a mix.
    """
    mixed = value not in {value.lower(), value.upper(), value.capitalize()}
    return mixed and len(value) >= _SHORTEST_OF_MIXED_LETTERS and not any(hit in value.lower() for hit in _NAMING)
