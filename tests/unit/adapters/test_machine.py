import os
import pwd
import re
import stat
from pathlib import Path
from threading import Barrier, Thread

import pytest

from lamella.domain.errors import StorageError
from lamella_adapters.process.system import RecordedMachine
from tests.waiting import HANG_SECONDS


def test_a_machine_has_one_random_id_that_only_its_owner_reads(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"
    id = RecordedMachine(data).id()
    assert re.fullmatch("[0-9a-f]{32}", id)
    assert RecordedMachine(data).id() == id
    (file,) = data.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert RecordedMachine(tmp_path / "other").id() != id


def test_a_user_is_known_by_name_if_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert RecordedMachine(tmp_path).user() == pwd.getpwuid(os.geteuid()).pw_name
    monkeypatch.setattr(os, "geteuid", lambda: 2**31 - 7)
    assert RecordedMachine(tmp_path).user() is None
    assert list(tmp_path.iterdir()) == []


def test_processes_that_meet_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meeting, link, ids = Barrier(4, timeout=HANG_SECONDS), os.link, list[str]()

    def link_together(source: Path, target: Path) -> None:
        meeting.wait()
        link(source, target)

    monkeypatch.setattr(os, "link", link_together)
    threads = [Thread(target=lambda: ids.append(RecordedMachine(tmp_path).id())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(ids), len(set(ids)), len(list(tmp_path.iterdir()))) == (4, 1, 1)


@pytest.mark.parametrize("content", ["", "laptop", "0" * 31, "\u00e9" * 32])
def test_a_file_that_holds_no_id_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "machine-id").write_text(content)
    with pytest.raises(StorageError, match="delete it"):
        RecordedMachine(tmp_path).id()


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(StorageError, match="cannot be stored"):
        RecordedMachine(tmp_path / "data").id()
