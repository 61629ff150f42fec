"""Substitutes for secrets: placeholders, references and paths."""

from lamella.domain.tables import read_table

CHANGES_OF_A_TOKEN = 3
"""Minimum number of changes between letters and digits in a key."""

_WORDS = read_table(__file__, "placeholders.txt")
_PLACEHOLDERS = frozenset(_WORDS["placeholders"].split())
_PLACEHOLDER_BEGINNINGS = tuple(_WORDS["placeholder_beginnings"].split())
_CHOSEN_BEGINNINGS = ("your", "my_", "my-", "test", "example", "dummy", "fake", "sample", "change_")
"""Prefixes of placeholders that a strong password may have, too."""

ENDS_OF_SHOWN_KEYS = ("EXAMPLE", "EXAMPLEKEY")
"""Endings of sample keys in the documentation of an issuer, such as AWS."""

_GIVEN_ELSEWHERE = ("://", "${", "{{", "$(", "%(", "env[", "enc[", "vault:", "arn:", "sha256:", "...", ".*")
_REFERENCES = ("./", "../", "~/", "env:", "file:", "fd:", "id=", "type=", "source=", "@/", "@env:", "@keychain:")
"""Prefixes of references to a secret: `-pass env:NAME`, `--secret id=npm,src=.npmrc`, `-auth @/root/ci`."""
_FILES = (".json", ".pem", ".key", ".creds", ".txt", ".yml", ".yaml", ".env", ".py")
_LONGEST_PLACEHOLDER = 31
_LONGEST_CODE = len("0x") + 40  # an error code, or a contract's address in a blockchain
_FEWEST_CHARACTERS = 3
_CROSSES = "x" * 8
_LEET = frozenset("0134578")
_FEWEST_LETTERS_OF_LEET = 5
_LONGEST_DRAWN = 128
_SHORTEST_SALT = 60


def stands_for_another(value: str) -> bool:
    """Return True for a placeholder, a reference to the true value, or a value with white space."""
    value = value.removeprefix("{noop}")
    lower = value.lower()
    return (
        len(set(lower[:_LONGEST_DRAWN])) < _FEWEST_CHARACTERS
        or value.split() != [value]
        or lower.strip("!*_[]") in _PLACEHOLDERS
        or (
            len(value) <= _LONGEST_PLACEHOLDER
            and lower.startswith(_PLACEHOLDER_BEGINNINGS)
            and not (
                lower.startswith(_CHOSEN_BEGINNINGS)
                and "(" not in value
                and (is_strong(value) or (is_leet(value) and lower[0] != "y"))
            )
        )
        or value.endswith(ENDS_OF_SHOWN_KEYS)
        or any(each in lower for each in _GIVEN_ELSEWHERE)
        or lower.endswith((*_FILES, "/tcp", "/udp", _CROSSES))
        or lower.startswith(_REFERENCES)
        or (lower.startswith("0x") and len(value) <= _LONGEST_CODE)
        or (value.startswith("/") and changes_of(value) < CHANGES_OF_A_TOKEN)
        or ("}" in value.partition("{")[2] and len(value) < _SHORTEST_SALT)
        or "[redacted]" in value
    )


def is_strong(value: str) -> bool:
    """Return True if a value has small letters, capitals and signs, and a digit or two signs."""
    signs = sum(not each.isalnum() for each in value[:_LONGEST_DRAWN])
    has_digit = any(map(str.isdigit, value))
    return signs > 1 - has_digit and any(map(str.islower, value)) and any(map(str.isupper, value))


def is_leet(part: str) -> bool:
    """Return True for a word with digits in place of letters: `p1pp4`, `0rcl`, `b00k`."""
    return sum(map(str.isalpha, part)) >= _FEWEST_LETTERS_OF_LEET and any(
        sign in _LEET
        and part[at + 1 : at + 2].islower()
        and (part[at - 1].isalpha() or part[at - 1 : at + 1] == "00" if at else sign == "0")
        for at, sign in enumerate(part)
    )


def changes_of(value: str) -> int:
    """Count changes between letters and digits, or between capitals and single small letters.

    Keys have many such changes.
    """
    changes = 0
    before = one = ""
    for other in value[:_LONGEST_DRAWN]:
        if one.isdigit() != other.isdigit():
            changes += one.isalnum() and other.isalnum()
        elif before.isupper() and one.islower() and other.isupper():
            changes += 1
        before, one = one, other
    return changes
