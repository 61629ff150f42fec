"""The figures of the day."""

import json
from collections.abc import Callable, Sequence
from statistics import mean

from lamella_adapters.mcp.toolsets.unified import INSTRUCTIONS
from tests.tour import day
from tests.tour.page import Page, tokens
from tests.tour.play import Answered, Day

_FIRST = 3
_WEAK = "weak match"


def add(today: Day, *both: Answered) -> None:
    """Add the section with the figures, of answers without and with the extra `semantic`."""
    page = today.page
    page.add(
        "## The day in figures",
        f"The {len(day.QUESTIONS)} questions and {len(day.PROMPTS) + len(day.OTHER_PROMPTS)} prompts were "
        "chosen without regard to how well lamella answers them. Each was tried twice: without extras, when only "
        "words are compared, and with the extra `semantic`, when meaning is compared, too.",
    )
    rows: tuple[tuple[str, Callable[[Answered], str]], ...] = (
        ("questions with the right memory in the first three", lambda each: _within(_ranks(today, each), _FIRST)),
        ("questions with the right memory in the reply", lambda each: _within(_ranks(today, each), None)),
        ("replies without the right memory that say `weak match`", lambda each: _weak(today, each)),
        ("prompts whose answer was in the index", lambda each: _of(_indexed(today, each))),
        ("other prompts that were shown the answer", lambda each: _brought(today, each)),
        ("prompts that were shown an unrelated memory", lambda each: _of(_elses(today, each))),
        ("tokens of the index", lambda each: _tokens(page, [each.index])),
        ("tokens shown with a prompt", lambda each: _tokens(page, [*each.prompts, *each.others])),
        ("tokens of a compact reply", lambda each: _tokens(page, each.replies)),
        ("tokens of a line in a compact reply", lambda each: _tokens(page, _lines(each))),
    )
    page.table(("", "words", "`semantic`"), [(name, *map(of, both)) for name, of in rows])
    given = json.loads(today.shell("status", "--json"))["injected"]
    page.add(
        f"By itself, lamella showed the model {given['tokens']:,} tokens in {today.sessions} sessions of this "
        f"project. The server's instructions take {tokens(INSTRUCTIONS)} tokens. All tokens on this page were "
        "counted by the default estimator; tokens in the table are averages.",
        "The rank of the right memory for each question:",
    )
    ranks = [_ranks(today, each) for each in both]
    page.table(
        ("question", "words", "`semantic`"),
        [
            (question, *(each[number] or "-" for each in ranks))
            for number, (question, _) in enumerate(day.QUESTIONS)
        ],
    )


def _ranks(today: Day, answered: Answered) -> list[int]:
    return [today.rank(reply, key) for (_, key), reply in zip(day.QUESTIONS, answered.replies, strict=True)]


def _within(ranks: Sequence[int], most: int | None) -> str:
    return _of([0 < rank <= (most or rank) for rank in ranks])


def _weak(today: Day, answered: Answered) -> str:
    ranks = _ranks(today, answered)
    return _of([_WEAK in reply for rank, reply in zip(ranks, answered.replies, strict=True) if not rank])


def _indexed(today: Day, answered: Answered) -> list[bool]:
    return [today.shows(answered.index, key) for _, key in day.PROMPTS]


def _right(today: Day, answered: Answered) -> list[bool]:
    return [today.shows(shown, key) for (_, key), shown in zip(day.PROMPTS, answered.prompts, strict=True)]


def _brought(today: Day, answered: Answered) -> str:
    known = zip(_indexed(today, answered), _right(today, answered), strict=True)
    return _of([brought for indexed, brought in known if not indexed])


def _elses(today: Day, answered: Answered) -> list[bool]:
    """Return for each prompt whether it brought memories, but not the right one."""
    wrong = [
        bool(shown) and not right for shown, right in zip(answered.prompts, _right(today, answered), strict=True)
    ]
    return [*wrong, *map(bool, answered.others)]


def _of(cases: Sequence[bool]) -> str:
    return f"{sum(cases)} of {len(cases)}"


def _lines(answered: Answered) -> list[str]:
    return [line for reply in answered.replies for line in reply.splitlines() if line.startswith("[")]


def _tokens(page: Page, texts: Sequence[str]) -> str:
    counts = [tokens(page.neutral.text(text)) for text in texts if text]
    return f"{mean(counts):,.0f}" if counts else "-"
