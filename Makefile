# Two commands are all a newcomer needs: `make demo` and `make test`. Both set up what they need first.

PYTHON ?= python3
VENV ?= .venv
BIN := $(if $(filter Windows_NT,$(OS)),$(VENV)/Scripts,$(VENV)/bin)
READY := $(VENV)/.ready

.PHONY: demo test lint bench docs clean

demo: $(READY)
	@if [ -t 0 ]; then cd "$$(mktemp -d)" && "$(CURDIR)/$(BIN)/adebug" open "$(CURDIR)/examples/sqrtest.json"; \
	else $(BIN)/adebug open examples/sqrtest.json --answers examples/sqrtest.answers; fi

test: lint
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/python -m benchmarks

docs: $(READY)
	$(BIN)/python -m adebug_lsp.tree.table1 > docs/transformations.md

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "adebug needs Python 3.10 or newer; name one with make PYTHON=...")'
	@echo "setting up $(VENV) (once; takes a minute)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(READY)
