import os
import re
from pathlib import Path

import pytest

from lamella_adapters.hooks.session import processes
from lamella_adapters.hooks.session.identity import RecordedSessions
from lamella_adapters.hooks.session_records import read_record, record_session
from tests.unit.adapters.hooks.session.session_files import record, stored
from tests.unit.support.tables import cases


def sessions(directory: Path, *, explicit: str | None = None, startup_id: str | None = None) -> RecordedSessions:
    return RecordedSessions(explicit=explicit, startup_id=startup_id, data_directory=directory)


def test_what_the_user_named_comes_first(tmp_path: Path) -> None:
    record_session(str(tmp_path), os.getppid(), "recorded")
    assert sessions(tmp_path, explicit=" mine ", startup_id="at-start").current() == "mine"


@pytest.mark.parametrize("blank", [None, "", "  "])
def test_what_a_hook_recorded_for_the_client_comes_before_what_the_server_was_told(
    tmp_path: Path, blank: str | None
) -> None:
    record_session(str(tmp_path), os.getppid(), "recorded")
    assert sessions(tmp_path, explicit=blank, startup_id="at-start").current() == "recorded"


def test_the_record_of_an_earlier_process_with_the_same_id_is_ignored_and_replaced(tmp_path: Path) -> None:
    file = stored(tmp_path, os.getppid(), record("long ago", "old", "older"))
    asked = sessions(tmp_path, startup_id="at-start")
    before = asked.current()
    record_session(str(tmp_path), os.getppid(), "new")
    started = processes.started(os.getppid())
    assert started is not None
    assert (before, asked.current()) == ("at-start", "new")
    assert read_record(str(file)) == (started, "new", "new")


def test_where_no_ancestor_is_known_the_record_that_names_the_first_session_counts(tmp_path: Path) -> None:
    stored(tmp_path, 1_000_001, record("then", "other", "another"))
    stored(tmp_path, 1_000_002, record("then", "at-start", "after-clear"))
    stored(tmp_path, 1_000_003, record("then", "more", "and-more"))
    assert sessions(tmp_path, startup_id="at-start").current() == "after-clear"
    assert sessions(tmp_path, startup_id="after-clear").current() == "after-clear"
    assert sessions(tmp_path, startup_id="unknown").current() == "unknown"


def test_of_two_records_that_name_the_first_session_the_newer_counts(tmp_path: Path) -> None:
    for pid, written in ((1_000_001, 2_000_000_000), (1_000_002, 1_000_000_000)):
        os.utime(stored(tmp_path, pid, record("then", "at-start", f"of-{pid}")), (written, written))
    assert sessions(tmp_path, startup_id="at-start").current() == "of-1000001"


def test_without_any_sign_a_server_makes_a_session_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    one, other = sessions(tmp_path), sessions(tmp_path / "not" / "there")
    assert re.fullmatch(
        r"session-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", one.current()
    )
    assert one.current() == one.current()
    assert one.current() != other.current()


@cases
def test_a_damaged_record_is_ignored_and_then_replaced(tmp_path: Path, part: str, instead: str) -> None:
    whole = record(str(processes.started(os.getppid())), "one", "two")
    file = stored(tmp_path, os.getppid(), whole)
    asked = sessions(tmp_path, startup_id="at-start")
    seen = [asked.current()]
    file.write_text(re.sub(part, instead, whole, count=1, flags=re.DOTALL))
    seen.append(asked.current())
    record_session(str(tmp_path), os.getppid(), "mended")
    seen.append(asked.current())
    assert seen == ["two", "at-start", "mended"]


@pytest.mark.parametrize("kind", ["directory", "pipe", "link", "file"])
def test_what_is_in_the_place_of_a_record_and_is_none_is_ignored(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "claude-code" / f"{os.getppid()}.json"
    if kind == "file":
        place.parent.write_text("a file where the folder should be")
    else:
        place.parent.mkdir()
    started = processes.started(os.getppid())
    if kind == "directory":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    elif kind == "link":
        (tmp_path / "elsewhere").write_text(record(f"{started}", "a", "b"))
        place.symlink_to(tmp_path / "elsewhere")
    assert sessions(tmp_path, startup_id="at-start").current() == "at-start"


def test_a_data_directory_that_cannot_exist_is_no_obstacle() -> None:
    assert sessions(Path("/a\0b"), startup_id="at-start").current() == "at-start"


def test_ancestors_are_the_chain_of_parents() -> None:
    found = processes.ancestors()
    assert found[0] == (os.getppid(), processes.started(os.getppid()))
    assert len({pid for pid, _ in found}) == len(found)


def test_a_long_chain_of_parents_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_MAX_ANCESTORS", 1)
    assert len(processes.ancestors()) == 1


def test_the_client_is_the_nearest_parent_that_starts_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = [(7, "", "sh"), (6, "", "uvx"), (5, "", "codex"), (4, "", "node")]
    monkeypatch.setattr(processes, "_ancestors", lambda: iter(chain))
    assert processes.client() == 5
    monkeypatch.setattr(processes, "_ancestors", lambda: iter(chain[:2]))
    assert processes.client() == 0


def test_a_process_that_does_not_exist_has_not_started() -> None:
    assert processes.started(2**22 + 1) is None
