"""Draw the pictures of the front page, one for each question, most of them from small studies.

    python docs/question_pictures.py [samples step ...]

They are kept in docs/pictures/questions. Each shows the first panel of a claim; `make gallery` has all of them in full.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from making.front import picture_of
from making.staging import DOCS

from giantstep.lab.questions import QUESTIONS
from giantstep.studies import Study

STUDIES: dict[str, Callable[[str], Study]] = {
    "samples": lambda name: Study(name, d=1000, sample_exponent="0.25:1.75:9", seeds=8),
    "step": lambda name: Study(name, d=256, step="0:8:9", seeds=8),
    "directions": lambda name: Study(name, seeds=4),
    "lazy": lambda name: Study.of_views(name),
    "kernels": lambda name: Study(name, d=100, step_exponent="0:0.5:6", seeds=4),
    "structure": lambda name: Study.of_views(name),  # twenty minutes on two cores; the others take seconds
    "width": lambda name: Study.of_views(name, seeds=8),
}


def main() -> None:
    for question in QUESTIONS:
        if sys.argv[1:] and question.key not in sys.argv[1:]:
            continue
        place = DOCS / picture_of(question)
        place.parent.mkdir(parents=True, exist_ok=True)
        STUDIES[question.key](question.picture).run(workers=1).thumbnail().save(place)
        print(f"{question.words} {question.picture}: {place}", flush=True)


if __name__ == "__main__":
    main()
