"""Writer of the signs of all finders, from their tables.

Usage: python -m tests.unit.privacy.signs_of_tables writes `lamella/domain/privacy/signs.tsv`.
"""

from pathlib import Path

from lamella.domain.privacy import calls, forms, secret_names, signs, token_formats
from lamella.domain.privacy.commands import options, secrets
from lamella.domain.privacy.evidence import vocabulary

TABLE = Path(signs.__file__).with_name("signs.tsv")

_HEAD = "# Signs of secrets, made from the tables of the finders: python -m tests.unit.privacy.signs_of_tables\n"


def table() -> str:
    """Return the text of the table."""
    return _HEAD + "".join(f"{kind}\t{';;'.join(sorted(found))}\n" for kind, found in SIGNS.items())


SIGNS = {
    "calls": {*(name.removeprefix("*") for name in calls.PLACES), *calls.PAIRS},
    "forms": {*forms.COOKIE_SIGNS, *(sign for found, *_ in forms.FORMS for sign in found if not sign.isupper())},
    "forms in capitals": {sign for found, *_ in forms.FORMS for sign in found if sign.isupper()},
    "heads": {sign for found, _ in token_formats.HEADS for sign in found.split()},
    "inside": {sign for sign, _ in token_formats.INSIDE},
    "marked": {sign for sign, _ in (*token_formats.MARKED, *token_formats.HEADERS)},
    "programs": {*options.PROGRAMS},
    "writers": {*secrets.WRITERS},
    "pipes": {*options.PIPES},
    "users": {*options.USERS},
    "passwords": {*options.PASSWORDS},
    "pairs": {*options.PAIRS},
    "values": {*options.NAMES},
    "options": {"/p:", *secrets.OPTIONS},
    "names": {*secret_names.HITS},
    "near": {*vocabulary.NAMES_OF_PASSWORDS, "cred"},
    "telling": {*vocabulary.PASSWORDS, *vocabulary.TOKENS, *vocabulary.KEYS, *vocabulary.OTHERS, "[redacted]"},
    "telling words": {*vocabulary.WHOLE_PASSWORDS, *vocabulary.WHOLE_OTHERS},
}


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
