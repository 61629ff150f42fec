"""The readers of all clients keep the contract."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from lamella.entry_points import adapter, names
from lamella.ports.transcripts import Transcripts
from lamella_contracts import TranscriptsContract
from tests.unit.adapters.transcripts import samples

EXPORTED = {
    "what_is_said_later_is_read_from_there": "the next export replaces the whole file",
    "long_sources_come_in_batches": "a conversation of an export is one record, and not divided",
}


class Recorded(TranscriptsContract):
    registered: ClassVar[str]

    def open_transcripts(self, folder: Path) -> Transcripts:
        transcripts: Transcripts = adapter("transcripts", self.registered)(folder)
        return transcripts

    def record_session(self, folder: Path, session: str, texts: Sequence[str]) -> None:
        getattr(samples, self.registered)(folder, session, texts)


def suite(registered: str) -> type:
    exports = registered in {"chatgpt", "claude_ai"}
    named = {"registered": registered, **({"known_gaps": EXPORTED} if exports else {})}
    return type(f"Test_{registered}", (Recorded,), named)


globals().update((each.__name__, each) for each in map(suite, names("transcripts")))
