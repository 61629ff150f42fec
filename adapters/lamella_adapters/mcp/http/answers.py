"""Answers that are none of the protocol's: what is wrong with a request."""

from attrs import frozen
from starlette.responses import JSONResponse, Response


def problem(status: int, sentence: str, **headers: str) -> Response:
    """Return an answer that says what is wrong.

    Args:
        status: HTTP status.
        sentence: What is wrong, without anything of the server's inside.
        **headers: Headers, with `_` for `-` in their names.
    """
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return JSONResponse({"error": sentence}, status_code=status, headers=named)


@frozen
class RefusedRequestError(Exception):
    """A request goes no further.

    Attributes:
        reason: Why, in a word, for logs.
        answer: What the caller is told.
    """

    reason: str
    answer: Response
