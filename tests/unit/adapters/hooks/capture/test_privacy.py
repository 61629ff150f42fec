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


def test_a_link_to_a_file_for_secrets_is_one(data: Path, tmp_path: Path) -> None:
    (tmp_path / "settings").symlink_to(tmp_path / ".env")
    told(edit(str(tmp_path / "settings")))
    assert spooled(data) == [about(skipped="a file for secrets")]


def test_a_secret_at_the_edge_of_what_is_kept_is_not_kept_in_part(data: Path) -> None:
    told(shell(f"make {'x' * 180} {TOKEN}"), prompt(f"{'x' * 290} {TOKEN}"), edit("a.py", f"+{'x' * 290} {TOKEN}"))
    assert len(spooled(data)) == 2
    assert b"ghp_" not in every_byte(data)


def test_with_edits_and_conversations_switched_off_there_is_no_trace(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("EDITS", "CONVERSATIONS"):
        monkeypatch.setenv(f"CLAUDE_PLUGIN_OPTION_CAPTURE_{name}", "false")
    told(prompt("Make it a letter further."), edit(), shell("make"), event("Stop"), event("SessionEnd"))
    assert answer(b"garbage") == b""
    assert not (data / "spool").exists()
    assert b"letter" not in every_byte(data)
