"""Files of a third party: adapters, tests of them by the contracts, and their registration."""

from lamella_contracts import ActivityLogContract, TokenizerContract

THEIR_ADAPTERS = '''
"""Someone else's adapters: the storage of the README, which they keep in `example`, and a tokenizer."""

from example import ListStorage


def open_theirs(location, data_directory):
    assert location == "theirs:"
    return ListStorage()


class ByteTokenizer:
    def count(self, text):
        return len(text.encode("utf-8", "surrogatepass"))
'''

CONTRACTS = (ActivityLogContract, TokenizerContract)
"""Contracts with which the installed suite is tried; unit tests try the README's storage with all."""

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

THEIR_ENTRY_POINTS = """
[lamella.storage]
theirs = their_adapters:open_theirs

[lamella.tokenizer]
bytes = their_adapters:ByteTokenizer
"""
