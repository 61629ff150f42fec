"""Settings that hold for every test."""

import gc
import os
import signal
from itertools import chain
from pathlib import Path

import pytest
from _pytest.assertion import AssertionState, rewrite
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests.words_only import WORDS_ONLY

# A shell starts what it puts into the background with SIGINT ignored, and the processes of the tests would inherit
# that.
signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ |= WORDS_ONLY

# Ten thousand collected tests live as long as the process. To look through them for garbage again and again takes
# a sixth of the time of unit tests.
gc.disable()

# A machine under load is not a failure, and in continuous integration the same commit gives the same answer.
settings.register_profile(
    "lamella",
    deadline=None,
    max_examples=25,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("lamella")

# To look for constants in all imported modules takes each worker four seconds, and which these are depends on
# the order of tests: the same commit would not give the same answer.
providers._get_local_constants = lambda: providers._local_constants

DEAREST = frozenset({"browser", "node_clients"})
"""Fixtures of the tests that take longest."""


def pytest_configure(config: pytest.Config) -> None:
    """End the first of two measurements of coverage in a worker, which pytest-cov 7 starts and forgets.

    It would trace `no_cover` tests too.
    """
    coverage = config.pluginmanager.get_plugin("_cov")
    if coverage is not None and hasattr(config, "workerinput"):
        coverage.cov_controller.pause()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Rewrite the assertions of all modules once. Else each worker would, at the same time."""
    clauses = config.rootpath.joinpath("contracts", "lamella_contracts", "clauses").rglob("*.py")
    tests = (each for argument in config.args for each in Path(argument).absolute().rglob("test_*.py"))
    for path in chain(clauses, tests):
        cached = rewrite.get_cache_dir(path) / f"{path.stem}{rewrite.PYC_TAIL}"
        if rewrite._read_pyc(path, cached) is None:
            rewrite.try_makedirs(cached.parent)
            status, code = rewrite._rewrite_test(path, config)
            rewrite._write_pyc(AssertionState(config, "rewrite"), code, status, cached)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Begin with the dearest tests: at the end, all other workers would wait for the one that runs them."""
    items.sort(key=lambda item: DEAREST.isdisjoint(item.fixturenames))


def pytest_collection_finish() -> None:
    """Collect garbage of tests only: freeze imported modules and collected tests."""
    gc.collect()
    gc.freeze()
    gc.enable()
