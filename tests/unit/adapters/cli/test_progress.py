"""What is said of long work that is broken off."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lamella.application.maintenance.backup import BackUp
from lamella.domain.projects.project import Project
from lamella_adapters.cli.commands import run
from lamella_adapters.cli.output import progress_bar
from lamella_contracts.fixtures.project import START
from tests.unit.support.tables import cases


def interrupted(*, of_bytes: bool) -> None:
    """Stop in the middle of an import."""
    with progress_bar("Importing", of_bytes=of_bytes) as shown:
        shown("3 memories", 2_000, 10_000)
        raise KeyboardInterrupt


@cases
def test_an_interruption_says_how_far_it_came_and_how_to_go_on(
    of_bytes: bool, reached: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupted(of_bytes=of_bytes)
    assert capsys.readouterr().err == (
        f"Interrupted at: {reached}. What was done so far is kept; repeat the command to go on.\n"
    )


def test_an_interrupted_backup_says_how_many_projects_are_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(self: BackUp) -> Iterator[tuple[Project, None]]:
        del self
        yield Project(id="one", name="one", created_at=START), None
        raise KeyboardInterrupt

    monkeypatch.setattr(BackUp, "__call__", stopped)
    monkeypatch.setenv("LAMELLA_DATA_DIR", str(tmp_path))
    assert run(["backup"]) == 130
    assert capsys.readouterr().err.strip() == (
        "Interrupted at: Backing up, 1 project done. What was done so far is kept; repeat the command to go on."
    )
