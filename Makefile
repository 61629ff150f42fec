# Begin with `make demo` or `make test`. Both install everything they need.

# Override an environment that turns bytecode caches off: each process started by a test would compile all modules.
export PYTHONDONTWRITEBYTECODE :=
SHELL := bash
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
BENCH_READY := .venv/.bench-ready
INTEGRATIONS_READY := .venv/.integrations-ready
RELEASE_READY := .venv/.release-ready
RELEASE_NODE := build/release/node

# In an environment of their own, because their dependencies must not mix with lamella's.
TOOLS := build/tools
TOOLS_READY := $(TOOLS)/.ready

DOCS := build/docs
DOCS_READY := $(DOCS)/.ready
SITE := build/site

LOG := build/test.log
# Two workers more than processors, because tests often wait for the processes that they start.
WORKERS = $(shell $(PYTHON) -c 'import os; print(os.cpu_count() + 2)')
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps
# Options of the shell are in the recipes, because make on macOS ignores .SHELLFLAGS.
PYTEST = set -o pipefail; $(BIN)/pytest -n $(WORKERS) --dist worksteal --durations=10 $(OPTIONS)
LOGGED := 2>&1 | tee -a $(LOG) || { echo "Read $(LOG). The same order again: OPTIONS=--randomly-seed=N, with the N that it says."; exit 1; }

.PHONY: demo tour web-tour check test test-src coverage-adapters node-clients test-clients test-faults test-integrations test-team man docs audit lint bench figures bench-test bench-quality bench-speed bench-team bench-peers \
  release lock clean

demo: $(READY)  ## Save and recall the commits of this repository over MCP, and show how to connect clients
	$(BIN)/python -m examples.demo

web-tour: $(READY)  ## Take the screenshots of docs/web.md in Chromium
	$(BIN)/python -m tests.tour.web.generate

tour: $(READY)  ## Play a day with Claude Code and write docs/tour.md
	$(BIN)/python -m tests.tour.generate

check: lint  ## Quick check while working (about a minute): style, types, layers and unit tests
	@mkdir -p $(dir $(LOG)); rm -f $(LOG)
	$(PYTEST) tests/unit $(LOGGED)

test:  ## All checks, with tests in random order
	@mkdir -p $(dir $(LOG)); rm -f $(LOG)
	$(MAKE) --no-print-directory --jobs=3 lint test-src node-clients
	$(PYTEST) tests/unit/adapters tests/unit/contracts tests/contract tests/mutants tests/end_to_end tests/faults tests/team tests/packaging $(LOGGED)

test-src: $(READY)  ## Unit tests of src with branch coverage
	@mkdir -p $(dir $(LOG))
	$(PYTEST) tests/unit --ignore=tests/unit/adapters --ignore=tests/unit/contracts --cov $(LOGGED)

coverage-adapters: $(READY) node-clients  ## Branch coverage of adapters, including the processes that tests start
	$(BIN)/python -m tests.adapter_coverage -n $(WORKERS) --dist worksteal $(OPTIONS)

node-clients:  ## Install the clients that run on Node before the tests that need them
	$(PYTHON) -m tests.node_packages tests/end_to_end/clients/node

test-clients: $(READY)  ## Sessions with every client, including those that take long to install
	@mkdir -p $(dir $(LOG)); rm -f $(LOG)
	$(PYTEST) -m "" tests/end_to_end/clients $(LOGGED)

test-faults: $(READY)  ## Inject each fault many times, in at most 30 minutes, and write the table of SECURITY.md
	$(BIN)/python -m tests.faults.matrix --write SECURITY.md $(OPTIONS)

test-integrations: $(INTEGRATIONS_READY)  ## Agent frameworks and the notebook, with the real packages
	$(BIN)/pytest tests/integrations

test-team: $(READY)  ## Inject faults into a PostgreSQL cluster from Debian's packages, and write the table of docs/failover.md (as root)
	$(BIN)/python -m tests.team.packages
	$(BIN)/python -m tests.team.debian $(BIN)/pytest -n auto -m "" tests/contract -k postgres
	$(BIN)/pytest -n auto -m team tests/end_to_end
	$(BIN)/python -m tests.team.matrix --minutes=27 --write docs/failover.md $(OPTIONS)

man: $(READY)  ## Write a manual page for each command into build/man; to read it: MANPATH=build/man man lamella
	$(BIN)/python -m tests.release.manual build/man/man1

docs: $(READY) $(DOCS_READY)  ## Build all pages and a reference as one site in build/site; broken links and anchors fail
	$(BIN)/python -m tests.release.site.build $(DOCS)/bin/zensical $(SITE)
	@echo "Read it with: $(PYTHON) -m http.server --bind localhost --directory $(SITE)"

