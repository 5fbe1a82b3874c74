"""The report: a folder of pages that opens from a file, without a network, on a phone or a large screen."""

from giantstep.studies.report.write import write_report

__all__ = ["write_report"]
