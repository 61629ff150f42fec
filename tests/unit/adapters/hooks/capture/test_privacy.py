"""Secrets, private files and captures that are switched off: nothing of them is kept."""

from pathlib import Path

import pytest

from lamella_adapters.hooks.run import answer
from tests.unit.adapters.hooks.capture.events import (
    TOKEN,
    about,
    edit,
    event,
    every_byte,
    prompt,
    shell,
    spooled,
    told,
)


@pytest.mark.parametrize("path", ["/home/dev/project/.env", "deploy/id_rsa", "/home/dev/.ssh/config"])
def test_of_a_file_for_secrets_nothing_is_kept(data: Path, path: str) -> None:
    told(edit(path, "-a", "+swordfish"))
    assert spooled(data) == [about(skipped="a file for secrets")]
    assert path.rpartition("/")[2].encode() not in every_byte(data)


def test_a_link_to_a_file_for_secrets_is_one(data: Path, tmp_path: Path) -> None:
    (tmp_path / "settings").symlink_to(tmp_path / ".env")
    told(edit(str(tmp_path / "settings")))
    assert spooled(data) == [about(skipped="a file for secrets")]


def test_where_the_project_lies_makes_none_of_its_files_private(data: Path) -> None:
    inside = {**edit("/home/dev/.aws/project/main.py"), "cwd": "/home/dev/.aws/project"}
    beside = {**edit("/home/dev/.aws/x"), "cwd": "/home/dev/.a"}
    told(inside, beside)
    assert [record.get("skipped") for record in spooled(data)] == [None, "a file for secrets"]


def test_secrets_are_taken_out_of_all_that_is_kept(data: Path) -> None:
    told(
        prompt(f"Use {TOKEN} for the upload. <private>My name is Ulrich.</private>"),
        edit(f"/home/dev/project/{TOKEN}.py", "-a", f"+token = '{TOKEN}'", "+<private>", "+Ulrich", "+</private>"),
        shell(f"make upload TOKEN={TOKEN}"),
        {**event("Stop"), "transcript_path": f"/home/{TOKEN}/t.jsonl", "cwd": f"/home/{TOKEN}"},
        {**event("Stop"), "session_id": TOKEN},
    )
    kept = every_byte(data)
    assert len(spooled(data)) == 4
    assert b"Use [redacted] for the upload." in kept
    assert TOKEN.encode() not in kept
    assert b"Ulrich" not in kept


def test_a_secret_at_the_edge_of_what_is_kept_is_not_kept_in_part(data: Path) -> None:
    told(shell(f"make {'x' * 180} {TOKEN}"), prompt(f"{'x' * 290} {TOKEN}"), edit("a.py", f"+{'x' * 290} {TOKEN}"))
    assert len(spooled(data)) == 2
    assert b"ghp_" not in every_byte(data)


def test_a_prompt_that_is_private_leaves_no_reason(data: Path) -> None:
    told(prompt("Make it a letter further."), prompt("<private>Ulrich</private>"), edit())
    assert spooled(data)[0]["reason"] == "[private]"


class TestSwitches:
    """Captures that the user has switched off, which leave no trace."""

    ALL = (prompt("Make it a letter further."), edit(), shell("make"), event("Stop"), event("SessionEnd"))

    def left(self, data: Path, monkeypatch: pytest.MonkeyPatch, *off: str) -> list[tuple[str, str | None]]:
        """The events that are kept, and their reasons."""
        for name in off:
            monkeypatch.setenv(f"CLAUDE_PLUGIN_OPTION_{name}", "false")
        told(*self.ALL)
        return [(record["event"], record.get("reason")) for record in spooled(data)]

    def test_a_session_begins_with_a_note_of_what_is_off(
        self, data: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told(event("SessionStart"))
        assert spooled(data) == []
        for name in ("CAPTURE_EDITS", "CONTEXT_AT_START"):
            monkeypatch.setenv(f"CLAUDE_PLUGIN_OPTION_{name}", "false")
        told(event("SessionStart"))
        assert [record["skipped"] for record in spooled(data)] == ["switched off: capture_edits, context_at_start"]

    def test_edits(self, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.left(data, monkeypatch, "CAPTURE_EDITS") == [("reply", None), ("session end", None)]
        assert b"letter" not in every_byte(data)

    def test_conversations(self, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        told(prompt("An older letter is no reason."))
        assert self.left(data, monkeypatch, "CAPTURE_CONVERSATIONS") == [("edit", ""), ("command", "")]

    def test_both(self, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.left(data, monkeypatch, "CAPTURE_EDITS", "CAPTURE_CONVERSATIONS") == []
        assert answer(b"garbage") == b""
        assert not (data / "spool").exists()
        assert b"letter" not in every_byte(data)
