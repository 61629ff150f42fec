"""Edits in the form captured by hooks."""

from datetime import datetime
from pathlib import Path
from typing import Any

from lamella.ports.spool import EditCaptured
from tests.unit.support.stand_ins import DAWN


def captured(hunks: str, *, path: str = "src/pay.py", at: datetime = DAWN, **more: Any) -> EditCaptured:
    """Return an edit in the session `s` of any project. Equal edits have the same name."""
    given = {"name": f"{path} {at} {hunks}", "session": "s", **more}
    return EditCaptured(directory=Path(), path=path, hunks=hunks, at=at, **given)


def removed(code: str) -> str:
    """Return the hunks of an edit that removes some code."""
    return "\n".join(["@@ @@", *(f"-{line}" for line in code.splitlines())])
