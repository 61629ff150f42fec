"""Hunks of a unified diff, made of the responses of Claude Code's editing tools."""

from lamella_adapters.claude_code.hooks.payload import Json, text_in

TOOLS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
"""The tools that edit a file."""


def path_of(arguments: Json) -> str:
    """Return the path of the file that a tool edits, empty if the arguments have none."""
    return text_in(arguments, "file_path") or text_in(arguments, "notebook_path")


def hunks_of(tool: str, response: Json) -> str:
    """Return the hunks of the tool's change, empty if nothing has changed."""
    if tool == "NotebookEdit":
        # The hunk has the lines of one cell, not those of the notebook's file, which is JSON.
        if text_in(response, "error"):
            return ""
        new = "" if response.get("edit_mode") == "delete" else text_in(response, "new_source")
        return _between(text_in(response, "old_source"), new)
    patch = response.get("structuredPatch")
    if isinstance(patch, list) and patch:
        return "\n".join(_hunk(each) for each in patch if isinstance(each, dict))
    # A new file has no patch, nor has a file with too many changes.
    return _between(text_in(response, "originalFile"), text_in(response, "content")) if tool == "Write" else ""


def _hunk(patch: Json) -> str:
    numbers = [patch.get(key) for key in ("oldStart", "oldLines", "newStart", "newLines")]
    first, count, new_first, new_count = (each if isinstance(each, int) else 0 for each in numbers)
    lines = patch.get("lines")
    # An empty line would end the edit.
    shown = [each or " " for each in lines if isinstance(each, str)] if isinstance(lines, list) else []
    return "\n".join([f"@@ -{first},{count} +{new_first},{new_count} @@", *shown])


def _between(old: str, new: str) -> str:
    """Return one hunk from the first line that differs to the last one."""
    before, after = _lines(old), _lines(new)
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    removed, added = before[start : len(before) - end], after[start : len(after) - end]
    if not removed and not added:
        return ""
    return "\n".join(
        [
            f"@@ -{start + bool(removed)},{len(removed)} +{start + bool(added)},{len(added)} @@",
            *(f"-{line}" for line in removed),
            *(f"+{line}" for line in added),
        ]
    )


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []
