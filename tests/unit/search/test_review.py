"""A review lists what somebody should settle, and doesn't ask twice."""

import math
from collections import Counter
from datetime import timedelta
from itertools import combinations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.application.search.log_recalls import LogRecalls
from lamella.application.search.recall import RecallRequest
from lamella.domain.audit.entry import Action
from lamella.domain.audit.errors import NotUndoableError
from lamella.domain.memories.query import ByText
from lamella.domain.replies.review import NOTHING_TO_REVIEW
from lamella.domain.search.weights import LEAST_RELATED
from lamella.domain.search.worklist import (
    ALIKE,
    CORRECTED,
    GONE,
    LONG,
    RECORDED_BEFORE,
    UNUSED,
    UNUSED_FOR,
    _alike,
)
from lamella.ports.storage.storage import Capability
from tests.unit.support.doubles import Desk, desk_with
from tests.unit.support.stand_ins import FolderTree, LackingStorage, numbered

OLD, NEW = "The build server runs on port 8080.", "The build server runs on port 9090 now."
REPEATED = "Rotate the signing key before every release of the desktop client."
AGAIN = "Before every release of the desktop client the signing key is rotated."
OTHERS = ("Coffee is in the kitchen.", "Tests use a real Kafka.", "Prices are integers of cents.")


def listed(desk: Desk) -> list[tuple[str, ...]]:
    return [(task.reason, *(hit.observation.content for hit in task.hits)) for task in desk.review(desk.call)]


def test_notes_that_correct_or_repeat_each_other_are_listed_the_older_first() -> None:
    desk = desk_with(OLD, *OTHERS, REPEATED, AGAIN, NEW)
    assert listed(desk) == [(ALIKE, REPEATED, AGAIN), (CORRECTED, OLD, NEW)]


@given(st.lists(st.frozensets(st.integers(0, 40).map(str), min_size=1, max_size=9), max_size=60))
def test_the_same_notes_are_similar_as_in_a_comparison_of_all_pairs(notes: list[frozenset[str]]) -> None:
    held = Counter(word for words in notes for word in words)
    worth = {word: math.log((len(notes) + 1) / count) for word, count in held.items()}
    expected = []
    for (older, old), (newer, new) in combinations(enumerate(notes), 2):
        common = math.fsum(worth[word] for word in old & new if held[word] <= 50)
        alike = round(2 * common / math.fsum(worth[word] for word in [*old, *new]), 9)
        if alike >= LEAST_RELATED:
            expected.append((alike, older, newer))
    assert sorted(_alike(notes)) == sorted(expected)


def test_several_notes_that_say_the_same_are_listed_as_few_pairs() -> None:
    said = [
        f"{when} every release of the desktop client rotate the signing key." for when in ("Before", "At", "On")
    ]
    desk = desk_with(*said, REPEATED, *OTHERS, OLD, NEW)
    pairs = [each[1:] for each in listed(desk)]
    assert len(pairs) == 4
    assert {text for pair in pairs for text in pair} == {*said, REPEATED, OLD, NEW}


def test_items_of_a_list_are_no_pair() -> None:
    email = "A message on the email queue goes to the dead-letter queue after 5 failed receives."
    webhook = "A message on the webhook queue goes to the dead-letter queue after 12 failed receives."
    assert listed(desk_with(email, webhook, *OTHERS)) == []


def test_another_number_for_the_same_subject_is_a_pair_even_with_another_reason() -> None:
    two = "The timeout for the weather service is 2 seconds because the page must not wait."
    eight = "The timeout for the weather service is 8 seconds because the provider became slow."
    assert listed(desk_with(two, eight, *OTHERS)) == [(ALIKE, two, eight)]


def test_what_was_purged_or_replaced_is_settled() -> None:
    desk = desk_with(OLD, *OTHERS, NEW)
    desk.purge(desk.call, ["00000001"])
    assert listed(desk) == []


def test_what_was_kept_is_not_asked_again_until_another_note_comes() -> None:
    desk = desk_with(OLD, *OTHERS, NEW)
    done = desk.review.keep(desk.call, ["00000001", "00000005", "00000009", "0000"])
    assert [each.id for each in done.changed] == [numbered(1), numbered(5)]
    assert list(done.failures) == ["00000009", "0000"]
    assert done.failures["00000009"] == "not found"
    assert listed(desk) == []
    assert len(desk.review(desk.call, again=True)) == 1
    again = "The build server runs on port 7070 since May."
    desk.save(again)
    assert [each[1:] for each in listed(desk)] == [(NEW, again), (OLD, again)]


def test_a_keep_is_undone_alone_or_with_other_changes_and_kept_again() -> None:
    desk = desk_with(OLD, *OTHERS, NEW)
    desk.save("Replies are in English.", everywhere=True)
    desk.purge(desk.call, ["00000005"])
    desk.restore(desk.call, ["00000005"])
    for _ in range(2):  # the second time, nothing is new
        desk.review.keep(desk.call, ["00000001", "00000005", "00000006"])
    assert [(each.name, each.entry.action, each.entry.count) for each in desk.log(desk.call)] == [
        ("3", Action.KEEP, 2),
        ("2", Action.RESTORE, 1),
        ("1", Action.PURGE, 1),
        ("e1", Action.KEEP, 1),
    ]
    assert desk.undo(desk.call, 3, dry_run=True).purged == (numbered(1), numbered(5))
    assert listed(desk) == []
    assert desk.undo(desk.call, 3).number == 4
    assert listed(desk) == [(CORRECTED, OLD, NEW)]
    assert desk.undo(desk.call, 4).restored == (numbered(1), numbered(5))
    assert listed(desk) == []
    assert [done.entry.number for done in desk.undo.after(desk.call, 0)] == [3, 2, 1, 1]
    assert (listed(desk), desk.kept(numbered(5)).purged) == ([(CORRECTED, OLD, NEW)], False)
    with pytest.raises(NotUndoableError):
        desk.undo(desk.call)


