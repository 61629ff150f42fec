"""Programs that take a secret on their command line (`options.tsv`), and words of any program's command line."""

from lamella.domain.tables import read_rows, read_table

ROWS = tuple(read_rows(__file__, "options.tsv"))
"""Programs, the subcommand, and the places of secrets of each row."""

_WORDS = read_table(__file__, "options.txt")
PROGRAMS = frozenset(" ".join([programs for programs, _, _ in ROWS]).split())
"""Programs of the table."""

PIPES = tuple(each.replace("_", " ") for each in _WORDS["pipes"].split())
"""Ends of a pipe that read a secret: what `echo` and `printf` say before them is one."""

USERS = frozenset({"-u", "-U", "--user", "--username", "-user", "-username", "-n", "-D", "--login", "login"})
"""Words that name a user of any program, or say that somebody logs in."""

PASSWORDS = frozenset({"-p", "-P", "-w", "-W"})
"""Options that take the password of that user."""

PAIRS = frozenset(_WORDS["pairs"].split())
"""Options of any program that take a user, and maybe a password behind a colon."""

NAMES = frozenset({"password", "passwd", "pass", "passphrase", "using"})
"""Words before a password."""
