"""Projects that a hook looks at."""

from pathlib import Path

import apsw
import pytest
from attrs import evolve

from lamella.application.memories.save import SaveRequest
from lamella.container import running
from tests.end_to_end.hooks.place import Place, fill, unmarked


def test_the_project_that_is_set_counts(said: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(said.settings) as lamella:
        lamella.save(evolve(said.call, default_project="other"), SaveRequest(text="Elsewhere.", source="decision"))
    (id,) = (path.stem for path in (said.data / "projects").glob("other*.db"))
    for name in ("other", id, " other "):
        monkeypatch.setenv("LAMELLA_PROJECT", name)
        told = unmarked(said.start())
        assert "Elsewhere." in told
        assert "retry_payment" not in told
    monkeypatch.setenv("LAMELLA_PROJECT", "unheard of")
    assert said.answers() == [None, None, None]


def test_a_name_that_two_projects_have_means_neither(
    said: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twin = evolve(said, project=tmp_path / "deeper" / "shop")
    twin.project.mkdir(parents=True)
    with running(twin.settings) as lamella:
        fill(lamella, twin.call)
    monkeypatch.setenv("LAMELLA_PROJECT", "shop")
    assert said.start() is None


@pytest.fixture
def new(said: Place, tmp_path: Path) -> Place:
    """Return another project, into which the one of `said` was merged."""
    new = evolve(said, project=tmp_path / "new")
    new.project.mkdir()
    with running(new.settings) as lamella:
        lamella.save(new.call, SaveRequest(text="It was here before.", source="decision"))
        lamella.merge_projects(new.call, "shop", "new")
    return new


def test_a_merged_project_is_followed(said: Place, new: Place) -> None:
    for place in (said, new):
        told = unmarked(place.start())
        assert "retry_payment" in told
        assert "It was here before." in told
        assert place.edit(f"in-{place.project.name}", file_path=str(said.project / "src/pay.py")) is None


@pytest.mark.usefixtures("new")
def test_a_merge_that_the_registry_does_not_know_of_is_followed(said: Place) -> None:
    registry = apsw.Connection(str(said.data / "registry.db"))
    registry.execute("UPDATE project SET moved_to = NULL")
    registry.close()
    assert "It was here before." in unmarked(said.start())
