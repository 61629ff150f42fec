from lamella.domain.privacy.redaction import without_private
from tests.unit.support.tables import cases


@cases
def test_what_stands_in_private_tags_is_left_out(text: str, kept: str) -> None:
    assert without_private(text) == kept
