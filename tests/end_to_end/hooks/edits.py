"""The edit that most tests tell a hook of."""

from tests.end_to_end.hooks.machine import Machine


def hunks(machine: Machine) -> list[object]:
    return [record["hunks"] for record in machine.spooled()]


EDIT = "PostToolUse-edit"
EDITED = ["@@ -1,1 +1,1 @@\n-int main(void) { return 0; }\n+int main(void) { return 1; }"]
