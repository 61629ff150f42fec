import pytest

from lamella.domain.privacy.redaction import without_private


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("nothing is private", "nothing is private"),
        ("a < b > c", "a < b > c"),
        ("my <private>secret</private> is safe", "my [private] is safe"),
        ("<private>one</private> and <private>\ntwo\n</private>", "[private] and [private]"),
        ("<PRIVATE>loud</Private>!", "[private]!"),
        ('<private reason="mine">with a reason</private >.', "[private]."),
        ("a <private>b <private>c</private> d</private> e", "a [private] e"),
        ("never <private>closed", "never [private]"),
        ("<private>one</private> <private>not closed", "[private] [private]"),
        ("a </private> by itself", "a </private> by itself"),
        ("open </private> again: <private>x</private>", "open </private> again: [private]"),
        ("<privateer>ship</privateer>", "<privateer>ship</privateer>"),
        ("<private></private>", "[private]"),
    ],
)
def test_what_stands_in_private_tags_is_left_out(text: str, kept: str) -> None:
    assert without_private(text) == kept
