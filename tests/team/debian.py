"""Run a command beside a PostgreSQL server of Debian, which the tests of the contracts then use.

Usage: python -m tests.team.debian COMMAND ...
"""

import os
import subprocess
import sys
from typing import NoReturn

from tests.team.alone import PLACE, alone
from tests.team.machines import AS_POSTGRES
from tests.team.packages import programs

URL = f"postgresql://postgres@/postgres?host={PLACE / 'debian'}"


def beside_server(command: list[str]) -> NoReturn:
    """Start a server, and become a process that runs a command."""
    folder = PLACE / "debian"
    folder.mkdir()
    subprocess.run(["chown", "postgres:postgres", folder], check=True)
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c max_connections=200"
    for words in (
        ("initdb", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "-D", folder / "data"),
        ("pg_ctl", "start", "-w", "-D", folder / "data", "-l", folder / "log", "-o", options),
    ):
        program, *rest = map(str, words)
        subprocess.run([*AS_POSTGRES, str(programs() / program), *rest], check=True, stdout=subprocess.DEVNULL)
    # Files of tests are in memory too: pytest need not take those of earlier runs away.
    own = {"LAMELLA_TEST_POSTGRESQL": URL, "TMPDIR": str(PLACE)}
    os.execvpe(command[0], command, {**os.environ, **own})  # noqa: S606 - our own command


if __name__ == "__main__":
    if not PLACE.is_dir():
        alone([sys.executable, "-m", "tests.team.debian", *sys.argv[1:]])
    beside_server(sys.argv[1:])
