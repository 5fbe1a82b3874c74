"""What pip-audit found, told whole: packages with a known weakness, and those that nobody could ask about.

    pip-audit --format json | python tests/audit.py

pip-audit itself says "no known vulnerabilities" too where its index knows none of the packages. The status is 1 if a
weakness is known or if nothing could be asked.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def told(found: dict[str, Any]) -> tuple[int, list[str]]:
    """The status, and the lines that say why."""
    asked = [one for one in found["dependencies"] if "skip_reason" not in one]
    skipped = [one for one in found["dependencies"] if "skip_reason" in one]
    weak = [one for one in asked if one["vulns"]]
    lines = [f"{one['name']} {one['version']}: {', '.join(v['id'] for v in one['vulns'])}" for one in weak]
    lines.append(f"{len(weak)} of {len(asked)} packages have a known weakness")
    if skipped:
        names = ", ".join(one["name"] for one in skipped)
        lines.append(f"{len(skipped)} packages are not known to the index, nothing is said of them: {names}")
    return int(bool(weak) or not asked), lines


def main() -> int:
    try:
        status, lines = told(json.load(sys.stdin))
    except (ValueError, KeyError, TypeError):  # nothing, no JSON, or JSON of another shape
        print("pip-audit gave no answer: is the network there?")
        return 1
    print(*lines, sep="\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
