"""Projects that a hook looks at."""

from pathlib import Path

import apsw
import pytest
from attrs import evolve

from lamella.application.memories.save import SaveRequest
from lamella.container import running
from tests.end_to_end.hooks.place import Place, unmarked


@pytest.fixture
def new(said: Place, tmp_path: Path) -> Place:
    """Return another project, into which the one of `said` was merged."""
    new = evolve(said, project=tmp_path / "new")
    new.project.mkdir()
    with running(new.settings) as lamella:
        lamella.save(new.call, SaveRequest(text="It was here before.", source="decision"))
        lamella.merge_projects(new.call, "shop", "new")
    return new


@pytest.mark.usefixtures("new")
def test_a_merge_that_the_registry_does_not_know_of_is_followed(said: Place) -> None:
    registry = apsw.Connection(str(said.data / "registry.db"))
    registry.execute("UPDATE project SET moved_to = NULL")
    registry.close()
    assert "It was here before." in unmarked(said.start())