audit: $(READY) $(TOOLS_READY)  ## Look up the locked packages in the database of security advisories, if it can be reached
	@$(BIN)/python -m tests.release.audit $(TOOLS)/bin/pip-audit $(wildcard requirements/*.lock)

lint: $(READY)  ## Style, types and layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: bench-test bench-quality bench-speed  ## Measure quality of retrieval, speed and token counts
	$(BIN)/python -m bench.tokens.measure
	$(BIN)/python -m bench.tokens.lines
	$(BIN)/python -m bench.prose
	$(BIN)/python -m bench.figures

figures: $(READY)  ## Copy the figures of bench/results into the pages
	$(BIN)/python -m bench.figures

bench-test: $(BENCH_READY)  ## Tests of the benchmarks, with each benchmark at its smallest size
	$(BIN)/pytest -n $(WORKERS) --dist worksteal bench/tests

bench-quality: $(BENCH_READY)  ## Quality of retrieval; OPTIONS="--locomo FILE --embedder NAME"
	$(BIN)/python -m bench.quality $(OPTIONS)
	$(BIN)/python -m bench.quality.ledger
	$(BIN)/python -m bench.quality.prompts
	$(BIN)/python -m bench.quality.review
	$(BIN)/python -m bench.figures

bench-speed: $(BENCH_READY)  ## Speed and memory, over stdio and at scale, against baselines measured in the same run
	$(BIN)/python -m bench.speed.measure
	$(BIN)/python -m bench.speed.scale
	$(BIN)/python -m bench.speed.embedding
	$(BIN)/python -m bench.speed.nearest
	$(BIN)/python -m bench.speed.identifiers
	$(BIN)/python -m bench.speed.conversations
	$(BIN)/python -m bench.speed.exchange
	$(BIN)/python -m bench.speed.copies
	$(BIN)/python -m bench.speed.importers
	$(BIN)/python -m bench.speed.hooks
	$(BIN)/python -m bench.speed.year
	$(BIN)/python -m bench.speed.web
	$(BIN)/python -m bench.speed.web.paint
	$(BIN)/python -m bench.speed.over_http
	$(BIN)/python -m bench.speed.calls
	$(BIN)/python -m bench.figures

bench-team: $(BENCH_READY)  ## Compare PostgreSQL with SQLite; takes an hour and 40 GB of disk; OPTIONS="--sizes 10000/50"
	$(BIN)/python -m bench.team $(OPTIONS)
	$(BIN)/python -m bench.figures

bench-peers: $(BENCH_READY)  ## Compare lamella with other programs that you installed; OPTIONS='--server-memory "npx SERVER"'
	$(BIN)/python -m bench.peers $(OPTIONS)
	$(BIN)/python -m bench.figures

release: $(RELEASE_READY)  ## Build all packages in dist and check them; uploads nothing
	$(BIN)/python -m tests.release.build
	$(PYTEST) -m "not more_clients and not team" tests/release tests/packaging \
	  tests/end_to_end/clients/test_claude_code_plugin.py::test_claude_code_finds_nothing_wrong_with_the_plugin

LOCKED := $(TOOLS)/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-strip-extras \
  --no-emit-index-url --custom-compile-command "make lock"

lock: $(TOOLS_READY)  ## Update the lock files in requirements from pyproject.toml and the .in files
	$(LOCKED) --extra contracts --extra semantic --extra postgresql --extra http --extra web \
	  pyproject.toml requirements/dev.in --output-file requirements/dev.lock
	$(LOCKED) --extra postgresql --extra http --constraint requirements/dev.lock pyproject.toml --output-file requirements/image.lock
	# Constrain each lock by those before it, because several of them may be installed in one environment.
	set -e -- --constraint requirements/dev.lock; for each in integrations bench release tools docs pip; do \
	  $(LOCKED) "$$@" requirements/$$each.in --output-file requirements/$$each.lock; \
	  set -- "$$@" --constraint requirements/$$each.lock; done

clean:  ## Remove the environment, builds and caches
	rm -rf .venv build .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist

$(READY): requirements/pip.lock requirements/dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "lamella needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP) --require-hashes --requirement requirements/pip.lock
	# Try uv first, which takes a fifth of pip's time. It fails if only pip's configuration names the package index.
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes --requirement requirements/dev.lock \
	  || $(PIP) --require-hashes --requirement requirements/dev.lock
	$(PIP) --no-build-isolation --editable .
	$(BIN)/python -W ignore -c "from hypothesis.strategies import text; text().example()"  # caches tables that each test process would make
	@touch $(READY)

$(BENCH_READY): $(READY) requirements/bench.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/bench.lock
	@touch $(BENCH_READY)

$(INTEGRATIONS_READY): $(READY) requirements/integrations.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/integrations.lock
	@touch $(INTEGRATIONS_READY)

$(TOOLS_READY): requirements/tools.lock
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/tools.lock
	@touch $(TOOLS_READY)

$(DOCS_READY): requirements/docs.lock
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/docs.lock
	@touch $(DOCS_READY)

$(RELEASE_READY): $(READY) requirements/release.lock tests/release/node/package-lock.json
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/release.lock
	@mkdir -p $(RELEASE_NODE); cp tests/release/node/package*.json $(RELEASE_NODE)
	npm ci --prefix $(RELEASE_NODE) --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $(RELEASE_READY)
