from attrs import evolve

from lamella.domain.conversations.message import Role
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN
from tests.unit.support.tables import cases


def test_where_conversations_are_not_shared_their_absence_is_told() -> None:
    desk = Desk()
    recall_messages = evolve(desk.recall_messages, keeps_conversations=False)
    told = "conversations stay on the machine, in the client's transcripts, unless LAMELLA_SHARE_CONVERSATIONS=on"
    assert recall_messages(desk.call, "zebra") == f'No results found for "zebra". ({told})'
    desk.said("zebra")
    assert told not in recall_messages(desk.call, "zebra")


def test_relative_dates_of_a_question_are_those_of_its_day() -> None:
    desk = Desk()
    for day in (8, 9):
        desk.clock.moment = DAWN.replace(day=day)
        desk.said(f"on day {day}", session=f"session-{day}")
    desk.clock.moment = DAWN.replace(day=10)
    lines = desk.recall_messages(desk.call, "what was said yesterday?").split("\n")
    assert (lines[0], lines[3]) == ('Found 1 result(s) for "what was said yesterday?":', "    ...on day 9...")


def test_a_weak_answer_says_so_and_is_no_shorter() -> None:
    desk = Desk()
    for number in range(5):
        desk.said(f"zebra {' '.join(f'word{each}' for each in range(60))}", session=f"session-{number}")
    lines = desk.recall_messages(desk.call, "zebra unicorn centaur griffin dragon phoenix").split("\n")
    assert (lines[0][:17], lines[-1]) == ("Found 5 result(s)", "weak match: try other words")
    assert not desk.recall_messages(desk.call, "zebra").endswith("weak match: try other words")


@cases
def test_messages_of_those_whom_a_question_names_come_first(question: str, first: str) -> None:
    desk = Desk()
    desk.said("The zebra crosses.", session="one")
    desk.said("The zebra rests.", session="two", role=Role.ASSISTANT)
    desk.said("Ann: a zebra, and a horse, and more words", session="three")
    assert desk.recall_messages(desk.call, question).split("\n")[2].startswith(f"[{first}")
