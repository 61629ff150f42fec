"""Visits of the pages without a browser, and so without script, as files of `sessions` tell them."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.end_to_end.support.sessions import Session, sessions
from tests.end_to_end.support.web_pages import WebPages
from tests.end_to_end.web.visitor import Visitor


def _of(name: str) -> Sequence[Session]:
    return [*sessions(Path(__file__).parent / "sessions" / f"{name}.txt")]


@pytest.mark.parametrize("visit", _of("pages"), ids=str)
def test_pages_say_what_is_written(site: WebPages, visit: Session) -> None:
    Visitor(site).play(visit)


@pytest.mark.parametrize("visit", _of("changes"), ids=str)
def test_forms_change_what_is_written(own: WebPages, visit: Session) -> None:
    Visitor(own).play(visit)
