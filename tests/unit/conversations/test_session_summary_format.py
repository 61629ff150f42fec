from lamella.domain.conversations.session_summary_format import (
    ASKED,
    CHANGED,
    DECIDED,
    SAID_LAST,
    WENT_WRONG,
    part,
    where_it_stood,
)


def summary(**items: list[str]) -> str:
    titles = {
        "asked": ASKED,
        "changed": CHANGED,
        "decided": DECIDED,
        "wrong": WENT_WRONG,
        "last": SAID_LAST,
    }
    return "\n".join(filter(None, (part(title, items.get(name, [])) for name, title in titles.items())))


def test_a_part_without_items_is_not_written() -> None:
    assert part(ASKED, []) == ""
    assert part(ASKED, ["One.", "Two."]) == "Asked:\n- One.\n- Two."


def test_where_a_session_stood_is_told_by_what_came_last() -> None:
    content = summary(
        asked=["Mend it.", "Test it.", "Document it.", "Release it.", "Announce it."],
        changed=["a.py +1 -2"],
        decided=["No retries"],
        wrong=["E one", "E two", "E three | fixed: I mend it."],
        last=["The docs are left.", "They wait, because the names may change."],
    )
    assert where_it_stood(content) == [
        "Asked: Document it.",
        "Asked: Release it.",
        "Asked: Announce it.",
        "Went wrong: E two",
        "Went wrong: E three | fixed: I mend it.",
        "Said last: The docs are left.",
        "Said last: They wait, because the names may change.",
    ]


def test_the_first_request_is_left_to_the_title() -> None:
    assert where_it_stood(summary(asked=["Mend it."], last=["Done."])) == ["Said last: Done."]
    assert where_it_stood(summary(asked=["Mend it.", "Test it."])) == ["Asked: Test it."]


def test_a_title_without_items_is_not_told() -> None:
    assert where_it_stood("Asked:\nDecided:\nSaid last:") == []


def test_an_item_that_reads_like_a_title_is_none() -> None:
    assert where_it_stood(summary(asked=["Why?", "Said last:"], last=["Asked:"])) == [
        "Asked: Said last:",
        "Said last: Asked:",
    ]


def test_what_is_no_summary_of_ours_tells_nothing() -> None:
    assert where_it_stood("") == []
    assert where_it_stood("Asked: mend the build.\n\n- The docs are left.") == []
