"""Activity of hooks as rows."""

import apsw

from lamella.domain.transactions.plan import LogActivity
from lamella_adapters.sqlite.tables.observation_rows import to_microseconds

_ADD = "INSERT OR IGNORE INTO activity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def log_activity(connection: apsw.Connection, write: LogActivity) -> None:
    """Add entries with new names, and drop old ones."""
    rows = [
        (
            *(each.name, to_microseconds(each.at), each.kind, each.session, each.about, each.tokens),
            write.origin,
            "".join(f"{id} " for id in each.memories) or None,
            each.edit or None,
        )
        for each in write.entries
    ]
    connection.executemany(_ADD, rows)
    connection.execute("DELETE FROM activity WHERE at < ?", (to_microseconds(write.oldest),))
