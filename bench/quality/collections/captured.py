"""Facts saved among captured edits. The prompts of the edits contain words of the facts."""

import random
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta

from bench.quality.collection import Collection, Edit, Memory, Question
from bench.quality.collections.source_code import Function
from lamella.domain.text.words import STOP_WORDS

_SEED = 11
_SAVED, _REQUESTS, _FILES = 40, 25, 4
"""Number of facts, number of the user's requests, and files edited for each request."""

_LEAST_LETTERS = 5
_WORD = re.compile(r"[A-Za-z_]+")
_PROMPTS = (
    "Please change how {} and {} work together with {}.",
    "The {} is wrong where {} meets {}, fix that and run the tests.",
    "Clean up {}: move {} out of it and rename {}.",
    "Add {} to {}, as we did for {} last week.",
)


def captured(facts: Collection, functions: Sequence[Function]) -> Iterator[Collection]:
    """Yield the facts alone, the facts among edits, and the edits with questions about names in their code."""
    dice = random.Random(_SEED)  # noqa: S311 - a sample
    saved = facts.memories[:_SAVED]
    told = [(each, _words(each.text, dice)) for each in saved]
    requests = dice.sample([(memory, words) for memory, words in told if len(words) == 3], _REQUESTS)
    code = iter(dice.sample(list(functions), _REQUESTS * _FILES))
    work: list[Memory] = []
    by_name: list[Question] = []
    for number, (memory, words) in enumerate(requests):
        prompt = dice.choice(_PROMPTS).format(*words)
        session = f"work {number}"
        start = saved[-1].created_at + timedelta(hours=number + 1)
        edits = [next(code) for _ in range(_FILES)]
        for place, function in enumerate(edits):
            key = f"{session}, {place}"
            edit = _edit(key, prompt, function, words)
            at = start + place * timedelta(minutes=1)
            work.append(
                Memory(key=key, text=edit.text, project=memory.project, session=session, created_at=at, edit=edit)
            )
            by_name.append(Question(text=function.name, project=memory.project, relevant=frozenset([key])))
        paths = "\n".join(f"- {each.path}: 1 edit" for each in edits)
        work.append(
            Memory(
                key=f"{session}, summary",
                text=f"Asked:\n- {prompt}\nChanged:\n{paths}",
                project=memory.project,
                session=session,
                created_at=start + timedelta(minutes=30),
                summary=True,
            )
        )
    shared = [
        Question(text=" ".join(words), project=memory.project, relevant=frozenset([memory.key]))
        for memory, words in requests
    ]
    asked = [*shared, *(each for each in facts.questions if each.relevant <= {memory.key for memory in saved})]
    among = [*saved, *work]
    for name, memories, questions in (
        ("40 saved, alone", saved, asked),
        ("40 saved, among 100 edits", among, asked),
        ("40 saved by their words, alone", saved, shared),
        ("40 saved by their words, among 100 edits", among, shared),
        ("edits by names in their code", among, by_name),
    ):
        yield Collection(
            name=name, memories=memories, questions=questions, figures=("R@3", "nDCG@10"), sentences=False
        )


def _words(text: str, dice: random.Random) -> list[str]:
    """Return up to three distinctive words of a fact, in order."""
    said = dict.fromkeys(word for word in _WORD.findall(text) if len(word) >= _LEAST_LETTERS)
    telling = [word for word in said if word.lower() not in STOP_WORDS]
    chosen = set(dice.sample(telling, min(3, len(telling))))
    return [word for word in telling if word in chosen]


def _edit(key: str, prompt: str, function: Function, words: Sequence[str]) -> Edit:
    """Return an edit that adds a function and a line with the words of the prompt."""
    lines = [*function.source.split("\n"), f'    log.debug("{words[0]} {words[1]}", {words[2]})']
    hunks = "\n".join([f"@@ -0,0 +1,{len(lines)} @@", *(f"+{line}" for line in lines)])
    return Edit(path=f"{key.replace(', ', '/')}/{function.path}", prompt=prompt, hunks=hunks)
