"""Programs that take secrets on the command line (`options.tsv`), and words near secrets on any command line."""

from lamella.domain.tables import read_rows, read_table

ROWS = tuple(read_rows(__file__, "options.tsv"))
"""For each row of the table: the programs, the subcommand, and the places of secrets."""

_WORDS = read_table(__file__, "options.txt")
PROGRAMS = frozenset(" ".join([programs for programs, _, _ in ROWS]).split())
"""Programs of the table."""

PIPES = tuple(each.replace("_", " ") for each in _WORDS["pipes"].split())
"""Programs reading a secret from a pipe. The argument of `echo` or `printf` before the pipe is the secret."""

USERS = frozenset({"-u", "-U", "--user", "--username", "-user", "-username", "-n", "-D", "--login", "login"})
"""Options before a user name, in any program, and words that start a login."""

PASSWORDS = frozenset({"-p", "-P", "-w", "-W"})
"""Options for a password, if the command also names a user."""

PAIRS = frozenset(_WORDS["pairs"].split())
"""Options for a user, in any program. The value may be a user and a password, separated by a colon."""

NAMES = frozenset({"password", "passwd", "pass", "passphrase", "using"})
"""Words before a password."""
