# `make run` starts the engine, `make test` checks everything. Both set up .venv by themselves.
# The first of these that is there; `make run PYTHON=...` names another one.
PYTHONS := python3.11 python3.12 python3.13 python3.14 python3
PYTHON ?= $(firstword $(foreach name,$(PYTHONS),$(shell command -v $(name))))
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# What `make run` installs beside the engine, by pyproject.toml's names. Playing on a CPU needs
# nothing more; an NVIDIA GPU needs torch, some gigabytes. `make run EXTRAS=` leaves a GPU unused,
# `make run EXTRAS=torch,postgres` adds both.
EXTRAS ?= $(if $(wildcard /proc/driver/nvidia /dev/nvidiactl /dev/dxg),torch)
INSTALLED := .venv/installed$(if $(EXTRAS),-$(EXTRAS))
CORE := $(wildcard engine/core/*/*.h engine/core/*/*.cpp engine/core/CMakeLists.txt)

.PHONY: run test check format sanitize fuzz malformed gpu sabaki web web-tools clean

run: $(INSTALLED)
	@echo "Play in the browser:  $(CURDIR)/$(BIN)/sparring play"
	@echo "Attach a GUI: let it start  $(CURDIR)/$(BIN)/sparring gtp"
	@echo "(Sabaki: Engines > Show Engines Sidebar > Attach Engine > Manage Engines.)"
	@echo "Your own network, such as KataGo's or KaTrain's:  make run NETWORK=FILE.bin.gz"
	$(BIN)/sparring serve$(if $(NETWORK), --network $(NETWORK))

# Python keeps what it compiles, whatever the shell says: the tests start hundreds of processes.
test: export PYTHONDONTWRITEBYTECODE =
test: .venv/developing sabaki web-tools check
	$(BIN)/python -m pytest -q -n auto --maxprocesses 4 --dist worksteal

check: .venv/developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(filter %.h %.cpp,$(CORE))
	$(BIN)/mypy

format: .venv/developing
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(filter %.h %.cpp,$(CORE))

SANITIZED = LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)" \
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
  SPARRING_CORE="$$(ls build/sanitize/_core*.so)" $(BIN)/python -m
SANITIZED_TESTS = $(SANITIZED) pytest -q --capture=sys -p tests.support.sanitized_core

# The core's tests on a core that stops at wrong accesses of memory and at undefined behaviour. Takes
# g++, its libasan and about six minutes on one core. Python leaves memory behind, so leaks are not looked for.
sanitize: build/sanitize/core
	$(SANITIZED_TESTS) tests/core tests/search
	$(SANITIZED_TESTS) tests/networks/test_backends.py tests/networks/test_dropout.py -k native

# Every door of a running engine with such a core, fuzzed through its sockets for MINUTES.
fuzz: build/sanitize/core
	$(SANITIZED) tests.support.door_fuzz --minutes $(MINUTES)

build/sanitize/core: .venv/developing $(CORE)
	$(PIP) wheel -q --no-deps -w build/sanitize/wheel -C build-dir=build/sanitize \
	  -C cmake.define.SPARRING_SANITIZE=ON -C cmake.define.CMAKE_CXX_COMPILER=g++ .
	cp engine/_core.pyi build/sanitize/ # a test reads it beside the core
	@touch $@

# Reads KataGo's files with each field wrong in turn, cut at each layer, and mutated for MINUTES.
NETWORKS ?= $(wildcard ../shared/data/katago/*b7c96*.bin.gz ../shared/data/katago/*b6c96*.bin.gz)
MINUTES ?= 10
malformed: .venv/developing
	$(BIN)/python -m tests.support.networks.malformed $(NETWORKS) --minutes $(MINUTES)

# Measures an NVIDIA GPU in under ten minutes, then runs the suite on it. See docs/gpu.md.
GPU_DATA ?= ../shared/data/katago
gpu: .venv/developing
	$(BIN)/python -m tests.support.gpu --data $(GPU_DATA) --output build/gpu
	$(BIN)/python -m pytest -v -n auto --maxprocesses 8 --backend cuda

# Sabaki's own client, for the test that plays through it; the test is skipped without npm.
sabaki:
	@if [ -f tests/protocols/sabaki/package.json ] && command -v npm >/dev/null; then \
	  npm --prefix tests/protocols/sabaki ci --no-audit --no-fund --loglevel=error || \
	  echo "npm: could not install @sabaki/gtp, its tests will be skipped"; fi

# Builds the page to play on from its sources into protocols/page/files. Takes npm.
web:
	npm --prefix web ci --no-audit --no-fund --loglevel=error
	npm --prefix web run check
	npm --prefix web run build

# The page's tools, for the test that compares a build; the test is skipped without them.
web-tools:
	@if command -v npm >/dev/null; then npm --prefix web ci --no-audit --no-fund --loglevel=error || \
	  echo "npm: could not install the page's tools, its build will not be tested"; fi

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "There is no Python here: install python3, python3-venv," \
	  "python3-dev and g++, Python 3.11 or newer." >&2; exit 1; }
	@$(PYTHON) prerequisites.py
	@echo "Setting up .venv with $(PYTHON) ..."
	$(PYTHON) -m venv .venv

# Editable, so that a change of a Python file needs no installing; a change of the core does.
$(INSTALLED): .venv/bin/python pyproject.toml constraints.txt $(CORE)
	@echo "Installing into .venv, which takes some minutes the first time ..."
	$(PIP) install -c constraints.txt -e '.$(if $(EXTRAS),[$(EXTRAS)])'
	@touch $@

# Holds what the CPU and a GPU need.
.venv/developing: .venv/bin/python pyproject.toml constraints.txt $(CORE)
	@echo "Installing into .venv, which takes some minutes the first time ..."
	$(PIP) install -c constraints.txt -e '.[dev]'
	@cp .venv/lib/python3*/site-packages/engine/_core.pyi engine/ # where mypy looks
	@touch .venv/installed .venv/installed-torch $@

clean:
	rm -rf .venv build engine/_core*.so engine/_core.pyi
