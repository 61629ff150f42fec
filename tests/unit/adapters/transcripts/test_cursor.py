import os
import re
from pathlib import Path

from lamella_adapters.transcripts.cursor import CursorTranscripts
from tests.unit.adapters.transcripts.samples import SESSION, cursor, drafts, write


def slug_of(folder: Path) -> str:
    """The name that Cursor gives to a directory."""
    return re.sub("[^A-Za-z0-9]+", "-", str(folder)).strip("-")


def test_the_directory_is_the_only_one_on_disk_that_is_written_so(tmp_path: Path) -> None:
    project, projects = tmp_path / "my.kiln" / "src-2", tmp_path / "projects"
    project.mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path)
    cursor(projects / slug_of(project), SESSION, ["How hot?"])
    cursor(projects / "no-such-place", "other", ["How hot?"])
    write(projects / slug_of(project) / "mcp.jsonl", {})
    sources = CursorTranscripts(projects).sources()
    assert {each.id: each.directory for each in sources} == {SESSION: project, "other": None}
    (tmp_path / "my-kiln" / "src-2").mkdir(parents=True)
    assert [each.directory for each in CursorTranscripts(projects).sources()] == [None, None]


def test_messages_have_the_time_at_which_their_file_was_written(tmp_path: Path) -> None:
    cursor(tmp_path, SESSION, ["How hot?", "900 °C."])
    os.utime(tmp_path / "agent-transcripts" / SESSION / f"{SESSION}.jsonl", (1_800_000_000, 1_800_000_000))
    assert {draft.at.timestamp() for draft in drafts(CursorTranscripts(tmp_path))} == {1_800_000_000}
