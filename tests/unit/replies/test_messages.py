import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.conversations.message import Message, Role
from lamella.domain.conversations.query import MessageHit
from lamella.domain.memories.query import Span
from lamella.domain.replies.budget import PAGE_TOKENS, TokenBudget
from lamella.domain.replies.messages import found_messages
from lamella.domain.text.printing import one_line
from lamella_adapters.tokenizers.character_classes import ClassTokenizer
from tests.unit.support.stand_ins import DAWN

TOKENS = TokenBudget(PAGE_TOKENS, ClassTokenizer().count)


def hit(number: int, text: str, *spans: Span, name: str = "Fixing it", role: Role = Role.HUMAN) -> MessageHit:
    message = Message(number=number, session="s", role=role, text=text, at=DAWN)
    return MessageHit(message=message, session_name=name, score=1.0, strength=1.0, spans=spans)


def test_each_hit_has_its_number_session_speaker_and_a_snippet() -> None:
    hits = [
        hit(7, "Why does\nit fail?"),
        hit(3, "Because.", name='A "quoted"\nname\\' + "n" * 99, role=Role.THOUGHT),
    ]
    assert found_messages("why fail", hits, TOKENS).split("\n") == [
        'Found 2 result(s) for "why fail":',
        "",
        '[message 7, session "Fixing it", human]',
        "    ...Why does it fail?...",
        '[message 3, session "A \\"quoted\\" name\\' + "n" * 84 + '", thought]',
        "    ...Because....",
    ]


NAMES = st.text(st.sampled_from('\\",] humanx'), max_size=60).map(one_line)


@given(name=NAMES | st.sampled_from(["C:\\dev\\lamella", 'x", human]', "\\", '"', '\\"']))
def test_a_name_can_be_read_out_of_its_heading(name: str) -> None:
    heading = found_messages("x", [hit(1, "x", name=name)], TOKENS).split("\n")[2]
    parts = re.fullmatch(r'\[message 1, session "(.*)", (\w+)\]', heading)
    assert parts is not None
    assert (parts[1].replace('\\"', '"'), parts[2]) == (name, "human")


def test_nothing_found_says_what_was_asked_for() -> None:
    assert found_messages("zebra\u202e", [], TOKENS) == 'No results found for "zebra\\u{202E}".'
    assert found_messages("z" * 500, [], TOKENS) == f'No results found for "{"z" * 500}".'
    escaped = "\\u{202E}" * 62
    assert found_messages("\u202e" * 500, [], TOKENS) == f'No results found for "{escaped}".'


def test_a_snippet_is_300_characters_around_the_match() -> None:
    text = "a" * 1_000 + " zebra " + "b" * 1_000
    snippet = found_messages("zebra", [hit(1, text, Span(1_001, 1_006, 0))], TOKENS).split("\n")[3]
    assert snippet.startswith("    ...aaa")
    assert " zebra b" in snippet
    assert len(snippet) == len("    ......") + 300


def test_the_least_relevant_go_first_and_it_says_how_many() -> None:
    hits = [hit(number, "x" * 300) for number in range(1, 6)]
    budget = TokenBudget(1_200, len)
    lines = found_messages("x", hits, budget).split("\n")
    assert [line for line in lines if line.startswith("[")] == [
        f'[message {number}, session "Fixing it", human]' for number in (1, 2, 3)
    ]
    assert (lines[0], lines[-1]) == ('Found 5 result(s) for "x":', "... and 2 more")


@pytest.mark.parametrize("more", [0, 2])
def test_a_hit_that_is_too_large_alone_is_cut_inside(more: int) -> None:
    hits = [hit(number, "x" * 300) for number in range(1, 2 + more)]
    reply = found_messages("x", hits, TokenBudget(200, len))
    lines = reply.split("\n")
    kept = lines[3].count("x")
    assert lines[3] == f"    ...{'x' * kept}[...truncated at ~{kept} tokens]"
    assert lines[4:] == ([f"... and {more} more"] if more else [])
    assert 190 < len(reply) <= 200


@given(st.text(max_size=500), st.lists(st.text(min_size=1, max_size=400), max_size=5), st.text(max_size=300))
def test_whatever_was_said_the_reply_is_within_its_budget(query: str, texts: list[str], name: str) -> None:
    hits = [hit(number, text, name=name) for number, text in enumerate(texts, start=1)]
    reply = found_messages(query, hits, TOKENS)
    assert TOKENS.allows(reply)
    lines = reply.split("\n")[2:]
    assert all(line.startswith(("[message ", "    ...", "... and ")) for line in lines)


def test_the_worst_of_texts_is_within_its_budget() -> None:
    worst = "\u200b" * 500
    reply = found_messages(worst, [hit(1, worst, name=worst)] * 5, TOKENS)
    assert TOKENS.allows(reply)
    assert "[message 1, session" in reply
