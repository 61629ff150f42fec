# Two commands matter: `make demo` and `make test`. Both set up all that they need.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test lint bench lock clean

demo: $(READY)  ## Save and recall real input over MCP, and say how to connect Claude Code
	$(BIN)/lamella demo

test: lint  ## Everything that has to be true
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest tests/unit
	$(BIN)/coverage report
	$(BIN)/pytest -n 2 --dist loadfile tests/contract tests/mutants tests/end_to_end tests/packaging

lint: $(READY)  ## Style, types and layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)  ## Speed, memory and token counts, as ratios against a baseline of the same run
	$(BIN)/python bench/speed/measure.py
	$(BIN)/python bench/tokens/measure.py

lock: $(READY)  ## Write requirements/dev.lock anew from pyproject.toml and requirements/dev.in
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --custom-compile-command "make lock" --extra contracts \
	  pyproject.toml requirements/dev.in --output-file requirements/dev.lock

clean:  ## Remove the environment and what tools left behind
	rm -rf .venv .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist

$(READY): requirements/dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "lamella needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)
