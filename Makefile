# make demo: install, run the main job on the packaged example. make test: install, run every check.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test format docs bench clean

demo: $(VENV)/installed
	$(BIN)/rankproof demo rankproof-demo

test: $(VENV)/installed-for-tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2 --dist worksteal -m "not untraced" --cov --cov-report=term
	$(BIN)/pytest -n 2 --dist worksteal -m untraced

format: $(VENV)/installed-for-tests
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/installed-for-tests
	$(BIN)/python tools/reference.py
	$(BIN)/python tools/presets_page.py

bench: $(VENV)/installed-for-tests
	$(BIN)/python benchmarks/files.py
	$(BIN)/python benchmarks/dicts.py

$(VENV)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "rankproof needs Python 3.11 or newer; this is $$($(PYTHON) -V). Try: make PYTHON=python3.12"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	@touch $@

$(VENV)/installed: $(VENV)/pip pyproject.toml hatch_build.py package-lock.json tools/charts_bundle.mjs tools/lab_stdlib.mjs tools/lab_stdlib.py $(wildcard tools/licenses/*)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-for-tests: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group test --group lint
	@touch $@

clean:
	rm -rf $(VENV) build dist rankproof-demo node_modules src/rankproof/report/vendor src/rankproof/lab/vendor .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.*
