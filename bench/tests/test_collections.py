"""Tests of the collections used by `bench`."""

import json
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bench.quality.collection import Collection, Memory, Question, single_facts
from bench.quality.collections.captured import captured
from bench.quality.collections.facts import facts
from bench.quality.collections.history import history
from bench.quality.collections.locomo import evidence, locomo, questions, turns
from bench.quality.collections.source_code import (
    Function,
    first_sentence,
    functions_of,
    in_other_styles,
    memories,
    parts,
    sampled,
)
from lamella.domain.conversations.message import Role

NOON = datetime(2024, 5, 6, 12, tzinfo=UTC)


def memory(key: str, text: str, **fields: Any) -> Memory:
    return Memory(key=key, text=text, **{"project": "p", "session": "s", "created_at": NOON, **fields})


def question(text: str, *relevant: str, project: str = "p") -> Question:
    return Question(text=text, project=project, relevant=frozenset(relevant))


# LoCoMo.

SAMPLE = {
    "sample_id": "c1",
    "conversation": {
        "speaker_a": "Ann",
        "session_10_date_time": "12:05 am on 7 May, 2024",
        "session_10": [{"speaker": "Bob", "dia_id": "D10:1", "text": "later"}],
        "session_2_date_time": "1:56 pm on 6 May, 2024",
        "session_2": [
            {"speaker": "Ann", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a zebra"},
            {"speaker": "Bob", "dia_id": "D2:2", "text": "Nice."},
        ],
        "session_3_date_time": "1:56 pm on 6 May, 2024",
    },
    "qa": [
        {"question": "What did Ann show?", "category": 1, "evidence": ["D2:1; D2:2"]},
        {"question": "What did she not show?", "category": 5, "evidence": ["D2:1"]},
        {"question": "When?", "category": 2, "evidence": ["D9:9"]},
        {"question": "Who?", "category": 4},
    ],
}


def test_a_turn_is_what_an_agent_saves_of_it_at_its_second() -> None:
    begun = datetime(2024, 5, 6, 13, 56, tzinfo=UTC)
    expected = [
        ("c1 D2:1", "Ann: Look! [image: a zebra]", "c1 session 2", begun),
        ("c1 D2:2", "Bob: Nice.", "c1 session 2", begun + timedelta(seconds=1)),
        ("c1 D10:1", "Bob: later", "c1 session 10", datetime(2024, 5, 7, 0, 5, tzinfo=UTC)),
    ]
    assert list(turns(SAMPLE)) == [
        Memory(key=key, text=text, project="c1", session=session, created_at=at)
        for key, text, session, at in expected
    ]


def test_as_messages_the_first_speaker_is_the_human_and_the_second_the_assistant() -> None:
    assert [each.role for each in turns(SAMPLE, as_messages=True)] == [Role.HUMAN, Role.ASSISTANT, Role.ASSISTANT]


def test_locomo_is_asked_about_as_turns_as_messages_and_as_single_facts(tmp_path: Path) -> None:
    (tmp_path / "part.json").write_text(json.dumps([SAMPLE]), "utf-8")
    made = list(locomo(tmp_path / "part.json"))
    assert [(each.name, len({memory.session for memory in each.memories})) for each in made] == [
        ("LoCoMo turns (part)", 2),
        ("LoCoMo messages (part)", 2),
        ("LoCoMo single facts (part)", 3),
    ]


def test_a_question_counts_if_it_has_an_answer_among_the_turns() -> None:
    keys = frozenset(turn.key for turn in turns(SAMPLE))
    asked = [question("What did Ann show?", "c1 D2:1", "c1 D2:2", project="c1")]
    assert list(questions(SAMPLE, keys)) == asked


def test_evidence_is_cleaned() -> None:
    assert evidence(["D1:3", "D8:6; D9:17", "D", "D:11:26", "D30:05"]) == ["D1:3", "D8:6", "D9:17", "D30:05"]


# Source code.

FILE = '''
class Box:
    @property
    def lid(self):
        """Opens the
        lid slowly. Or not."""
        a = 1
        b = 2
        return a + b

def brief(): """Says what it does."""

def undocumented(x):
    return x

def empty_words():
    """Too short."""
    a = 1
    b = 2
    return a
'''


def test_a_function_is_what_stays_without_its_docstring() -> None:
    source = "def lid(self):\n    a = 1\n    b = 2\n    return a + b"
    assert list(functions_of("Lib/box.py", FILE)) == [
        Function(path="Lib/box.py", name="lid", source=source, sentence="Opens the lid slowly.")
    ]


@pytest.mark.parametrize(
    ("docstring", "sentence"),
    [("One. Two.", "One."), ("See a.b for\n  more\n\nElse", "See a.b for more"), ("What? Why", "What?"), ("", "")],
)
def test_the_first_sentence_ends_at_its_stop_or_its_paragraph(docstring: str, sentence: str) -> None:
    assert first_sentence(docstring) == sentence


def test_functions_that_say_the_same_are_not_sampled() -> None:
    def function(number: int, sentence: str) -> Function:
        return Function(path="p", name="f", source=f"source {number}", sentence=sentence)

    known = [function(1, "Same."), function(2, "Other."), function(3, "Same."), function(4, "Third.")]
    assert sampled(known, 9) == [known[1], known[3]]
    assert len(sampled(known, 1)) == 1


@pytest.mark.parametrize("written", ["get_user_by_id", "getUserById", "get-user-by-id", "_GETUserBy_ID"])
def test_an_identifier_has_the_same_parts_in_every_style(written: str) -> None:
    assert parts(written) == ["get", "user", "by", "id"]


def test_identifiers_are_asked_for_as_nobody_writes_them() -> None:
    functions = [Function(path="p", name="f", source="x", sentence="s")] * 2
    sources = memories(functions, ["call get_user(a) and get-user", "x = getName"])
    assert in_other_styles(sources) == [
        question("get_name", sources[1].key, project="code"),
        question("get-name", sources[1].key, project="code"),
        question("getUser", sources[0].key, project="code"),
    ]


# History.


def test_a_commit_is_found_by_its_subject(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    (tmp_path / "a.py").write_text("1", "utf-8")
    git("add", ".")
    git("commit", "-m", "A subject", "-m", "Why it was done.", "--date", "2024-05-06T12:00:00+00:00")
    git("commit", "--allow-empty", "-m", "Nothing")
    made = history(tmp_path, "here")
    assert made is not None
    key = made.memories[0].key
    commit = memory(key, "Why it was done.\n\na.py", project="history", session="2024-05-06")
    assert (made.name, list(made.memories), list(made.questions)) == (
        "history of here",
        [commit],
        [question("A subject", key, project="history")],
    )


def test_what_is_no_repository_has_no_history(tmp_path: Path) -> None:
    assert history(tmp_path, "nowhere") is None


# Collections and engines.


def test_a_question_without_an_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="needs an answer"):
        Collection(name="c", memories=[memory("a", "x")], questions=[question("x", "b")])


def test_a_collection_is_taken_apart_by_project() -> None:
    one, two = memory("1", "x", project="b"), memory("2", "y", project="a")
    asked = question("x", "1", project="b")
    collection = Collection(name="c", memories=[one, two], questions=[asked])
    assert collection.projects == {"a": ([two], []), "b": ([one], [asked])}


def test_a_memory_of_single_facts_is_in_a_session_of_its_own() -> None:
    collection = Collection(
        name="c", memories=[memory("1", "x"), memory("2", "y")], questions=[question("x", "1")]
    )
    made = single_facts(collection)
    assert (made.name, [each.session for each in made.memories]) == ("c, single facts", ["1", "2"])


# Captured edits.


def test_facts_stand_among_a_hundred_edits_that_share_their_words() -> None:
    known = [
        Function(path=f"lib/f{number}.py", name=f"f{number}", source=f"def f{number}(): pass", sentence="")
        for number in range(100)
    ]
    alone, among, *_, by_name = captured(facts(), known)
    edits = [each for each in among.memories if each.edit]
    assert (len(alone.memories), len(edits), len(by_name.questions)) == (40, 100, 100)
    assert among.questions == alone.questions
    shared = alone.questions[0].text.split()
    assert sum(all(word in each.text for word in shared) for each in edits) == 4
