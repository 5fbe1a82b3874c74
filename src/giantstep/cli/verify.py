"""`giantstep verify`: run the default studies of claims and say which hold."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from giantstep.claims import Claim, claim_class, claim_names, matching_claims
from giantstep.cli.exits import BAD_INPUT, DONE, FAILED, INTERRUPTED
from giantstep.cli.flags import executor_named
from giantstep.cli.options import AsPrinted, Cluster, DryRun, JobOption, Jobs, Json, Quiet, Seed, Seeds, Slurm, Workers
from giantstep.cli.outcomes import STATUS_STYLE, print_as_printed, print_sharpness
from giantstep.cli.output import console, print_json, styled, table
from giantstep.cli.performing import check_report, tell_cost, tell_damage
from giantstep.cli.progress import patience, progress
from giantstep.errors import InputError
from giantstep.report import write_report
from giantstep.studies import Results, Study, run_all
from giantstep.verdicts import tally


def verify(
    *claims: Annotated[str, Parameter(help="names or patterns such as 'bes22/*'")],
    all: Annotated[bool, Parameter(help="verify every claim")] = False,
    flagship: Annotated[bool, Parameter(help="verify the few claims that show most, in about a minute")] = False,
    seeds: Seeds = None,
    seed: Seed = 0,
    store: Annotated[Path | None, Parameter(help="keep the records in this file, and use those that are there")] = None,
    workers: Workers = None,
    cluster: Cluster = "",
    slurm: Slurm = False,
    jobs: Jobs = None,
    job_option: JobOption = (),
    sharpness: Annotated[bool, Parameter(help="also tell how wrong theory would have to be to be noticed")] = False,
    as_printed: AsPrinted = False,
    report: Annotated[Path | None, Parameter(help="write pages of verdicts and pictures into this folder")] = None,
    pictures: Annotated[
        str, Parameter(help="write the report's pictures to files too: svg, pdf, png, or several with commas")
    ] = "",
    quiet: Quiet = False,
    json: Json = False,
    dry_run: DryRun = False,
) -> int:
    """Verify claims over their default studies; status 0 only if all hold.

    A default study is the claim's own point and all its views, which are grids of parameters; see 'giantstep show'.
    Each verdict comes with its sharpness, the smallest error of theory that it would notice; --sharpness makes a table.
    A verdict that is undecided for want of seeds gets twice as many, or four times, unless --seeds says how many.

      giantstep verify bes22/weight-spike
      giantstep verify bes22 --report report --pictures pdf
      giantstep verify --flagship --sharpness
      giantstep verify --all --store verified.sqlite
    """
    chosen = _chosen(claims, all, flagship)
    made = (Study.of_views(cls(), seeds=seeds, seed=seed, name=_kept(cls, store), store=store) for cls in chosen)
    if dry_run:
        return tell_cost(made, workers=workers, json=json, quiet=quiet, listed=True, number=len(chosen))
    check_report(report, pictures)
    verified = _Verified(json, len(chosen))
    interrupted = False
    words = chosen[0].info.name if len(chosen) == 1 else "verify"
    with executor_named(workers, cluster, slurm, jobs, job_option) as executor, progress(words, not quiet) as bar:
        try:
            for number, told in run_all(list(made), workers, bar, executor):
                with bar.aside():
                    verified.hear(number, told)
        except KeyboardInterrupt:  # what was found before is told all the same
            interrupted = True
    found = verified.results()
    if verified.refused and not found:
        return BAD_INPUT
    if json:
        print_json({"claims": [r.to_dict() for r in found], "holds": _all_hold(found, len(chosen))})
    elif len(found) > 1:
        left = len(chosen) - len(found)
        print(tally([r.verdict.status for r in found]) + (f", {left} not verified" if left else ""))
    if sharpness and found and not json:
        print_sharpness(found)
    if as_printed and not json:
        _print_printed(found)
    if report is not None and found:
        with patience("the report", not quiet):
            page = write_report(found, report, pictures)
        if not json:
            print(f"report: {page}")
    if interrupted:
        done = sum(not results.interrupted for results in found)
        next_time = "goes on where it was" if store else "with --store FILE keeps what is done and goes on there"
        print(
            f"giantstep: interrupted with {done} of {len(chosen)} claims done; the same command {next_time}",
            file=sys.stderr,
        )
        return INTERRUPTED
    if verified.refused:
        return BAD_INPUT
    return DONE if _all_hold(found, len(chosen)) else FAILED


class _Verified:
    """What is known of claims so far, each printed as soon as it is known."""

    def __init__(self, json: bool, claims: int) -> None:
        self._json, self._claims = json, claims
        self._found: dict[int, Results] = {}
        self.refused = 0  # claims that could not be run

    def hear(self, number: int, told: Results | InputError) -> None:
        if isinstance(told, InputError):
            self.refused += 1
            print(f"giantstep: {told}", file=sys.stderr)
            return
        tell_damage(told)
        self._found[number] = told
        if not self._json:
            _print_one(told, f"{len(self._found)} of {self._claims}" if self._claims > 1 else "")
            sys.stdout.flush()  # a file that it goes to shows signs of life

    def results(self) -> list[Results]:
        """In the order in which claims were named, whichever was complete first."""
        return [self._found[number] for number in sorted(self._found)]


def _kept(cls: type[Claim], store: Path | None) -> str:
    """The name under which a store keeps the study; without a store it needs none."""
    return "verify-" + cls.info.name.replace("/", "-") if store else ""


def _all_hold(found: list[Results], wanted: int) -> bool:
    return len(found) == wanted and all(r.verdict.status == "holds" for r in found)


def _chosen(patterns: tuple[str, ...], everything: bool, flagship: bool) -> list[type[Claim]]:
    if everything + flagship + bool(patterns) > 1:
        raise InputError("--all, --flagship and names of claims exclude each other; give one of them")
    if everything:
        return [claim_class(name) for name in claim_names()]
    if flagship:
        return [cls for cls in map(claim_class, claim_names()) if cls.info.flagship]
    if not patterns:
        raise InputError("name claims or patterns to verify ('bes22/*'), or use --flagship or --all")
    return matching_claims(patterns)


def _print_printed(found: list[Results]) -> None:
    """The statements that had to be corrected, claim by claim."""
    corrected = [results for results in found if results.claim.printed]
    for results in corrected:
        print_as_printed(results, named=True)
    refuted = [one for results in corrected for one in results.as_printed() if one.verdict.status == "fails"]
    print(f"{len(refuted)} statements of {len(corrected)} claims fail as printed")


def _print_one(results: Results, number: str) -> None:
    """A verdict; `number` says which of how many it is, in the order in which they are known."""
    status = results.verdict.status
    place = [number] if number else []
    rows = table("", "", "", *place)
    rows.show_header = False
    rows.add_row(styled((f"{status:9}", STATUS_STYLE[status])), *place, results.claim.name, results.verdict.sentence)
    below: list[str] = []
    if (times := results.provenance.get("seeds_times", 1)) > 1:
        below.append(f"with {times} times its usual seeds, which were too few to decide")
    if (sharpness := results.sharpness()).resolutions:
        below.append(f"sharpness: {sharpness}")
    for line in below:
        rows.add_row("", *("" for _ in place), "", line)
    console().print(rows)
