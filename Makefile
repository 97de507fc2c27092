# Every target sets up what it needs in .venv; nothing has to be installed by hand.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
NPM := $(VENV)/npm
NPM_STAMP := $(NPM)/.ready
AGENTS := $(VENV)/agents
AGENTS_STAMP := $(AGENTS)/.ready
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
PYTEST := QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m 'not bench and not agents and not desktop' -n auto --dist worksteal -rfE

# Each worker and each program that a test starts would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup run test test-all form lint bench desktop crash fuzz soak agents screenshots tables package clean

setup: $(STAMP)

$(STAMP): pyproject.toml packaging/constraints.txt packaging/linux/qt-libraries
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Callgate needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up $(VENV) …"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --constraint packaging/constraints.txt --editable '.[test,vertex]'
	@packaging/linux/qt-libraries $(BIN)/python
	@touch $@

# The npm packages that the tests talk to; where node or a network is missing, those tests say so and are skipped.
$(NPM_STAMP): $(STAMP) packaging/npm/package.json packaging/npm/install-packages
	@if packaging/npm/install-packages $(NPM); then touch $@; fi

run: $(STAMP)
	@$(BIN)/callgate demo

# Types are checked while tests wait; import contracts are among the tests. Where both pass the last line is pytest's own.
test: $(STAMP) $(NPM_STAMP) form
	@packaging/linux/desktop-packages
	@$(BIN)/pyright >$(VENV)/types.log 2>&1 & types=$$!; trap "kill $$types" INT TERM; \
	$(PYTEST) $(ARGS); tests=$$?; \
	wait $$types || { cat $(VENV)/types.log; exit 1; }; \
	exit $$tests

# Every combination, many random examples, and how much of each folder was run: long.
test-all: $(STAMP) $(NPM_STAMP) form
	@packaging/linux/desktop-packages
	@$(BIN)/pyright
	@mkdir -p build/coverage
	@CALLGATE_FULL=1 $(PYTEST) --timeout 600 --cov --cov-report=json:build/coverage/report.json $(ARGS)
	@$(BIN)/python -m tests.coverage_by_folder build/coverage/report.json

form: $(STAMP)
	@$(BIN)/ruff check --no-cache app tests
	@$(BIN)/ruff format --no-cache --check app tests

lint: $(STAMP) form
	@$(BIN)/pyright
	@PYTHONPATH=app $(BIN)/lint-imports --config tests/architecture/contracts.ini --no-cache

bench: $(STAMP)
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m bench -s tests/bench $(ARGS)

# On a real X server with a window manager, a pointer and a screen reader's view: a part of `make test`, by itself here.
desktop: $(STAMP)
	@packaging/linux/desktop-packages
	@$(BIN)/python -m pytest -m desktop tests/desktop $(ARGS)

# Each of these has a short version in `make test`; here they run at full length.
crash: $(STAMP)
	@CALLGATE_CRASH=200 $(BIN)/python -m pytest -s --timeout 3600 tests/crash $(ARGS)

fuzz: $(STAMP)
	@CALLGATE_FUZZ=100000 $(BIN)/python -m pytest -s --timeout 7200 tests/fuzz $(ARGS)

soak: $(STAMP)
	@CALLGATE_SOAK_MINUTES=30 $(BIN)/python -m pytest -s --timeout 7200 tests/soak $(ARGS)

# The real agents, some gigabytes: only for `make agents`. Those that can't be had are skipped, and say why.
$(AGENTS_STAMP): $(STAMP) packaging/agents/package.json $(wildcard packaging/agents/python/*.txt) packaging/agents/install-agents
	@if packaging/agents/install-agents $(AGENTS) $(BIN)/python; then touch $@; fi

agents: $(STAMP) $(AGENTS_STAMP)
	@QT_QPA_PLATFORM=offscreen CALLGATE_AGENTS=$(AGENTS) packaging/agents/offline $(BIN)/python -m pytest -m agents -rs tests/agents $(ARGS)

screenshots: $(STAMP)
	@QT_QPA_PLATFORM=offscreen $(BIN)/callgate demo --screenshots build/screenshots
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.flows.view_album build/album
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.flows.view_album build/album-2x --scale 2

# After each change of a table in resources/programs.
tables: $(STAMP)
	@$(BIN)/python packaging/program_tables.py

package: $(STAMP)
	@$(PIP) install --constraint packaging/constraints.txt --editable '.[package]'
	@$(BIN)/pyinstaller --noconfirm --distpath dist --workpath build packaging/callgate.spec

clean:
	rm -rf $(VENV) build dist
