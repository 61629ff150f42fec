"""Branch coverage of `adapters` by the tests and all processes that they start.

Usage: python -m tests.adapter_coverage [OPTION OF PYTEST ...]
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections import Counter
from pathlib import Path
from typing import Any

from coverage import Coverage

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "coverage"
UNITS = ("adapters", "capture", "embeddings", "exchange", "maintenance", "package")
TESTS = [f"tests/{each}" for each in (*(f"unit/{unit}" for unit in UNITS), "contract", "end_to_end", "faults")]
LEAST = 94
"""Percentage of branches that tests must take."""

HOW: dict[str, Any] = {
    "config_file": str(ROOT / "pyproject.toml"),
    "source": [str(ROOT / "adapters")],
    "data_file": str(FOLDER / "data" / "run"),
}

# Hooks run with `-I -S`. With -S, Python imports no `sitecustomize`.
_PYTHON = """\
#!/bin/bash
if [[ "$1 $2" == "-I -S" ]]; then set -- -I "${{@:3}}"; fi
exec -a {own} {present} "$@"
"""

# An environment variable can't start the measurement, because many tests start processes with a bare environment.
_SITECUSTOMIZE = """\
import _thread
import os
import posix
import sys
import threading

from coverage import Coverage

measured = Coverage(data_suffix=True, **{how})
measured.set_option("run:patch", ["_exit", "execv", "fork"])
# Give the data of forked processes names of their own, too.
measured.set_option("run:parallel", True)
measured._warn_no_data = measured._warn_unimported_source = False
measured._auto_save = True
measured.start()
# Hooks end with the function of `posix`.
posix._exit = os._exit


def start_new_thread(function, *arguments, original=_thread.start_new_thread):
    def traced(*given, **named):
        sys.settrace(threading.gettrace())
        return function(*given, **named)

    return original(traced, *arguments)


# The context of hooks comes from a thread without `threading`.
_thread.start_new_thread = start_new_thread
"""


def make_environment() -> Path:
    """Return the interpreter of a new environment like the present one, which measures every process."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    python = FOLDER / "bin" / "python"
    present, packages = Path(sys.prefix), Path(sysconfig.get_path("purelib"))
    shutil.copytree(present / "bin", python.parent, symlinks=True, ignore=shutil.ignore_patterns("python*"))
    for each in python.parent.iterdir():
        content = each.read_bytes()
        if content.startswith(b"#!"):
            each.write_bytes(content.replace(os.fsencode(sys.executable), os.fsencode(python)))
    python.write_text(_PYTHON.format(own=python, present=Path(sys.executable).resolve()), "utf-8")
    python.chmod(0o755)
    shutil.copy(present / "pyvenv.cfg", FOLDER)
    own = FOLDER / packages.relative_to(present)
    own.mkdir(parents=True)
    (own / "present.pth").write_text(f"import site; site.addsitedir({str(packages)!r})\n", "utf-8")
    (own / "sitecustomize.py").write_text(_SITECUSTOMIZE.format(how=HOW), "utf-8")
    # Some tests run processes as another user.
    (FOLDER / "data").mkdir()
    (FOLDER / "data").chmod(0o777)
    return python


def report() -> float:
    """Print uncovered branches, and the coverage of each package. Return the coverage of all, in percent."""
    coverage = Coverage(**HOW)
    coverage.combine()
    coverage.report()
    coverage.json_report(outfile=str(FOLDER / "report.json"))
    taken, branches = Counter[str](), Counter[str]()
    for path, file in json.loads(FOLDER.joinpath("report.json").read_text("utf-8"))["files"].items():
        for name in (Path(path).parts[2], "total"):
            taken[name] += file["summary"]["covered_branches"]
            branches[name] += file["summary"]["num_branches"]
    for name, count in branches.items():
        sys.stdout.write(f"{name:20} {taken[name]:5} of {count:5} branches {taken[name] / (count or 1):8.2%}\n")
    return 100 * taken["total"] / branches["total"]


if __name__ == "__main__":
    options = ["-m", "not unmeasured and not more_clients and not release and not team", *sys.argv[1:], *TESTS]
    code = subprocess.run([make_environment(), "-m", "pytest", *options], cwd=ROOT, check=False).returncode
    sys.exit(max(code, report() < LEAST))
