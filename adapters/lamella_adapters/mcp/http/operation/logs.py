"""Log as JSON lines, without any text from callers or memories."""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

_OURS = "lamella"
_FRAMES = 20
"""Maximum number of traceback frames to log; outer frames are dropped first."""

_logger = logging.getLogger(f"{_OURS}.http")


def log_to_stderr() -> None:
    """Send all logs of this process to stderr as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    _logger.setLevel(logging.INFO)
    logging.captureWarnings(capture=True)


def note(event: str, *, level: int = logging.INFO, **fields: object) -> None:
    """Log an event with fields. Skip fields that are None."""
    _logger.log(level, event, extra={"fields": fields})


def note_failure(event: str, error: BaseException) -> None:
    """Log an event with the type and traceback of an exception."""
    _logger.error(event, exc_info=error)


class _Lines(logging.Formatter):
    """Formatter of log records as JSON lines.

    Messages of other libraries and of exceptions may quote memories, so they are dropped. For libraries, log the
    location of the call; for exceptions, the type and the traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line of JSON."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower()}
        if record.name.partition(".")[0] in (_OURS, "lamella_adapters"):
            line["event"] = str(record.msg)
        else:
            line |= {"event": "library", "logger": record.name, "place": f"{record.funcName}:{record.lineno}"}
        fields: dict[str, Any] = getattr(record, "fields", {})
        line |= {name: value for name, value in fields.items() if value is not None}
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = _described(record.exc_info[1])
        return json.dumps(line, default=str)


def _described(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    places = [f"{Path(each.filename).name}:{each.lineno} {each.name}" for each in frames]
    cause = error.__cause__
    return {
        "type": type(error).__qualname__,
        "at": places,
        **({"cause": type(cause).__qualname__} if cause is not None else {}),
    }
