from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lamella.container import Lamella, running
from lamella.ports.storage.storage import Capability
from lamella.settings import Settings
from lamella_adapters.cli.maintenance import doctor
from lamella_adapters.memory.storage import InMemoryStorage


@pytest.mark.parametrize("repair", [[], ["--repair", "--yes"]])
def test_a_storage_that_cannot_look_for_faults_says_so(
    repair: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def opened(**_: Any) -> Iterator[tuple[Lamella, None]]:
        with running(Settings(data_directory=tmp_path, storage="memory:")) as lamella:
            yield lamella, None

    able = InMemoryStorage().capabilities - {Capability.DIAGNOSE}
    monkeypatch.setattr(InMemoryStorage, "capabilities", property(lambda _: able))
    monkeypatch.setattr(doctor, "opened", opened)
    monkeypatch.setenv("HOME", str(tmp_path))
    done = CliRunner().invoke(doctor.doctor, repair)
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        "warning storage: lamella can't check this storage. Use the tools of its database.",
        "ok      clients: none is connected. To connect clients: lamella setup",
        "No faults in what could be checked.",
    ]
