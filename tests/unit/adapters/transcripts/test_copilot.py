from pathlib import Path

from lamella_adapters.transcripts.copilot import CopilotTranscripts
from tests.unit.adapters.transcripts.samples import HOME, SESSION, copilot, write


def test_events_say_whose_they_are_and_other_files_are_passed_over(tmp_path: Path) -> None:
    copilot(tmp_path, SESSION, ["How hot?"])
    write(tmp_path / SESSION / "checkpoints.jsonl", {"type": "user.message"})
    (source,) = CopilotTranscripts(tmp_path).sources()
    assert (source.id, source.directory) == (SESSION, Path(HOME))
