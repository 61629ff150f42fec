"""Messages of real transcripts."""

import json
from pathlib import Path

from attrs import evolve

from lamella.ports.transcripts import Source
from lamella_adapters.transcripts.claude_code.reader import ClaudeCodeTranscripts
from tests.fixtures.transcripts.scenario import ELSEWHERE, EXIT_CODE, FORKED, PORTS, RUNS
from tests.unit.adapters.transcripts.claude_code.samples import PROJECTS, drafts, only, said
from tests.unit.adapters.transcripts.reading import line_of, readings

AGENT = f"{EXIT_CODE}/a0000000000000011"

LAUNCHED = "Async agent launched successfully. (This tool result is internal metadata"

SAID = {each.name: each.expected for each in readings(Path(__file__).with_name("said.txt"))}
"""The messages of each transcript. That of the agent's launch is truncated."""


def test_real_transcripts_are_read_as_what_was_said() -> None:
    transcripts = ClaudeCodeTranscripts(PROJECTS)
    read = {
        source.id.rpartition("/")[0]: [
            line_of(draft.role, LAUNCHED if draft.text.startswith(LAUNCHED) else draft.text)
            for draft in drafts(Path(source.place))
        ]
        for source in transcripts.sources()
    }
    assert read == SAID


def test_real_transcripts_hold_the_scenario_that_they_were_made_by() -> None:
    """Compare the scenario with the transcripts, which must be made anew if it changes."""
    texts = {text for _, text in said(PROJECTS)}
    missing = [text for run in RUNS for text in (run.prompt, *run.said) if text not in texts]
    assert missing == ["<summary>\nThe exit code was mended.\n</summary>"]


def test_nothing_of_the_machine_is_in_the_real_transcripts() -> None:
    texts = [path.read_text("utf-8") for path in PROJECTS.rglob("*.jsonl")]
    assert len(texts) == len(SAID)
    assert {json.loads(line)["cwd"] for text in texts for line in text.splitlines() if '"cwd":' in line} == {
        "/home/dev/project",
        "/home/dev/feature",
    }
    assert [text for text in texts if "/root" in text or "/home/" in text.replace("/home/dev", "")] == []


def test_a_source_tells_whose_it_is_and_where_it_was_oldest_first() -> None:
    project, folder = Path("/home/dev/project"), PROJECTS / "-home-dev-project"
    files = {
        EXIT_CODE: (project, folder / f"{EXIT_CODE}.jsonl"),
        AGENT: (project, folder / EXIT_CODE / "subagents" / "agent-a0000000000000011.jsonl"),
        PORTS: (project, folder / f"{PORTS}.jsonl"),
        FORKED: (project, folder / f"{FORKED}.jsonl"),
        ELSEWHERE: (Path("/home/dev/feature"), PROJECTS / "-home-dev-feature" / f"{ELSEWHERE}.jsonl"),
    }
    assert ClaudeCodeTranscripts(PROJECTS).sources() == tuple(
        Source(id=f"{id}/{first_message(path)}", size=path.stat().st_size, directory=directory, place=str(path))
        for id, (directory, path) in files.items()
    )


def first_message(path: Path) -> str:
    """The id of the first record that has one."""
    return str(
        next(json.loads(line)["uuid"] for line in path.read_text("utf-8").splitlines() if '"uuid":' in line)
    )


def test_a_fork_has_the_messages_that_it_began_with_under_their_keys() -> None:
    ports = drafts(PROJECTS / "-home-dev-project" / f"{PORTS}.jsonl")
    forked = drafts(PROJECTS / "-home-dev-project" / f"{FORKED}.jsonl")
    assert forked[: len(ports)] == [evolve(each, session=FORKED) for each in ports]


def test_a_batch_tells_names_and_what_was_skipped() -> None:
    transcripts, source = only(PROJECTS / "-home-dev-project" / f"{PORTS}.jsonl")
    batch = transcripts.read(source, "")
    assert batch.source == f"{PORTS}/{first_message(Path(source.place))}"
    assert batch.names == {PORTS: "Ports and proxies"}
    assert batch.read == source.size
    assert not batch.waiting
    assert batch.skipped == {"of another kind": 40, "of memory's own tools": 4, "meant for the model only": 1}
