"""Sessions at desks, machines and shelves, as files in folders `sessions` tell them."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.end_to_end.support.sessions import Session, sessions
from tests.unit.capture.drain.drain_session import DrainShell
from tests.unit.conversations.imports.import_session import ImportShell
from tests.unit.exchange.copying.desks import MachineShell
from tests.unit.exchange.everything.machines import MachinesShell
from tests.unit.exchange.moving import ExportShell
from tests.unit.exchange.programs.shelf import ShelfShell
from tests.unit.exchange.sharing.team import ShareShell
from tests.unit.search.search_session import SearchShell
from tests.unit.support.desk_session import DeskShell
from tests.unit.support.doubles import Desk

SHELLS: Mapping[str, Callable[[Path], DeskShell]] = {
    **dict.fromkeys(
        ("audit", "conversations", "memories", "projects", "search/recall"), lambda _: DeskShell(Desk())
    ),
    "capture/drain": lambda _: DrainShell(),
    "conversations/imports": lambda _: ImportShell(),
    "exchange": lambda _: ExportShell(Desk()),
    "exchange/copying": lambda _: MachineShell(),
    "exchange/everything": MachinesShell,
    "exchange/programs": lambda _: ShelfShell(Desk()),
    "exchange/sharing": ShareShell,
    "search": lambda _: SearchShell(),
}
"""For each folder with a folder `sessions`, what plays its sessions. It may keep files in the given folder."""


@pytest.mark.parametrize(
    ("folder", "session"),
    [
        (folder, session)
        for folder in SHELLS
        for file in sorted(Path(__file__).parent.glob(f"{folder}/sessions/*.txt"))
        for session in sessions(file)
    ],
    ids=str,
)
def test_what_is_done_is_answered_as_written(folder: str, session: Session, tmp_path: Path) -> None:
    SHELLS[folder](tmp_path.resolve()).play(session)
