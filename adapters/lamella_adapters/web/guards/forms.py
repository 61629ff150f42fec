"""Forms: read with limits, and accepted only with a CSRF token."""

import asyncio
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl, unquote

from starlette.exceptions import HTTPException
from starlette.requests import Request

from lamella_adapters.web.guards.hidden import SHOWN, as_stored

TOKEN_FIELD = "form_token"  # noqa: S105 - the name of a field
"""Field with the CSRF token of each form."""

HOME_FIELD = "form_project"
"""Field with the project of a form's page: an id, or for a project without memories, a name that it will have."""

_MAX_BYTES = 1024 * 1024
"""Maximum size of a form in bytes: twice the size of all fields with the longest texts, percent-encoded."""

_MAX_FIELDS = 500
FORM_SECONDS = 10.0
"""Time limit for receiving a form."""

_TYPE = "application/x-www-form-urlencoded"

Form = Mapping[str, Sequence[str]]
"""The values of each field."""


def form_token(cookie: str) -> str:
    """Return the token of all forms for the browser with this cookie."""
    return hmac.new(cookie.encode(), b"lamella form", hashlib.sha256).hexdigest()


async def read_form(request: Request) -> Form:
    """Return the fields of a form. The caller must pass them to `require_token` before using them.

    Hidden characters that the user left unedited are restored, and line endings become line feeds.

    Raises:
        HTTPException: The body isn't a form, or is too large or too slow.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _TYPE:
        raise HTTPException(415, f"Send the form as {_TYPE}.")
    try:
        async with asyncio.timeout(FORM_SECONDS):
            body = await _body(request)
    except TimeoutError:
        raise HTTPException(408, "The form took too long to arrive.") from None
    fields: dict[str, list[str]] = {}
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, max_num_fields=_MAX_FIELDS, errors="replace"
        )
    except ValueError:
        raise HTTPException(
            400, f"The form can't be read, or has more than {_MAX_FIELDS} fields. Go back and tick fewer memories."
        ) from None
    for name, value in pairs:
        fields.setdefault(name, []).append(value.replace("\r\n", "\n"))
    for name in [each for each in fields if each.startswith(SHOWN)]:
        shown, field = fields.pop(name), fields.get(name.removeprefix(SHOWN), [])
        field[:1] = [as_stored(each, unquote(shown[0])) for each in field[:1]]
    return fields


def require_token(fields: Form, cookie: str) -> None:
    """Check the token of a form.

    Raises:
        HTTPException: The token is missing or wrong.
    """
    given = fields.get(TOKEN_FIELD, [""])[0]
    if not hmac.compare_digest(given.encode(), form_token(cookie).encode()):
        raise HTTPException(
            403,
            "Nothing was saved: this form is out of date. If your text is below, try again; otherwise go back, and"
            " reload the page.",
        )


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _MAX_BYTES:
            raise HTTPException(413, "The form is larger than 1 MB. Go back, and shorten its text.")
    return bytes(body)
