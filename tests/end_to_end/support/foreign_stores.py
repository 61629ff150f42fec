"""Functions that create other memory programs' stores in a home directory, by name."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

if __name__ == "__main__":
    sys.path.append(str(ROOT))
    from tests.unit.adapters.peers import databases, folders

    for name in sys.argv[1:]:
        {**vars(databases), **vars(folders)}[name](Path.home())
