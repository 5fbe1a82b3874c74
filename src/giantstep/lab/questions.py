"""The questions under which front pages list claims; a claim belongs to those that its statement answers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from giantstep.claims import ListedClaim, listed_claims


@dataclass(frozen=True)
class Question:
    """A question, and which claims answer it: those whose statement has one of its words, or that are of its folders.

    Args:
        key: its name in addresses.
        words: the question.
        answer: what theory says, in two sentences.
        picture: the claim whose picture shows it.
        pattern: a regular expression that is looked for in statements.
        folders: folders of claims that all belong to it.
    """

    key: str
    words: str
    answer: str
    picture: str
    pattern: str
    folders: frozenset[str] = frozenset()

    def is_answered_by(self, name: str, told: str) -> bool:
        """Whether a claim of this name, which states what is `told`, answers it."""
        return name.split("/")[0] in self.folders or bool(re.search(self.pattern, told, re.IGNORECASE))


QUESTIONS = (
    Question(
        "samples",
        "How many samples?",
        "One gradient step sees a target of information exponent l from n ~ d^l samples on. Labels that are "
        "transformed, samples that are used twice and several neurons together need fewer.",
        "dklps23/transition",
        r"\bsamples\b(?! a step)|\bmeasurements\b(?! are fitted)|n ~ d\^|n >= d|\bof n/d\b|\bn/d\^2\b",
    ),
    Question(
        "step",
        "How large a step?",
        "A step of constant size leaves one spike in the weights and helps like a linear term. Only a giant step, "
        "whose size grows with the width, changes the features, and can beat every kernel.",
        "bes22/weight-spike",
        r"\bsteps? of (constant )?(size|order)|\bgiant step|\bstep size|\b(small|large) steps\b|\blook ahead\b"
        r"|\bfirst gradient\b",
    ),
    Question(
        "directions",
        "Which directions first?",
        "Giant steps climb a staircase: each learns what is linear given what was learned before. What no step makes "
        "visible is never found from order d samples.",
        "deep-linear/sequential",
        r"\bdirections?\b|\bone after another\b|\bneurons? (turn|stay)|\bturns? \w+ neurons?\b|\balign"
        r"|\blearned before\b|\blearns U\b|\bmean gradient\b|\bweights turn\b",
        frozenset({"deep-linear", "spectral"}),
    ),
    Question(
        "lazy",
        "Lazy or rich?",
        "From a large start a network trains its own linearisation, and its neurons stay where they began. From a "
        "small one gradient descent is a power method at first, then finds the truth.",
        "lazy/neurons",
        r"\blinearis|\b(small|large|spectral) (random )?start\b",
        frozenset({"lazy", "sensing"}),
    ),
    Question(
        "kernels",
        "What do kernels miss?",
        "From order d samples a kernel learns the linear part of an isotropic target and nothing else. A spike in the "
        "inputs, or one giant step, takes it further.",
        "bes22/large-step",
        r"\bkernels?\b|\brandom features\b|\bgaussian\b.*\b(ridge|features)\b|\bfeatures\b.*\bgaussian\b",
    ),
    Question(
        "structure",
        "What does structure save?",
        "A direction of larger variance in the inputs, a spike, lowers the power of d in samples and in time. How much "
        "depends on its size and on how well it is aligned with the target.",
        "structured/phase-diagram",
        r"\bspiked?\b.*\b(inputs?|theta|samples|alignment|target)\b|\bstretched\b|\blow-rank\b|\bbiases\b",
        frozenset({"structured"}),
    ),
    Question(
        "width",
        "What happens in width?",
        "Many neurons under noisy gradient descent become one law, whose free energy falls. More neurons see what none "
        "of them sees alone, but the best of N random ones starts only sqrt(2 ln(N)/d) close.",
        "structured/wide-start",
        r"\bN (random )?neurons\b|\bmany neurons\b|\bwide network\b|\bmore columns\b|\bneurons together\b"
        r"|\br\^p neurons\b|\baverage of neurons\b|\bmore weights than\b",
        frozenset({"meanfield", "quadratic", "scaling"}),
    ),
)


def questions_of(claim: ListedClaim) -> list[str]:
    """The keys of the questions that a claim answers."""
    return [q.key for q in QUESTIONS if q.is_answered_by(claim.name, claim.statement)]


def answered() -> dict[str, list[str]]:
    """By the key of each question, the names of the claims that answer it."""
    found = {claim.name: questions_of(claim) for claim in listed_claims()}
    return {q.key: [name for name, keys in found.items() if q.key in keys] for q in QUESTIONS}
