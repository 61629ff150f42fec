"""The command `lamella`, with time limits that no loaded machine exceeds.

Usage: python patient_lamella.py [ARGUMENT ...], with the arguments of `lamella`.
"""

# ruff: noqa: E402 - where the tests are has to be known first
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[3])

from lamella_adapters.cli import main
from tests.end_to_end.support.time_limits import raise_limits
from tests.patience import be_patient

if __name__ == "__main__":
    raise_limits()
    be_patient()
    sys.exit(main())
