"""Records of sessions, as hooks write them."""

from pathlib import Path


def stored(directory: Path, pid: int | str, content: str | bytes) -> Path:
    file = directory / "claude-code" / f"{pid}.json"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def record(started: str, first: str, current: str) -> str:
    return f'{{"started": "{started}", "first": "{first}", "current": "{current}"}}\n'
