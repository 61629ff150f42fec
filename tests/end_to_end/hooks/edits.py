"""The edit that most tests tell a hook of."""

import json

from tests.end_to_end.hooks.machine import RECORDED, Machine

EDIT = "PostToolUse-edit"
EDITED = ["@@ -1,1 +1,1 @@\n-int main(void) { return 0; }\n+int main(void) { return 1; }"]


def edit_of(*lines: str) -> bytes:
    """Return the input of an edit with other lines."""
    told = json.loads((RECORDED / f"{EDIT}.json").read_text("utf-8"))
    told["tool_response"]["structuredPatch"][0]["lines"] = lines
    return json.dumps(told).encode() + b"\n"


def hunks(machine: Machine) -> list[object]:
    """Return the hunks of the edits that wait to be stored."""
    return [record["hunks"] for record in machine.spooled()]
