"""All faults, in the order in which they are injected, and those that tests elsewhere inject."""

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
    Fault("power loss: unsynced writes dropped or torn", power.losses, 8, 1_000),
    Fault("Nth operation of a save fails: EIO, ENOSPC, EDQUOT", disk.errors(disk.SAVE), 6, ALL),
    Fault("Nth operation of a first save fails", disk.errors(disk.FIRST), 6, ALL),
    Fault("Nth operation of a migration fails", disk.errors(disk.UPGRADE, upgraded=True), 6, ALL),
    Fault("Nth operation of an erase fails", disk.errors(disk.ERASE), 6, ALL),
    Fault("bit flipped in a database", damage.flipped_bits, 8, 1_000),
    Fault("up to 3,000 bytes overwritten in a database", damage.overwritten, 8, 500),
    Fault("database cut", damage.truncated, 5, 200),
    Fault("log cut or deleted, or an older database put back", damage.lost_logs, 9, 500),
    Fault("database deleted, moved or replaced while it is open", files.while_open, 12, 300),
    Fault("volume unmounted while a server runs, and mounted again", volumes.unmounted, 2, 30),
    Fault("eight processes that begin at once, and save", writers.at_once, 1, 20),
    Fault("eight processes that open an old file at once", writers.upgrading, 0, 10),
    Fault("clock that jumps by years", clock.jumps, 50, 2_000),
    Fault("hostile line on the wire", wire.hostile_lines, 300, 100_000),
    Fault("operation in one of 20 projects, with words that tell a leak", isolation.operations, 250, 10_000),
    Fault("question that repeats itself, about memories that do", costs.questions, 2, 200),
    Fault("memory that repeats itself", costs.texts, 12, 400),
    Fault("patch, hunks, front matter or conversation that repeats itself", costs.files, 7, 200),
    Fault("garbage as the input of a hook", hooks.given_garbage, 14, 1_000 * (1 + len(CLIENTS))),
    Fault("hook that finds no Python", hooks.without_python, 5, 100),
)

ELSEWHERE = (
    Elsewhere(
        "older, newer and unknown schemas",
        ("end_to_end/storage/migrations/test_migrations.py", "end_to_end/storage/migrations/test_golden.py"),
    ),
    Elsewhere(
        "stopped writer or reader",
        ("end_to_end/storage/test_processes.py", "end_to_end/storage/damage/test_log.py"),
    ),
    Elsewhere("small disk, file-size limit, read-only folder", ("end_to_end/storage/damage/test_faults.py",)),
    Elsewhere(
        "search that would never end",
        (
            "end_to_end/storage/test_read_limit.py",
            "end_to_end/http/test_life.py",
            "contract/test_postgres_server.py",
        ),
    ),
    Elsewhere("index that differs from the memories", ("end_to_end/storage/damage/test_indexes.py",)),
    Elsewhere("line of 50 MB, handler that fails", ("end_to_end/wire/test_faults.py",)),
    Elsewhere("parent killed, client that never reads", ("end_to_end/wire/test_life.py",)),
    Elsewhere("hook with 100 MB of input, with a locked database", ("end_to_end/hooks/test_hooks.py",)),
    Elsewhere(
        "secrets on every way in", ("end_to_end/hooks/test_secrets.py", "unit/privacy/test_secret_corpus.py")
    ),
    Elsewhere("bytes of what was erased", ("end_to_end/storage/test_erasing.py",)),
    Elsewhere(
        "hostile transcripts",
        ("unit/adapters/transcripts/claude_code/test_hostile.py", "unit/adapters/transcripts/test_hostile.py"),
    ),
    Elsewhere(
        "hostile exports, backups and stores of other programs",
        (
            "unit/exchange/test_formats.py",
            "end_to_end/storage/upkeep/test_backups.py",
            "unit/adapters/peers/test_hostile_stores.py",
        ),
    ),
    Elsewhere(
        "memory that poses as lamella, or as a page",
        ("unit/text/test_printing.py", "end_to_end/hooks/test_context.py", "end_to_end/web/test_planted.py"),
    ),
    Elsewhere("requests of other pages and hosts", ("end_to_end/web/test_guards.py",)),
    Elsewhere(
        "paths and links that lead out, programs of a repository",
        ("unit/adapters/git/repository/test_paths.py", "unit/adapters/git/repository/test_programs.py"),
    ),
    Elsewhere("umask, linked data directory", ("end_to_end/storage/damage/test_faults.py",)),
    Elsewhere("operators and any Unicode in a query", ("contract/test_sqlite.py",)),
    Elsewhere("network file system", ("unit/adapters/sqlite/test_folder_health.py",)),
)
