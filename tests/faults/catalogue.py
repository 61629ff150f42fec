"""All faults, in the order in which they are injected, and those that tests elsewhere inject."""

import tomllib
from pathlib import Path

from tests.end_to_end.hooks.machine import CLIENTS
from tests.faults import clock, costs, hooks, isolation, kills, sessions, wire, writers
from tests.faults.fault import Elsewhere, Fault
from tests.faults.storage import damage, disk, files, power, volumes

ALL = 10_000_000
"""As many as the injector knows."""

FAULTS = (
    Fault("kill before each statement of a save", kills.at_each_statement(kills.SAVES), 0, ALL),
    Fault("kill before each statement of a migration", kills.at_each_statement(kills.MIGRATIONS), 0, ALL),
    Fault("kill before each statement of a merge or split", kills.at_each_statement(kills.MERGES), 0, ALL),
    Fault("kill before each statement of a purge, undo or edit", kills.at_each_statement(kills.CHANGES), 0, ALL),
    Fault("kill before each statement of an erase", kills.at_each_statement(kills.ERASES), 0, ALL),
    Fault("kill before each step of a backup or restore", kills.at_each_statement(kills.BACKUPS), 0, ALL),
    Fault("kill before each statement of an import or drain", kills.at_each_statement(kills.IMPORTS), 0, ALL),
    Fault(
        "session that dies while it saves: SIGKILL, SIGTERM, SIGINT, SIGHUP, end of input", sessions.dying, 5, 300
    ),
    Fault("hundred calls of one server, and its memory", sessions.warm, 1, 100),
    Fault("power loss: unsynced writes dropped or torn", power.losses, 4, 1_000),
    Fault("Nth operation of a save fails: EIO, ENOSPC, EDQUOT", disk.errors(disk.SAVE), 6, ALL),
    Fault("Nth operation of a first save fails", disk.errors(disk.FIRST), 6, ALL),
    Fault("Nth operation of a migration fails", disk.errors(disk.UPGRADE, upgraded=True), 3, ALL),
    Fault("Nth operation of an erase fails", disk.errors(disk.ERASE), 6, ALL),
    Fault("bit flipped in a database", damage.flipped_bits, 4, 1_000),
    Fault("up to 3,000 bytes overwritten in a database", damage.overwritten, 4, 500),
    Fault("database cut", damage.truncated, 5, 200),
    Fault("log cut or deleted, or an older database put back", damage.lost_logs, 6, 500),
    Fault("database deleted, moved or replaced while it is open", files.while_open, 12, 300),
    Fault("volume unmounted while a server runs, and mounted again", volumes.unmounted, 2, 30),
    Fault("eight processes that begin at once, and save", writers.at_once, 1, 20),
    Fault("eight processes that open an old file at once", writers.upgrading, 1, 10),
    Fault("clock that jumps by years", clock.jumps, 50, 2_000),
    Fault("hostile line on the wire", wire.hostile_lines, 300, 100_000),
    Fault("operation in one of 20 projects, with words that tell a leak", isolation.operations, 100, 10_000),
    Fault("question that repeats itself, about memories that do", costs.questions, 2, 200),
    Fault("memory that repeats itself", costs.texts, 12, 400),
    Fault("patch, hunks, front matter or conversation that repeats itself", costs.files, 7, 200),
    Fault("garbage as the input of a hook", hooks.given_garbage, 14, 1_000 * (1 + len(CLIENTS))),
    Fault("hook that finds no Python", hooks.without_python, 5, 100),
)

_TOLD = tomllib.loads(Path(__file__).with_name("elsewhere.toml").read_text("utf-8"))
ELSEWHERE = tuple(Elsewhere(name, tuple(tests)) for name, tests in _TOLD.items())
