"""Which commands there are, and where each lives."""

from __future__ import annotations

# Where each command lives. It is loaded only when called; what it is for stands in its docstring.
COMMANDS = {
    "claims": "giantstep.cli.catalogue:claims",
    "show": "giantstep.cli.show:show",
    "predict": "giantstep.cli.predict:predict",
    "run": "giantstep.cli.run:run",
    "verify": "giantstep.cli.verify:verify",
    "sweep": "giantstep.cli.sweep:sweep",
    "studies": "giantstep.cli.studies:studies",
    "results": "giantstep.cli.studies:results",
    "figure": "giantstep.cli.studies:figure",
    "forget": "giantstep.cli.studies:forget",
    "converge": "giantstep.cli.converge:converge",
    "analyze": "giantstep.cli.analyze:analyze",
    "lab": "giantstep.cli.lab:lab",
    "diagnose": "giantstep.cli.diagnose:diagnose",
    "notebook": "giantstep.cli.notebook:notebook",
    "new-claim": "giantstep.cli.new_claim:new_claim",
    "--install-completion": "giantstep.cli.completion:install_completion",
}

# Commands whose flags depend on the claim that follows them, and who makes them.
CLAIM_COMMANDS = {
    "predict": "giantstep.cli.predict:predict_command",
    "run": "giantstep.cli.run:run_command",
    "sweep": "giantstep.cli.sweep:sweep_command",
    "converge": "giantstep.cli.converge:converge_command",
}

COMPLETE = "--complete"  # what a shell asks with, at the key Tab
