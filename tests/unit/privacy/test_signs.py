"""Signs tell which finders a text is worth, and never too few."""

import random

import pytest

from lamella.domain.privacy import redaction
from lamella.domain.privacy.redaction import Redacted, redact
from lamella.domain.privacy.signs import Signs
from tests.unit.privacy.lines import corpora
from tests.unit.privacy.signs_of_tables import SIGNS, TABLE, table
from tests.unit.privacy.test_command_secrets import values, with_value

_FORMS = [*corpora.COMMANDS, *corpora.CALLS, *corpora.NAMED, *corpora.STATED, *corpora.TYPED]
LINES = [
    *(with_value(line, value) for line in _FORMS for _, value in values(random.Random(line))),  # noqa: S311
    *(line for line, _ in (*corpora.DOCUMENTED, *corpora.EVIDENT)),
    *(*corpora.DOCUMENTED_ORDINARY, *corpora.EVIDENT_ORDINARY, *corpora.ORDINARY),
]
SOME = random.Random(7).sample(LINES, 300)  # noqa: S311 - not about secrets of ours


class _EverySign(Signs):
    """Signs of all finders, whatever the text."""

    def of_formats(self) -> set[str]:
        return {":/", ".", *(sign for kind in ("heads", "inside", "marked") for sign in SIGNS[kind])}

    def of_calls(self) -> set[str]:
        return SIGNS["calls"]

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.forms, self.names = SIGNS["forms"] | SIGNS["forms in capitals"], SIGNS["names"]

    def _true(self) -> bool:
        return True

    of_lines_of_keys = of_addresses = of_commands = of_evidence = _true


def test_the_table_is_that_of_the_finders() -> None:
    assert table() == TABLE.read_text("utf-8")


@pytest.mark.no_cover
def test_what_any_finder_would_find_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [redact(line) for line in SOME]
    monkeypatch.setattr(redaction, "Signs", _EverySign)
    assert found == [redact(line) for line in SOME]


def test_a_path_tells_of_no_secret() -> None:
    path = "/home/ada/keys/api-client2/v1.0/user_login3.py"
    assert (redact(path), Signs(path).of_evidence(), Signs(f"{path}?key=1").of_evidence()) == (
        Redacted(path, 0),
        False,
        True,
    )
