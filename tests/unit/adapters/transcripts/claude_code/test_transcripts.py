"""Messages of real transcripts."""

import json
from pathlib import Path

from attrs import evolve

from lamella.domain.conversations.message import Role
from lamella.ports.transcripts import Source
from lamella_adapters.transcripts.claude_code.reader import ClaudeCodeTranscripts
from tests.fixtures.transcripts.scenario import ELSEWHERE, EXIT_CODE, FORKED, PORTS, RUNS
from tests.unit.adapters.transcripts.claude_code.samples import PROJECTS, batches, drafts, only, said

AGENT = f"{EXIT_CODE}/a0000000000000011"

LAUNCHED = "Async agent launched successfully. (This tool result is internal metadata"
UPDATED = "(file state is current in your context — no need to Read it back)"

MAIN, NOTES = "/home/dev/project/main.c", "/home/dev/project/NOTES.md"

SAID = {
    EXIT_CODE: [
        (Role.HUMAN, "Why does the program report success when the file is missing?"),
        (Role.THOUGHT, "The exit code is set in main."),
        (Role.ASSISTANT, "main always returns 0."),
        (Role.HUMAN, "Mend it, and note that in NOTES.md."),
        (Role.TOOL, 'Bash {"command":"cat missing.txt","description":"Show what happens"}'),
        (Role.TOOL_RESULT, "Exit code 1\ncat: missing.txt: No such file or directory"),
        (Role.TOOL, 'Read {"file_path":"/home/dev/project/main.c"}'),
        (Role.TOOL_RESULT, "1\tint main(void) { return 0; }\n2"),
        (
            Role.TOOL,
            f'Edit {{"replace_all":false,"file_path":"{MAIN}","old_string":"return 0","new_string":"return 1"}}',
        ),
        (Role.TOOL_RESULT, f"The file /home/dev/project/main.c has been updated successfully. {UPDATED}"),
        (
            Role.TOOL,
            rf'Write {{"file_path":"{NOTES}","content":"The exit code tells of a missing file.\n"}}',
        ),
        (Role.TOOL_RESULT, f"File created successfully at: /home/dev/project/NOTES.md {UPDATED}"),
        (Role.TOOL, 'Read {"file_path":"/home/dev/project/banner.png"}'),
        (Role.TOOL_RESULT, "[image]"),
        (Role.ASSISTANT, "The exit code is 1 now: Überprüfung ✓."),
        (Role.HUMAN, "Let an agent look at it once more."),
        (
            Role.TOOL,
            'Agent {"description":"Review main.c","prompt":"Is the exit code right?","subagent_type":"Explore"}',
        ),
        (Role.TOOL_RESULT, LAUNCHED),
        (Role.ASSISTANT, "The exit code is right."),
        (Role.SYSTEM, 'Agent "Review main.c" finished\nThe exit code is right.'),
        (Role.ASSISTANT, "The agent agrees."),
        (Role.SYSTEM, "Conversation compacted"),
        (Role.SYSTEM, "The exit code was mended."),
        (Role.HUMAN, "/compact Keep the exit code."),
        (Role.SYSTEM, "Compacted (ctrl+o to see full summary)"),
        (Role.HUMAN, "What was mended?"),
        (Role.ASSISTANT, "The exit code."),
    ],
    AGENT: [(Role.ASSISTANT, "Is the exit code right?"), (Role.ASSISTANT, "The exit code is right.")],
    PORTS: [
        (Role.HUMAN, "Which port is free? Remember it."),
        (Role.ASSISTANT, "Port 8123 is free."),
        (Role.HUMAN, "/rename Ports and proxies"),
        (Role.SYSTEM, "Session renamed to: Ports and proxies"),
    ],
    FORKED: [
        (Role.HUMAN, "Which port is free? Remember it."),
        (Role.ASSISTANT, "Port 8123 is free."),
        (Role.HUMAN, "/rename Ports and proxies"),
        (Role.SYSTEM, "Session renamed to: Ports and proxies"),
        (Role.HUMAN, "And for the proxy?"),
        (Role.ASSISTANT, "Port 8080."),
    ],
    ELSEWHERE: [(Role.HUMAN, "Is this the same project?"), (Role.ASSISTANT, "A worktree of it.")],
}
"""The messages of each transcript. That of the agent's launch is truncated."""


def test_real_transcripts_are_read_as_what_was_said() -> None:
    transcripts = ClaudeCodeTranscripts(PROJECTS)
    read = {
        source.id.rpartition("/")[0]: [
            (draft.role, LAUNCHED if draft.text.startswith(LAUNCHED) else draft.text)
            for batch in batches(transcripts, source)
            for draft in batch.drafts
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
    (batch,) = batches(transcripts, source)
    assert batch.source == f"{PORTS}/{first_message(Path(source.place))}"
    assert batch.names == {PORTS: "Ports and proxies"}
    assert batch.read == source.size
    assert not batch.waiting
    assert batch.skipped == {
        "of another kind": 40,
        "of memory's own tools": 4,
        "meant for the model only": 1,
    }