def test_nothing_is_kept_if_no_id_is_known() -> None:
    assert desk_with(OLD).review.keep(Desk().call, ["abcd"]).failures == {"abcd": "not found"}


def test_notes_whose_files_are_gone_or_rewritten_are_listed() -> None:
    desk = Desk(tree=FolderTree(texts={"a": "1", "b": "1", "c": "1"}, commits={"b": 10, "c": 9}))
    desk.save(OTHERS[0], paths=["a"])
    desk.save(OTHERS[1], paths=["b"])
    desk.save(OTHERS[2], paths=["a", "c"])
    desk.tree.texts = {"b": "2", "c": "2"}
    assert listed(desk) == [(GONE, OTHERS[0]), ("b was changed by 10 commits since", OTHERS[1])]


def test_old_notes_are_listed_however_many_files_newer_ones_are_about() -> None:
    desk = Desk(tree=FolderTree(texts={"a": "1", "b": "1", **{str(number): "1" for number in range(120)}}))
    desk.tree.commits = dict.fromkeys(desk.tree.texts, 10)
    desk.save(OTHERS[0], paths=["a"])
    desk.save(OTHERS[1], paths=["b"])
    for begin in (0, 40, 80):
        desk.save(f"Note {begin}", paths=[str(number) for number in range(begin, begin + 40)])
    desk.tree.texts = dict.fromkeys([*desk.tree.texts][1:], "2")
    first, *_, last = listed(desk)
    assert (first, last) == ((GONE, OTHERS[0]), ("b was changed by 10 commits since", OTHERS[1]))


def test_long_notes_that_say_several_things_are_listed() -> None:
    several = "\n\n".join(f"Part {number}: " + f"word{number} " * 60 for number in range(4))
    desk = desk_with(several, "word " * 300)
    assert listed(desk) == [(LONG, several.strip())]


def test_notes_that_nobody_used_for_half_a_year_are_listed_once_that_is_known() -> None:
    desk = desk_with(*OTHERS)
    desk.save("Replies are in English.", everywhere=True)
    recall = desk.recalling
    desk.clock.advance(timedelta(days=20))
    recall(desk.call, RecallRequest(selector=ByText("coffee")))
    log = LogRecalls(recall, desk.projects, desk.clock)
    log()
    desk.clock.advance(UNUSED_FOR - timedelta(days=1))
    recall(desk.call, RecallRequest(selector=ByText("kafka"), all_projects=True))
    log()
    log()
    assert listed(desk) == []
    desk.clock.advance(timedelta(days=2))
    assert listed(desk) == [(UNUSED, OTHERS[0]), (UNUSED, OTHERS[2])]
    desk.review.keep(desk.call, ["00000001"])
    assert listed(desk) == [(UNUSED, OTHERS[2])]
    desk.clock.advance(UNUSED_FOR)
    assert listed(desk) == [(UNUSED, OTHERS[1]), (UNUSED, OTHERS[2])]
    desk.clock.advance(RECORDED_BEFORE)
    assert listed(desk) == []


def test_recalls_that_cannot_be_logged_are_forgotten() -> None:
    desk = Desk(storage=LackingStorage(lacks={Capability.ACTIVITY}))
    desk.save(OTHERS[0])
    recall = desk.recalling
    recall(desk.call, RecallRequest())
    recall.recalled.appendleft((evolve(desk.call, project="unknown"), recall.recalled[0][1]))
    LogRecalls(recall, desk.projects, desk.clock)()
    assert not recall.recalled
    assert desk.here.activity().since(desk.clock.moment - timedelta(days=1)) == ()
    assert listed(desk) == []


def test_words_that_many_notes_have_say_nothing() -> None:
    assert listed(desk_with(*(f"The ferry carries load{number} and crew{number}." for number in range(51)))) == []


def test_a_reply_names_ids_and_reasons_within_its_budget() -> None:
    desk = desk_with(OLD, *OTHERS, NEW)
    assert desk.review.reply(desk.call, "Settle it.") == "\n".join(
        [
            "1 to review:",
            f"[1] {CORRECTED}",
            f"    00000001 | 2024-05-06 | {OLD}",
            f"    00000005 | 2024-05-06 | {NEW}",
            "---",
            "Settle it.",
        ]
    )
    assert desk_with(*OTHERS).review.reply(desk.call, "") == NOTHING_TO_REVIEW
    many = Desk()
    for number in range(12):
        many.save(f"Rotate key{number} before release{number} of client{number}. " + f"x{number} " * 99)
        many.save(
            f"Before release{number} of client{number} rotate key{number}. " + f"x{number} " * 99,
            everywhere=number == 0,
        )
    reply = many.review.reply(many.call, "Settle it.")
    assert reply.startswith("12 to review, 3 of them here:\n[1] ")
    assert len(reply) <= 2_000
    assert "…" in reply


def test_a_reply_says_after_which_entry_to_undo_what_is_settled() -> None:
    desk = desk_with(OLD, *OTHERS, NEW)
    assert desk.review.reply(desk.call, "undo --after {after}").endswith("---\nundo --after 0")
    desk.purge(desk.call, ["00000002"])
    assert desk.review.reply(desk.call, "undo --after {after}").endswith("---\nundo --after 1")
    untold = Desk(storage=LackingStorage(lacks={Capability.AUDIT}))
    for text in (OLD, NEW):
        untold.save(text)
    assert untold.review.reply(untold.call, "{after}").endswith("---\n0")
