# Each target sets up what it needs: python3, git and make are enough.
#   make test PYTHON=python3.12     use this interpreter instead of the newest working one
#   make test VENV=.venv-3.12       keep the environment in another folder
VENV ?= .venv
PYTHON ?=
WORKERS ?= 2
BIN := $(VENV)/bin
READY := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help demo test suite lint docs bench clean

help:
	@echo 'make demo    record, replay, translate and verify a scripted session, on loopback'
	@echo 'make test    everything a change must pass: lint and the suite'
	@echo 'make suite   the tests alone, but for the slow ones that .ci/run adds'
	@echo 'make lint    ruff, mypy --strict, import rules, generated documents'
	@echo 'make docs    write the generated parts of the documents'
	@echo 'make bench   every benchmark, as one table'
	@echo 'make clean   remove environments and caches'

# An environment is made once, and again when the dependencies change.
$(READY): pyproject.toml .ci/environment
	@.ci/environment $(VENV) $(PYTHON)

demo: $(READY)
	@$(BIN)/turnreel demo

test: lint suite

lint: $(READY)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo > $(VENV)/lint-imports.log || { cat $(VENV)/lint-imports.log; exit 1; }
	@$(BIN)/python docs/build.py --check
	@echo 'lint: ruff, mypy --strict, import rules and generated documents pass'

docs: $(READY)
	@$(BIN)/python docs/build.py

suite: $(READY)
	@$(BIN)/pytest -q -n $(WORKERS) -m "not slow"

bench: $(READY)
	@$(BIN)/python -m benchmarks

clean:
	rm -rf .venv .venv-* .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist .demo
