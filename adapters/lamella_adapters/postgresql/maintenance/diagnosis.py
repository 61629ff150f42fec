"""Diagnosis: whether the server answers, and whether indexes agree with what is stored."""

from attrs import define

from lamella.domain.errors import StorageError
from lamella.ports.storage.diagnosis import Finding, Severity, StorageDiagnosis
from lamella_adapters.postgresql.database.database import Database

_SERVER = "SELECT current_setting('server_version'), (SELECT count(*) FROM project)"
_UNINDEXED = """
SELECT p.id FROM project AS p
WHERE (SELECT count(*) FROM observation AS o WHERE o.project = p.number)
  <> (SELECT count(*) FROM document AS d WHERE d.project = p.number AND d.part IN (0, 1))
  OR EXISTS (
    SELECT 1 FROM index_size AS s WHERE s.project = p.number AND s.documents
      <> (SELECT count(*) FROM document AS d WHERE d.project = p.number AND d.part = s.part))
ORDER BY p.id
"""


@define(eq=False)
class PostgresDiagnosis(StorageDiagnosis):
    """Checks of a server, as one tenant sees it."""

    database: Database

    def findings(self) -> tuple[Finding, ...]:
        """See `StorageDiagnosis.findings`."""
        try:
            with self.database.reading() as turn:
                ((version, projects),), unindexed = turn.answers((_SERVER, {}), (_UNINDEXED, {}), last=True)
        except StorageError as error:
            return (Finding(subject="server", severity=Severity.FAULT, message=str(error)),)
        return (
            Finding(
                subject="server",
                severity=Severity.FINE,
                message=f"PostgreSQL {version} answers, with {projects} projects of this tenant.",
            ),
            *(
                Finding(
                    subject=project,
                    severity=Severity.FAULT,
                    message="The search index does not have as many entries as there are memories.",
                )
                for (project,) in unindexed
            ),
        )

    def repair(self, finding: Finding) -> str:
        """See `StorageDiagnosis.repair`."""
        return f"There is nothing to repair here: {finding.subject}. Back up and restore with PostgreSQL's tools."
