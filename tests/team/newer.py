"""The next version of lamella: it has more migrations of PostgreSQL.

Usage: python -m tests.team.newer NUMBER ...
"""

import sys

from lamella_adapters.cli import main
from lamella_adapters.postgresql.schema import migrate

_ADDITION = """
ALTER TABLE observation ADD COLUMN mood_{0} text NOT NULL DEFAULT '';
CREATE TABLE mood_{0} (name text PRIMARY KEY);
UPDATE observation SET mood_{0} = title WHERE seq % 2 = 0;
CREATE INDEX observation_mood_{0} ON observation (project, mood_{0});
"""

if __name__ == "__main__":
    migrate.MIGRATIONS = (*migrate.MIGRATIONS, *map(_ADDITION.format, range(int(sys.argv.pop(1)))))
    sys.exit(main())
