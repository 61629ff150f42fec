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

# Shells start background processes with SIGINT ignored, and the tests' processes would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ |= WORDS_ONLY

# Thousands of collected tests live as long as the process. Checking them for garbage repeatedly takes a sixth of
# the time of unit tests.
gc.disable()

# A loaded machine is not a failure, and in continuous integration the same commit must give the same result.
settings.register_profile(
    "lamella",
    deadline=None,
    max_examples=25,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("lamella")

# Searching all imported modules for constants takes each worker four seconds, and the constants depend on the
# order of tests, so results for one commit would vary.
providers._get_local_constants = lambda: providers._local_constants

DEAREST = frozenset({"browser", "node_clients"})
"""Fixtures of the tests that take longest."""


def pytest_configure(config: pytest.Config) -> None:
    """End the first of two coverage measurements in a worker, which pytest-cov 7 starts and forgets.

    It would trace `no_cover` tests too.
    """
    coverage = config.pluginmanager.get_plugin("_cov")
    if coverage is not None and hasattr(config, "workerinput"):
        coverage.cov_controller.pause()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Rewrite the assertions of all modules once, instead of in all workers simultaneously."""
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
    """Begin with the slowest tests, so that no worker has to wait for another one at the end."""
    items.sort(key=lambda item: DEAREST.isdisjoint(item.fixturenames))


def pytest_collection_finish() -> None:
    """Freeze imported modules and collected tests, so that garbage collection checks only objects of tests."""
    gc.collect()
    gc.freeze()
    gc.enable()
