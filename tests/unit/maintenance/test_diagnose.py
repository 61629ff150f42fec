from lamella.application.maintenance.storage import DiagnoseStorage
from lamella.ports.storage.diagnosis import Finding, Severity
from lamella_adapters.memory import InMemoryStorage

FINDING = Finding(
    subject="storage",
    severity=Severity.WARNING,
    message="Memories are kept in this process only and end with it.",
)


def test_a_diagnosis_is_what_the_storage_finds() -> None:
    assert DiagnoseStorage(InMemoryStorage())() == (FINDING,)


def test_a_repair_says_what_was_done() -> None:
    assert DiagnoseStorage(InMemoryStorage()).repair(FINDING) == "There is nothing to repair: storage."
