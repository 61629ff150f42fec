"""Captures and saves while the PostgreSQL server is stopped, killed and started again."""

import shutil
from collections import Counter
from pathlib import Path

import pytest
from attrs import define

from lamella.application.capture.drained import Drained
from lamella.container import Lamella, running
from lamella.domain.call import Call
from lamella.domain.errors import StorageUnreachableError
from lamella.domain.memories.query import RecallQuery
from lamella.settings import Settings
from lamella_adapters.postgresql.database import database
from tests.end_to_end.hooks.drain_kills import edited
from tests.end_to_end.postgresql.server import Server


@define
class Desk:
    """A machine that captures and saves."""

    settings: Settings
    project: Path

    @property
    def call(self) -> Call:
        return Call(directory=self.project)

    @property
    def spool(self) -> list[str]:
        return sorted(each.name for each in (self.settings.data_directory / "spool").glob("*.json"))

    def edits(self, count: int) -> None:
        for number in range(count):
            edited(self.settings.data_directory, number, self.project, session=f"s{number}", path=f"{number}.py")

    def drain(self, lamella: Lamella) -> Drained:
        return [Drained(), *lamella.drain()][-1]

    def stored(self) -> Counter[str]:
        """Number of times that each text is stored: paths of edits, and what was saved."""
        with running(self.settings) as lamella:
            found = lamella.projects.find(self.call).search.find(RecallQuery(limit=10_000))
        said = (hit.observation for hit in found)
        return Counter(each.changes[0].path if each.changes else each.content for each in said)


@pytest.fixture
def desk(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(database, "_PATIENCE", 0.5)
    project = tmp_path / "shop"
    project.mkdir()
    return Desk(Settings(data_directory=tmp_path / "data", storage=server.url(), embedder="none"), project)


def test_captures_wait_while_the_server_is_away_and_are_stored_once(server: Server, desk: Desk) -> None:
    server.stop()
    try:
        desk.edits(5)
        with running(desk.settings) as lamella:
            away = desk.drain(lamella)
    finally:
        server.start()
    assert (away.done, away.left, type(away.trouble)) == (0, 5, StorageUnreachableError)
    assert len(desk.spool) == 5
    spool = desk.settings.data_directory / "spool"
    shutil.copytree(spool, spool.with_name("copy"))
    with running(desk.settings) as lamella:
        assert desk.drain(lamella).done == 5
        # As after a kill between storing them and deleting their files.
        shutil.copytree(spool.with_name("copy"), spool, dirs_exist_ok=True)
        assert desk.drain(lamella).done == 5
    assert desk.spool == []
    assert desk.stored() == Counter(f"{number}.py" for number in range(5))
