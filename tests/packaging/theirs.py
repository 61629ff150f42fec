"""Files of a third party: adapters, tests of them by the contracts, and their registration."""

from pathlib import Path

from lamella_contracts import ActivityLogContract, TokenizerContract

_FILES = Path(__file__).with_name("files")
THEIR_ADAPTERS = (_FILES / "their_adapters.py.txt").read_text("utf-8")
THEIR_ENTRY_POINTS = (_FILES / "entry_points.txt").read_text("utf-8")

CONTRACTS = (ActivityLogContract, TokenizerContract)
"""Contracts with which the installed suite is tried; unit tests try it with all."""

_OPENING = """
class Test{name}(lamella_contracts.{name}):
    def open_storage(self, tmp_path):
        return open_theirs("theirs:", tmp_path)

    def make_tokenizer(self):
        return ByteTokenizer()
"""

THEIR_TESTS = """
import lamella_contracts
from their_adapters import ByteTokenizer, open_theirs
""" + "".join(_OPENING.format(name=contract.__name__) for contract in CONTRACTS)

THEIR_METADATA = "Metadata-Version: 2.1\nName: their-adapters\nVersion: 1.0\n"
