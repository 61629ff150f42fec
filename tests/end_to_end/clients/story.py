"""What is said, saved and edited in the sessions of any client."""

import re

SAVED = re.compile(r"Memory saved \(id: ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)\nTitle: (.*)")

PORT = "The server listens on 8123 because the proxy has 8080."

RETRY = """\
int with_retries(int (*attempt)(void), int most) {
    while (most-- > 0 && attempt() != 0) wait_between_attempts(most);
    return most;
}
"""
MAIN = "int main(void) { return 0; }\n"
REASON = "Drop the retries, they doubled payments."


def id_in(reply: str) -> str:
    """The id that the reply to a save gives."""
    match = SAVED.fullmatch(reply)
    assert match is not None, reply
    return match[1]
