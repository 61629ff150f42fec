"""Diagnosis of the server: availability, configuration and consistency."""

import time
from collections.abc import Iterator
from functools import partial

from attrs import define

from lamella.domain.errors import StorageError
from lamella.domain.projects.key import EVERYWHERE
from lamella.domain.text.printing import counted
from lamella.ports.storage.diagnosis import Finding, Severity, StorageDiagnosis
from lamella_adapters.postgresql.database.database import CONNECTIONS, Database
from lamella_adapters.postgresql.database.transaction import Question, Row
from lamella_adapters.postgresql.schema.migrate import MIGRATIONS, OLDEST_SERVER, ROLE
from lamella_adapters.postgresql.schema.tables import FIRST_TABLES, TABLES
from lamella_adapters.statements import statements

SQL = statements(__file__)

_SKEW_SECONDS = 5
"""Clock difference to warn about.

It matters because the machine that saves a memory sets the memory's timestamp.
"""

_INDEXED_FROM, _MOST_INDEXES = 10_000, 50
"""Number of vectors at which a project gets a vector index, and maximum number of such indexes in a schema."""

_BUSY_SHARE = 0.9

_BACK_UP = "Back up the whole database with pg_dump, pg_basebackup or your provider: docs/team.md says how."

_fine = partial(Finding, severity=Severity.FINE)
_warning = partial(Finding, severity=Severity.WARNING)
_fault = partial(Finding, severity=Severity.FAULT)


@define(eq=False)
class PostgresDiagnosis(StorageDiagnosis):
    """Checks of a server as seen by one tenant."""

    database: Database

    def findings(self) -> tuple[Finding, ...]:
        """See `StorageDiagnosis.findings`."""
        try:
            with self.database.reading() as tx:
                begun = time.time()
                (server,), (connections,), (role,), dear, unsecured, ungranted, unindexed, unhelped = tx.answers(
                    (SQL["server"], {"everywhere": EVERYWHERE}),
                    (SQL["connections"], {}),
                    (SQL["role"], {"role": ROLE}),
                    (SQL["settings"], {}),
                    (SQL["unsecured"], {"tables": list(TABLES)}),
                    (SQL["ungranted"], {"role": ROLE, "tables": list(FIRST_TABLES)}),
                    (SQL["unindexed"], {}),
                    _unhelped(),
                    last=True,
                )
                answered = time.time()
        except StorageError as error:
            return (_fault(subject="server", message=str(error)),)
        return (
            *_of_server(server),
            *_of_connections(connections, begun, answered),
            *_of_settings(dear),
            *_of_rights(role, [table for (table,) in unsecured]),
            *_of_grants([table for (table,) in ungranted]),
            _fine(subject="backups", message=_BACK_UP),
            *(
                _fault(
                    subject=project,
                    message="The search index does not have as many entries as there are memories.",
                )
                for (project,) in unindexed
            ),
            *(
                _warning(
                    subject=project,
                    message=f"Search by meaning reads all of its {vectors:,} vectors.",
                    repair="index them, logged in as the owner of the schema; others can keep working",
                )
                for project, vectors, *_ in unhelped
            ),
        )

    def repair(self, finding: Finding) -> str:
        """See `StorageDiagnosis.repair`."""
        with self.database.reading() as tx:
            found = {id: made for id, _, made in tx.answers(_unhelped(), last=True)[0]}
        if finding.repair and finding.subject in found:
            self.database.pool.define(*found[finding.subject])
            return f"The vectors of {finding.subject} are indexed."
        return f"There is nothing to repair here: {finding.subject}. Back up and restore with PostgreSQL's tools."


def _unhelped() -> Question:
    """Return the query for projects with vectors but no vector index, and for statements that create the index."""
    return SQL["unhelped"], {"indexed_from": _INDEXED_FROM, "most": _MOST_INDEXES}


def _of_server(row: Row) -> Iterator[Finding]:
    version, major, projects, schema = row
    message = f"PostgreSQL {version} answers, with {counted(projects, 'project')} of this tenant."
    if major >= OLDEST_SERVER:
        yield _fine(subject="server", message=message)
    else:
        yield _fault(subject="server", message=f"{message} Use {OLDEST_SERVER} or newer.")
    newer = " A newer lamella made it." if schema > len(MIGRATIONS) else ""
    yield _fine(subject="schema", message=f"It is at version {schema}.{newer}")


def _of_connections(row: Row, begun: float, answered: float) -> Iterator[Finding]:
    used, most, local, encrypted, server_time = row
    message = f"{used} of {most} are in use; a process of lamella needs up to {CONNECTIONS}."
    if used < most * _BUSY_SHARE:
        yield _fine(subject="connections", message=message)
    else:
        yield _warning(
            subject="connections", message=f"{message} Put PgBouncer in front, or raise max_connections."
        )
    if not local and not encrypted:
        message = "They are not encrypted. Add sslmode=verify-full to LAMELLA_STORAGE."
        yield _warning(subject="connections", message=message)
    ahead = server_time - min(max(server_time, begun), answered)
    if abs(ahead) > _SKEW_SECONDS:
        yield _warning(
            subject="clock",
            message=f"The server's clock is {abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} this one."
            " Memories are dated by the machine that saves them; set both by NTP.",
        )


def _of_settings(dear: list[Row]) -> Iterator[Finding]:
    if dear:
        said = ", ".join(f"{name} is {now} (better {better})" for name, now, better in dear)
        message = f"Saves cost more than they need: {said}. docs/team.md says how to set them."
        yield _warning(subject="settings", message=message)


def _of_grants(tables: list[str]) -> Iterator[Finding]:
    if tables:
        what = f"SELECT, INSERT, UPDATE, DELETE ON {', '.join(tables)} TO {ROLE}"
        message = f"Memories can't be saved or read. Let the owner of the schema run: GRANT {what}"
        yield _fault(subject="rights", message=message)


def _of_rights(row: Row, unsecured: list[str]) -> Iterator[Finding]:
    unbound, owned, login_unbound = row
    if unbound or owned or unsecured:
        wrong = [
            *([f"the role {ROLE} may bypass row-level security"] if unbound else ()),
            *([f"the role {ROLE} owns {', '.join(owned)}"] if owned else ()),
            *([f"row-level security is off for {', '.join(unsecured)}"] if unsecured else ()),
        ]
        message = f"Tenants are not kept apart: {'; '.join(wrong)}. Restore the rights as lamella made them."
        yield _fault(subject="rights", message=message)
    else:
        message = f"Row-level security is on for every table, and applies to the role {ROLE}, which owns nothing."
        yield _fine(subject="rights", message=message)
    if login_unbound:
        yield _warning(
            subject="rights",
            message="This login may do everything. For daily work, use one made by:"
            f" CREATE ROLE somebody LOGIN IN ROLE {ROLE}",
        )
