"""The latest memories, and what completes ids, titles, tags and paths."""

import pytest

from lamella.application.search.browse import BrowseMemories, Completable
from lamella.ports.storage.storage import Capability
from tests.unit.support.doubles import CALL, Desk
from tests.unit.support.stand_ins import LackingStorage, numbered
from tests.unit.support.tables import cases

FIRST, SECOND, THIRD = (str(numbered(number)) for number in (1, 2, 3))


@pytest.fixture(scope="module")
def desk() -> Desk:
    made = Desk()
    made.save("Sign it. #release #mail", title="Sign the archive", paths=["src/Sign.py", "docs/a.md"])
    made.save("Say why. #release", title="Reasons", paths=["src/Sign.py"])
    made.save("Tabs. #relaxed", title="Indenting\u202e", everywhere=True)
    gone = made.save("Gone. #release-old", title="Signs of old")
    made.purge(made.call, [str(gone.id)])
    return made


def browsing(desk: Desk) -> BrowseMemories:
    return BrowseMemories(projects=desk.projects)


def test_the_latest_are_those_of_the_project_and_of_everywhere(desk: Desk) -> None:
    latest = [hit.observation.title for hit in browsing(desk).latest(desk.call, limit=2)]
    assert latest == ["Indenting\u202e", "Reasons"]
    assert browsing(Desk()).latest(CALL, limit=2) == ()


@cases
def test_what_is_begun_is_completed(argument: str, begun: str, values: tuple[str, ...], desk: Desk) -> None:
    assert browsing(desk).completed(desk.call, Completable(argument), begun, limit=3) == values


def test_no_more_values_are_given_than_asked_for(desk: Desk) -> None:
    assert browsing(desk).completed(desk.call, Completable.TITLE, "", limit=1) == ("Indenting\\u{202E}",)


def test_a_storage_without_a_ledger_completes_no_paths() -> None:
    desk = Desk(storage=LackingStorage({Capability.LEDGER}))
    desk.save("About a.", paths=["a.py"])
    assert browsing(desk).completed(desk.call, Completable.PATH, "", limit=3) == ()
