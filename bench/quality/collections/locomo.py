"""LoCoMo: long conversations, with questions. The turns that contain the answer to each question are known.

Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents", 2024 (snap-research/locomo). Its
licence (CC BY-NC 4.0) doesn't allow including it here. Pass the path of `locomo10.json`, or of a part of it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from attrs import evolve

from bench.quality.collection import Collection, Memory, Question, single_facts
from lamella.domain.conversations.message import Role

_ADVERSARIAL = 5
"""Number of the category of questions without an answer."""

_EVIDENCE = re.compile(r"D\d+:\d+")
_DATE = "%I:%M %p on %d %B, %Y"


def locomo(path: Path) -> Iterator[Collection]:
    """Yield the conversations three times: as saved turns, as messages, and as single facts.

    A conversation becomes a project, and a turn is saved as `Speaker: text`. Questions are of categories 1 to 4.
    """
    conversations = json.loads(path.read_text("utf-8"))
    memories = [memory for each in conversations for memory in turns(each)]
    keys = frozenset(memory.key for memory in memories)
    saved = Collection(
        name=f"LoCoMo turns ({path.stem})",
        memories=memories,
        questions=[question for each in conversations for question in questions(each, keys)],
    )
    yield saved
    yield evolve(
        saved,
        name=f"LoCoMo messages ({path.stem})",
        memories=[memory for each in conversations for memory in turns(each, as_messages=True)],
    )
    yield evolve(single_facts(saved), name=f"LoCoMo single facts ({path.stem})")


def turns(sample: Mapping[str, Any], *, as_messages: bool = False) -> Iterator[Memory]:
    """Yield the turns of one conversation. Turns of a session are a second apart, from the session's date on.

    Args:
        sample: The conversation.
        as_messages: True to give the turns roles: the first speaker is the human, the second the assistant.
    """
    conversation, project = sample["conversation"], sample["sample_id"]
    numbers = sorted(int(name[8:]) for name in conversation if re.fullmatch(r"session_\d+", name))
    for number in numbers:
        begun = datetime.strptime(conversation[f"session_{number}_date_time"], _DATE).replace(tzinfo=UTC)
        for seconds, turn in enumerate(conversation[f"session_{number}"]):
            caption, speaker = turn.get("blip_caption"), turn["speaker"]
            text = f"{turn['text']} [image: {caption}]" if caption else turn["text"]
            role = Role.HUMAN if speaker == conversation["speaker_a"] else Role.ASSISTANT
            yield Memory(
                key=f"{project} {turn['dia_id']}",
                text=f"{speaker}: {text}",
                project=project,
                session=f"{project} session {number}",
                created_at=begun + timedelta(seconds=seconds),
                role=role if as_messages else None,
            )


def questions(sample: Mapping[str, Any], keys: frozenset[str]) -> Iterator[Question]:
    """Return the questions about one conversation for which the turns with the answer are among `keys`."""
    for asked in sample["qa"]:
        if asked["category"] == _ADVERSARIAL:
            continue
        relevant = {f"{sample['sample_id']} {turn}" for turn in evidence(asked.get("evidence", []))} & keys
        if relevant:
            yield Question(text=asked["question"], project=sample["sample_id"], relevant=frozenset(relevant))


def evidence(given: Sequence[str]) -> list[str]:
    """Return the ids of turns. Some strings in the file have several ids, in different notations."""
    return [turn for text in given for turn in _EVIDENCE.findall(text)]
