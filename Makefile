# Start with `make demo` and `make test`. Both install their requirements first.

PYTHON ?= python3
VENV ?= .venv
BIN := $(if $(filter Windows_NT,$(OS)),$(VENV)/Scripts,$(VENV)/bin)
READY := $(VENV)/.ready
RUN := "$(CURDIR)/$(BIN)/adebug" run --python "$(CURDIR)/$(BIN)/python"

.PHONY: demo test fuzz otp test-otp test-fidelity test-pythons test-editor lint bench docs wheel vsix clean

# Records the prime example in its own folder. Without a terminal, the sample answers are used.
demo: $(READY)
	@folder="$$(mktemp -d)" && trap 'rm -rf "$$folder"' EXIT && \
	cp examples/prime.py examples/prime.answers "$$folder" && cd "$$folder" && \
	if [ -t 0 ] && [ -t 1 ]; then $(RUN) prime.py || [ $$? -eq 1 ]; \
	else $(RUN) --answers prime.answers prime.py; fi

# Tests start hundreds of processes: compile their imports once, even if __pycache__ is not writable later.
test: lint otp
	@$(BIN)/python -m compileall -q adebug_lsp
	PYTHONHASHSEED=0 $(BIN)/python -m pytest -n auto

# Runs property tests with new examples, repeatedly until the time is over or one fails. Add a failure as an explicit
# example of the test, or as a new test.
MINUTES ?= 30
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz $(MINUTES)

# Tests that take long: whole test suites of packages and of the standard library, recorded and bare; every installed
# interpreter; every planted program against its own copy and with its calls alone recorded; the cases of wide tests of
# which `make test` takes a sample. Then the language and the planted programs again without the C accelerator.
WITHOUT_C := ADEBUG_PURE=1 $(BIN)/python -m pytest -n auto -m "" tests/fidelity/test_suites.py tests/test_programs_pythons.py \
	-k "shows_the_same or (in_each_version and full)"
test-fidelity: $(READY)
	$(BIN)/python -m pytest -n auto -m suites
	$(WITHOUT_C)

# The same with interpreters newer than the system's, from a later Debian release, installed into a folder (requires
# root, debootstrap and patchelf).
PYTHONS_SUITE ?= sid
PYTHONS ?= 3.14 3.15
PYTHONS_FOLDER ?= $(or $(TMPDIR),/tmp)/adebug-pythons
test-pythons: $(READY)
	@found="$$(tests/pythons.sh $(PYTHONS_SUITE) "$(PYTHONS_FOLDER)" $(PYTHONS) | paste -s -d :)" && [ -n "$$found" ] && \
	export CI=1 FIDELITY_PYTHON="$$found" && \
	$(BIN)/python -m pytest -n auto -m "" tests/fidelity tests/test_versions.py tests/test_programs_pythons.py && \
	$(WITHOUT_C)

# Erlang's tests need OTP; Debian's is installed if possible.
otp:
	@{ command -v erl && ls /usr/lib/erlang/lib/eunit-*/include/eunit.hrl; } > /dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null && apt-get update -q && \
	apt-get install -y -q --no-install-recommends erlang-base erlang-dev erlang-eunit erlang-runtime-tools erlang-parsetools erlang-src; } || \
	echo "Erlang/OTP is not installed; its tests are skipped"

# Erlang's tests again, with the OTP of later Debian releases, installed into a folder (root, debootstrap, patchelf).
OTP_SUITES ?= trixie sid
OTP_FOLDER ?= $(or $(TMPDIR),/tmp)/adebug-otp
test-otp: $(READY)
	@for suite in $(OTP_SUITES); do \
	bin="$$(tests/otp.sh "$$suite" "$(OTP_FOLDER)")" && PATH="$$bin:$$PATH" CI=1 $(BIN)/python -m pytest -n auto \
	tests/languages/erlang tests/test_programs_erlang.py tests/test_programs_erlang_check.py tests/frontends/lsp/test_erlang.py tests/frontends/dap/test_erlang.py || exit 1; done

# The extension in a real VS Code, installed once outside the tree; its Node.js also builds the extension.
test-editor: otp
	@folder="$$(PYTHON="$(PYTHON)" editor/vscode/test/install.sh)" && export PATH="$$folder/node/bin:$$PATH" && \
	$(MAKE) --no-print-directory vsix && node editor/vscode/test/run.mjs "$$folder"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --python-version 3.10 adebug_lsp

bench: $(READY)
	$(BIN)/python -m benchmarks

docs: $(READY)
	$(BIN)/python -m adebug_lsp.tree.theory.table1 > docs/transformations.md
	$(BIN)/python -m adebug_lsp.frontends.dap.protocol.generate .
	$(BIN)/python -m adebug_lsp.languages.python.recorder.contract_files .
	$(BIN)/python -m tests.conformance.gaps_page
	$(BIN)/python -m tests.rooms_figure
	$(BIN)/python -m tests.languages.python.origins.table
	$(BIN)/python -m adebug_lsp.frontends.shared.manifest .
	$(BIN)/python -m adebug_lsp.frontends.cli.messages_page .

# Builds the source distribution and the wheel for this platform in dist/, and checks them as the package index and pip
# do. On Linux, the wheel gets the oldest manylinux tag that the C library's symbols allow.
LINUX := $(filter Linux,$(shell uname -s))
wheel: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,release]'
	rm -rf dist
	ADEBUG_REQUIRE_ACCELERATOR=1 $(BIN)/python -m build
	$(BIN)/abi3audit --strict dist/*.whl
	$(if $(LINUX),PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist dist/*-linux_*.whl && rm dist/*-linux_*.whl)
	$(if $(LINUX),$(BIN)/auditwheel show dist/*.whl)
	$(BIN)/twine check --strict dist/*
	$(BIN)/python -m pytest -q tests/test_packaging.py

# Builds the VS Code extension, editor/vscode/dist/adebug-TARGET-VERSION.vsix, with the C accelerator for this platform.
# WHEEL=FILE uses a wheel that is already built; TARGET=universal omits the C accelerator.
TARGET ?= $(shell node -p 'process.platform + "-" + process.arch')
WHEEL ?=
vsix: $(READY)
	$(BIN)/python editor/vscode/bundle.py $(TARGET) $(WHEEL)
	cp LICENSE editor/vscode/LICENSE
	cd editor/vscode && npm ci --no-audit --no-fund && npm run check && npm run bundle && \
	npm run package -- $(if $(filter universal,$(TARGET)),,--target $(TARGET))

clean:
	rm -rf editor/vscode/bundled/libs editor/vscode/dist editor/vscode/node_modules
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(READY): pyproject.toml hatch_build.py $(wildcard adebug_lsp/languages/python/recorder/native/*.[ch] adebug_lsp/native/*.c)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "adebug needs Python 3.10 or newer; name one with make PYTHON=...")'
	@echo "setting up $(VENV) (once; takes a minute)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(READY)
