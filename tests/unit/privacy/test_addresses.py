"""Secrets in addresses. All values are made up."""

from lamella.domain.privacy.redaction import redact
from tests.unit.support.tables import cases


@cases
def test_a_password_in_an_address_is_taken_out(told: str, kept: str) -> None:
    assert redact(told).text == kept
