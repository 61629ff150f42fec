"""Cursor's events are made by its documentation: it can't run without an account."""

import pytest

from lamella_adapters.hooks.clients.cursor import event
from tests.unit.adapters.hooks.clients.recorded import recorded


@pytest.mark.parametrize("roots", [None, [], [7], "/"])
def test_without_a_workspace_the_working_directory_counts(roots: object) -> None:
    payload = {**recorded("cursor/stop"), "workspace_roots": roots, "cwd": "/elsewhere"}
    assert event(payload, "").directory == "/elsewhere"


def test_an_edit_without_a_file_is_none() -> None:
    assert event({"hook_event_name": "afterFileEdit", "edits": []}, "").edits == []
