"""Memories over HTTP for programs on this machine: `python http_endpoint.py [PORT]`.

GET /recall?query=WORDS returns the memories found. POST /memories saves a JSON object with `text`, and optionally
`title` and `source`.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import SplitResult, parse_qs, urlsplit

from lamella import MAX_QUERY_CHARACTERS, LamellaError, Memory, SaveRequest, open_memory

MAX_BODY_BYTES = 65_536
WANTED = f'Send up to {MAX_BODY_BYTES} bytes of application/json: {{"text": "...", "title": "...", "source": ""}}'


class Endpoint(BaseHTTPRequestHandler):
    """Handler that answers a request with JSON."""

    memory: ClassVar[Memory]
    timeout = 10  # seconds to wait for data from a client
    error_content_type, error_message_format = "application/json", '{"error": "%(message)s"}'

    def do_GET(self) -> None:
        """Handle the request, and send its result or an error."""
        try:
            status, body = self.outcome(urlsplit(self.path))
        except LamellaError as error:
            status, body = 400, {"error": str(error)}
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    do_POST = do_GET  # noqa: N815 - named by the standard library

    def outcome(self, asked: SplitResult) -> tuple[int, Any]:
        """Return the status and the body of the response."""
        # Reject other host names: a web page could make its own name resolve to this machine (DNS rebinding).
        if self.headers["Host"] != "{}:{}".format(*self.connection.getsockname()):
            return 403, {"error": "Only for programs on this machine."}
        if (self.command, asked.path) == ("GET", "/recall"):
            if not 0 < len(query := parse_qs(asked.query).get("query", [""])[0]) <= MAX_QUERY_CHARACTERS:
                return 400, {"error": f"Give a query of 1 to {MAX_QUERY_CHARACTERS} characters."}
            hits = self.memory.search(query, limit=10)
            return 200, [{"id": str(hit.observation.id), "text": hit.observation.content} for hit in hits]
        if (self.command, asked.path) == ("POST", "/memories"):
            if (given := self.given()) is None:
                return 400, {"error": WANTED}
            return 201, {"id": str(self.memory.save(SaveRequest(**given)).observation.id)}
        return 404, {"error": "There are GET /recall?query=... and POST /memories."}

    def given(self) -> dict[str, Any] | None:
        """Return the fields of a memory from the body; None if it is invalid.

        The body must be application/json: web pages of other sites can send forms here, but not this media type.
        """
        length = self.headers["Content-Length"] or ""
        if self.headers.get_content_type() != "application/json" or not length.isdecimal():
            return None
        try:
            read: Any = json.loads(self.rfile.read(int(length))) if int(length) <= MAX_BODY_BYTES else None
        except (ValueError, RecursionError):
            return None
        fields = read if isinstance(read, dict) and {"text"} <= read.keys() <= {"text", "title", "source"} else {}
        return fields if fields and all(isinstance(each, str) for each in fields.values()) else None


if __name__ == "__main__":
    with open_memory() as Endpoint.memory:
        server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8765), Endpoint)
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()
