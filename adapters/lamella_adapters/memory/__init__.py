"""In-memory storage: the reference model that every other storage is compared with."""

from lamella_adapters.memory.storage import InMemoryStorage

__all__ = ["InMemoryStorage", "open_storage"]


def open_storage(location: str, data_directory: object = None) -> InMemoryStorage:
    """Opens an empty storage that lives as long as the process; both arguments are ignored."""
    del location, data_directory
    return InMemoryStorage()
