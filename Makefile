# Every target is complete in itself: it makes .venv and installs what it needs the first time.

VENV := .venv
# the first Python of at least 3.11 that can make virtual environments; choose another with `make PYTHON=… demo`
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14 python; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
BIN := $(VENV)/bin
# PyTorch has an environment of its own: what tests without it must not find it
AUTOTEST := build/autotest-venv
# what measures which lines tests execute is beside .venv: tests run without it
COVERAGE := build/coverage

.PHONY: help demo test lint types bench bench-serving format fuzz fuzz-models soak faults autotest docs clean

help: ## list the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed 's/:.*##/\t/' | expand -t 12

demo: $(VENV)/installed-demo ## train a network on handwritten digits, compiled and line by line
	$(BIN)/python examples/digits.py $(ARGS)

test: $(VENV)/installed-test ## run the tests (ARGS='tests/test_ir_text.py -k names' for some of them)
	$(BIN)/python -m pytest -n auto $(ARGS)

lint: $(VENV)/installed-dev ## check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/installed-dev ## mend style and formatting where a tool can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/installed-dev ## check the type annotations
	$(BIN)/pyright --pythonpath $(BIN)/python

bench: $(VENV)/installed-bench ## compare speed with jax, numba and numpy (ARGS='--workloads chain' for some)
	$(BIN)/python benchmarks/run.py $(ARGS)

bench-serving: $(VENV)/installed-test ## serve LeNet under load, beside onnxruntime (needs h2load)
	$(BIN)/python benchmarks/serving.py $(ARGS)

fuzz: $(VENV)/installed-test ## compare random programs with plain Python (ARGS='--programs 20000 --expressions 100000 --seed 1')
	$(BIN)/python tests/fuzz/run.py $(ARGS)

fuzz-models: $(VENV)/installed-test ## load and call models whose files were changed at random (ARGS='--files 100000 --model three --seed 1')
	$(BIN)/python tests/fuzz/run_model_files.py $(ARGS)

soak: $(VENV)/installed-test ## inject faults for half an hour (SECONDS=180 for less; ARGS='--only forks --seed 1')
	$(BIN)/python tests/soak/run.py --seconds $(or $(SECONDS),1800) $(ARGS)

faults: $(VENV)/installed-test $(COVERAGE)/coverage ## see which faults in rules, kernels and passes the tests notice (ARGS='--faults 300 --seed 2')
	PYTHONPATH=$(CURDIR)/$(COVERAGE) $(BIN)/python -m tests.faults.run $(ARGS)

autotest: $(AUTOTEST)/installed ## compare with PyTorch (ARGS='--only torch.sum --cases 20'); goes on where it stopped
	PYTHONPATH=. $(AUTOTEST)/bin/python tests/autotest/operators/run.py $(ARGS)

docs: $(VENV)/installed-docs ## build the documentation into build/site, warnings as errors, and check its links
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	$(BIN)/python tests/built_site.py build/site

clean: ## remove .venv and what tools left behind
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "jitcore needs Python 3.11 or later with the venv module; give it as PYTHON=…" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed-%: pyproject.toml setup.py | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@

$(AUTOTEST)/installed: pyproject.toml setup.py
	@test -n "$(PYTHON)" || { echo "jitcore needs Python 3.11 or later with the venv module; give it as PYTHON=…" >&2; exit 1; }
	$(PYTHON) -m venv $(AUTOTEST)
	$(AUTOTEST)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[autotest]'
	@touch $@

$(COVERAGE)/coverage: $(VENV)/installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --target $(COVERAGE) 'coverage>=7.10'
	@touch $@
