"""The readers of all clients keep the contract."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from lamella.entry_points import adapter
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


class TestClaudeCode(Recorded):
    registered = "claude_code"


class TestCodex(Recorded):
    registered = "codex"


class TestGemini(Recorded):
    registered = "gemini"


class TestCopilot(Recorded):
    registered = "copilot"


class TestCursor(Recorded):
    registered = "cursor"


class TestOpenCode(Recorded):
    registered = "opencode"


class TestKilo(Recorded):
    registered = "kilo"


class TestChatGPT(Recorded):
    registered = "chatgpt"
    known_gaps = EXPORTED


class TestClaudeAI(Recorded):
    registered = "claude_ai"
    known_gaps = EXPORTED
