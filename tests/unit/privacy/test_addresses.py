"""Secrets in addresses. All values are made up."""

import pytest

from lamella.domain.privacy.redaction import redact


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("curl https://q7Lk29XmPw4zR8tv@host.example/x", "curl https://[redacted]@host.example/x"),
        ("dsn = ada:zqX7-lantern@tcp(db:3306)/shop", "dsn = ada:[redacted]@tcp(db:3306)/shop"),
        ("use ada:zqX7-lantern@db.example:5432", "use ada:[redacted]@db.example:5432"),
        ("\u0130n login('ada', 'zqX7-lantern')", "\u0130n login('ada', '[redacted]')"),
        ("write to mailto:ada@host.example", "write to mailto:ada@host.example"),
        ("see image:v1.2@sha256/abc, at 12:30@noon", "see image:v1.2@sha256/abc, at 12:30@noon"),
    ],
)
def test_a_password_in_an_address_is_taken_out(told: str, kept: str) -> None:
    assert redact(told).text == kept
