"""`giantstep verify`: run the default studies of claims and say which hold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from giantstep.claims import Claim, claim_class, claim_names, matching_claims
from giantstep.cli.flags import (
    Cluster,
    DryRun,
    JobOption,
    Jobs,
    Json,
    Quiet,
    Seed,
    Seeds,
    Slurm,
    Workers,
    executor_named,
)
from giantstep.cli.output import STATUS_STYLE, console, print_json, progress, table
from giantstep.errors import InputError
from giantstep.studies import Results, Study
from giantstep.studies.report import write_report


def verify(
    *claims: Annotated[str, Parameter(help="names or patterns such as 'bes22/*'")],
    all: Annotated[bool, Parameter(help="verify every claim", negative="")] = False,
    flagship: Annotated[
        bool, Parameter(help="verify the few claims that show most, in about a minute", negative="")
    ] = False,
    seeds: Seeds = None,
    seed: Seed = 0,
    store: Annotated[Path | None, Parameter(help="keep the records in this file, and use those that are there")] = None,
    workers: Workers = None,
    cluster: Cluster = "",
    slurm: Slurm = False,
    jobs: Jobs = None,
    job_option: JobOption = (),
    report: Annotated[Path | None, Parameter(help="write pages of verdicts and pictures into this folder")] = None,
    quiet: Quiet = False,
    json: Json = False,
    dry_run: DryRun = False,
) -> int:
    """Verify claims over their default studies; status 0 only if all hold.

    Examples: giantstep verify bes22/weight-spike; giantstep verify 'bes22/*' --report report; giantstep verify --all
    """
    from giantstep.cli.main import INTERRUPTED

    chosen = _chosen(claims, all, flagship)
    studies = [Study.of_views(cls(), seeds=seeds, seed=seed, name=_kept(cls, store), store=store) for cls in chosen]
    if dry_run:
        for study in studies:
            print(f"{study.base.name}: {study.estimate(workers)}")
        return 0
    found: list[Results] = []
    with executor_named(workers, cluster, slurm, jobs, job_option) as executor:
        for study in studies:
            with progress(study.base.name, not quiet) as bar:
                results = study.run(workers=workers, watcher=bar, executor=executor)
            found.append(results)
            if not json:
                _print_one(results)
            if results.interrupted:
                break
    if json:
        print_json({"claims": [r.to_dict() for r in found], "holds": _all_hold(found, len(studies))})
    elif len(found) > 1:
        held = sum(r.verdict.status == "holds" for r in found)
        print(f"{held} of {len(studies)} claims hold")
    if report is not None and found:
        page = write_report(found, report)
        if not json:
            print(f"report: {page}")
    if found[-1].interrupted:
        return INTERRUPTED
    return 0 if _all_hold(found, len(studies)) else 1


def _kept(cls: type[Claim], store: Path | None) -> str:
    """The name under which a store keeps the study; without a store it needs none."""
    return "verify-" + cls.info.name.replace("/", "-") if store else ""


def _all_hold(found: list[Results], wanted: int) -> bool:
    return len(found) == wanted and all(r.verdict.status == "holds" for r in found)


def _chosen(patterns: tuple[str, ...], everything: bool, flagship: bool) -> list[type[Claim]]:
    if everything:
        return [claim_class(name) for name in claim_names()]
    if flagship:
        return [cls for cls in map(claim_class, claim_names()) if cls.info.flagship]
    if not patterns:
        raise InputError("name claims or patterns to verify ('bes22/*'), or use --flagship or --all")
    return matching_claims(patterns)


def _print_one(results: Results) -> None:
    status = results.verdict.status
    rows = table("", "", "")
    rows.show_header = False
    rows.add_row(f"[{STATUS_STYLE[status]}]{status:9}[/]", results.claim.name, results.verdict.sentence)
    console().print(rows)
