"""Hunks of a unified diff, made from the reports of clients' editing tools."""

from lamella_adapters.hooks.payload import Json


def of_patches(patches: list[Json]) -> str:
    """Return hunks given as `oldStart`, `oldLines`, `newStart`, `newLines` and `lines`."""
    return "\n".join(map(_hunk, patches))


def of_diff(diff: str) -> str:
    """Return the hunks of one file's unified diff without the file headers."""
    body = f"\n{diff}".partition("\n@@ ")
    lines = (body[1] + body[2]).strip("\n").split("\n")
    return "\n".join(line or " " for line in lines if not line.startswith("\\")) if body[1] else ""


def between(old: str, new: str) -> str:
    """Return one hunk that extends from the first to the last different line; empty for equal texts."""
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


def _hunk(patch: Json) -> str:
    numbers = [patch.get(key) for key in ("oldStart", "oldLines", "newStart", "newLines")]
    first, count, new_first, new_count = (each if isinstance(each, int) else 0 for each in numbers)
    lines = patch.get("lines")
    # Replace empty lines by a space, because an empty line ends a hunk.
    shown = [each or " " for each in lines if isinstance(each, str)] if isinstance(lines, list) else []
    return "\n".join([f"@@ -{first},{count} +{new_first},{new_count} @@", *shown])


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []
