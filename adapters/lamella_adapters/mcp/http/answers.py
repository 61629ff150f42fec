"""HTTP error responses, for requests rejected before the MCP SDK sees them."""

from attrs import frozen
from starlette.responses import JSONResponse, Response


def problem(status: int, sentence: str, **headers: str) -> Response:
    """Return an error response with a JSON body.

    Args:
        status: HTTP status.
        sentence: Error message. It must not reveal the server's internals.
        **headers: Response headers, with `_` for `-` in their names.
    """
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return JSONResponse({"error": sentence}, status_code=status, headers=named)


@frozen
class RefusedRequestError(Exception):
    """The request is rejected.

    Attributes:
        reason: Reason as one word, for logs and metrics.
        answer: Response to the caller.
    """

    reason: str
    answer: Response
