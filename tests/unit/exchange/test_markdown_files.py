import json
from datetime import UTC, datetime

from lamella.domain.conversations.message import MessageDraft, Role
from lamella.domain.exchange import markdown
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.records import Said, SessionName
from lamella.domain.projects.project import Project
from tests.unit.exchange.test_formats import END, HEADER, MEMORY, PROJECT, lines, read


def test_every_record_has_a_file_and_a_memory_whose_name_is_taken_one_with_all_of_its_id() -> None:
    project, arrival = read(lines(HEADER, PROJECT, json.dumps(MEMORY), END))
    assert isinstance(arrival, Arrival)
    at = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    said = Said("p", MessageDraft(key="k", session="s", role=Role.HUMAN, text="Hello", at=at))
    taken = set[str]()
    files = markdown.MarkdownFiles(taken.__contains__)
    records = [project, arrival, arrival, SessionName("p", "s", "Greeting"), said, said]
    found = []
    for record in records:
        found.append(files.placed(record))
        taken.update(found[-1][:1] if found[-1] else ())
    folder, part = arrival.observation.project, markdown.message_part(said)
    assert isinstance(project, Project)
    names = [markdown.memory_file_name(arrival, digits=digits) for digits in (8, 32)]
    talk = f"p/conversations/{markdown.conversation_file_name(said, 'Greeting')}"
    assert found == [
        (f"{project.id}/project.md", markdown.project_file(project)),
        *((f"{folder}/{name}", markdown.memory_file(arrival)) for name in names),
        None,
        (talk, markdown.conversation_head("p", "s", "Greeting") + part),
        (talk, part),
    ]
