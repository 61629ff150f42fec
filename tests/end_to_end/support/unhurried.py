"""lamella and its plugin with raised time limits in all processes of a test."""

import json
import re
import sys
from pathlib import Path

from lamella_adapters.hooks import hook
from tests.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[3]

_COMMAND = """\
#!{python}
import sys

sys.path.append({root!r})
from tests.end_to_end.support.time_limits import raise_limits

raise_limits()
from lamella_adapters.cli import main

sys.exit(main())
"""

_HOOK = """\
sys.path.append({root!r})
from tests.end_to_end.support.time_limits import raise_limits

raise_limits()
"""


def command(place: Path) -> Path:
    """Create a command `lamella` at `place`."""
    place.write_text(_COMMAND.format(python=sys.executable, root=str(ROOT)), encoding="utf-8")
    place.chmod(0o755)
    return place


_SCRIPT = """\
import runpy
import sys

sys.path.append({root!r})
from tests.end_to_end.support.time_limits import raise_limits

raise_limits()
runpy.run_path({script!r}, run_name="__main__")
"""


def script(place: Path, original: str = hook.__file__) -> Path:
    """Create the hook script of other clients at `place`."""
    place.write_text(_SCRIPT.format(root=str(ROOT), script=original), encoding="utf-8")
    return place


def plugin(folder: Path) -> Path:
    """Raise the limits in a copy of the plugin in `folder`: Claude Code's, and the hooks' own."""
    manifest = folder / "hooks" / "hooks.json"
    told = json.loads(manifest.read_text("utf-8"))
    for each in (one for matchers in told["hooks"].values() for matcher in matchers for one in matcher["hooks"]):
        each["timeout"] = HANG_SECONDS
    manifest.write_text(json.dumps(told), encoding="utf-8")
    script = folder / "hooks" / "hook.py"
    before, imports, after = script.read_text("utf-8").partition("from lamella_adapters.")
    assert imports, "the hook imports nothing"
    script.write_text(before + _HOOK.format(root=str(ROOT)) + imports + after, encoding="utf-8")
    return folder


def hooks(folder: Path, place: Path) -> None:
    """Raise the limits of hooks in clients' configurations in `folder`, and the limits of the clients.

    The hooks then run the script at `place`.
    """
    plain, patient = hook.__file__, str(script(place))
    told = [each for each in folder.rglob("*") if each.is_file() and plain.encode() in each.read_bytes()]
    assert told, "no client is told of hooks"
    for file in told:
        text = file.read_text("utf-8").replace(plain, patient)
        file.write_text(re.sub(r'(timeout(?:Sec)?":|MILLISECONDS =) (\d+)', r"\1 \g<2>00", text), encoding="utf-8")
