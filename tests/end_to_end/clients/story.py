"""Words, saves and edits of the sessions of any client."""

import json
import re
from pathlib import Path

SAVED = re.compile(r"Memory saved \(id: ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)\nTitle: (.*)")

SEARCHES = (
    "persist knowledge",
    "remember this",
    "why is this code so",
    "save a note for later sessions",
    "earlier decisions",
    "long-term memory",
    "history of removed code",
    "user preferences",
)
"""Searches for tools by a model to which they aren't shown."""

PORT = "The server listens on 8123 because the proxy has 8080."

RETRY = """\
int with_retries(int (*attempt)(void), int most) {
    while (most-- > 0 && attempt() != 0) wait_between_attempts(most);
    return most;
}
"""
MAIN = "int main(void) { return 0; }\n"
REASON = "Drop the retries, they doubled payments."

STAGING = "reset_staging fills the staging database every night at three, from the anonymised dump of production."
NOTES = [
    "Releases are tagged by hand because the signing key is on the old machine.",
    "Tests of the parser need the Turkish locale.",
    "The banner is teal since the user asked for it.",
    "Log lines never hold the address of a customer.",
    "Prices are integers of cents, in every table.",
    "The build needs the older compiler on the mainframe.",
    "Feature flags are read once, when a worker starts.",
    "Screenshots in the manual are taken at 1280 pixels.",
    "Backups are restored by hand on the first Monday of a month.",
    "Nobody may rename a queue while consumers are attached.",
]

ASKS_FOR_STAGING = "When does reset_staging fill the staging database, and from which dump?"
"""A prompt that belongs to one memory without doubt."""


def many_in(folder: Path) -> str:
    """Write a file of `server-memory` with more memories than fit into an index."""
    entities = [
        {"type": "entity", "name": f"queue {number}", "entityType": "queue", "observations": ["Kept for days."]}
        for number in range(60)
    ]
    file = folder / "memory.json"
    file.write_text("".join(json.dumps(each) + "\n" for each in entities), "utf-8")
    return str(file)


def id_in(reply: str) -> str:
    """Return the id in the reply to a save."""
    match = SAVED.fullmatch(reply)
    assert match is not None, reply
    return match[1]
