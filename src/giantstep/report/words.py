"""What the report says of itself: how to read it, what its words mean, and in which order its pictures tell a story."""

from __future__ import annotations

HOW_TO_READ = (
    "Each claim is one statement of a paper or talk: a theorem, a conjecture, an example or a figure.",
    "Theory computes what the statement predicts; a simulation, independent of it, measures the same numbers.",
    "In pictures lines are theory, marks simulations with bars of one standard error, pale bands what size may do.",
    "A number is measured with several seeds, each with its own data and weights: m ± e is their mean and its error.",
    "Theorems speak of infinite size: for finite size each claim grants an allowance, and says why and how much.",
    "Chance is granted some three to five standard errors, more where many numbers are judged together.",
    "The verdict compares the gap with allowance and chance: it holds, fails, is undecided, or is outside the theorem.",
    "Where theory knows what was drawn, a measurement is compared with the prediction for these draws, not the limit.",
    "The resolution says how wrong theory must be to be noticed: at 4 %, a formula off by 4 % would fail.",
    "Findings are statements that had to be corrected: what is printed, what holds, and which number decides.",
)

VERDICTS = {
    "holds": "theory and simulation agree within allowance and chance, and the measurement is sharp enough to say so",
    "fails": "they differ by more than allowance and chance together",
    "undecided": "the measurement is too noisy to say; the sentence tells how many seeds would decide",
    "outside": "the point violates a hypothesis of the theorem, which then says nothing there",
}

GLOSSARY = {
    "alignment": "the squared cosine of a vector with a direction, or its share in a space of directions",
    "allowance": "what finite size may do to a number before the claim fails; stated by the claim with its reason",
    "bulk": "the range that most eigenvalues or singular values of a large random matrix fill, with a known density",
    "conjugate kernel": "the kernel of the features that a network has, mostly before training; fitting its last "
    "layer alone is regression with it",
    "draw": "the random data and weights of one seed; some predictions are made for the draw instead of the limit",
    "giant step": "a gradient step so large that it changes the features: its size grows with the number of neurons",
    "head": "the last layer, which is fitted to the features of the layer before it",
    "information exponent": "the degree of the first Hermite polynomial, above 0, of which the target has a part: "
    "the higher, the more samples a first step needs",
    "leap": "the largest number of new directions that must be found at once on the way from known ones to all",
    "limit": "what theory predicts when dimension, samples and neurons grow without bound in given proportions",
    "overlap": "the cosine of a vector with a direction, up to its sign; its square is an alignment",
    "resolution": "the smallest error of theory that a verdict would notice",
    "ridge": "the penalty on the squared size of what is fitted; also regression with it",
    "seed": "the number from which all random draws of one simulation follow; the same seed gives the same numbers",
    "sharpness": "the resolutions of all quantities of a claim, by their median and the bluntest",
    "spike": "one eigenvalue or singular value outside the bulk; or one direction of larger variance in the inputs",
    "staircase": "directions that are learned one after another, each step making the next one visible",
}

STORY = {
    "lazy/neurons": "What learning features means: neurons turn, or do not.",
    "bes22/weight-spike": "One gradient step leaves a spike in the weights: the first trace of the target.",
    "bes22/one-step-risk": "That one step already improves what can be fitted.",
    "bes22/large-step": "A giant step goes where no kernel can follow.",
    "dklps23/transition": "How many samples a step needs to see the target: d to the information exponent.",
    "dklps23/staircase": "Several steps climb a staircase, each stair making the next one visible.",
    "dls22/learning-curve": "Features once learned make the rest a small problem.",
    "structured/phase-diagram": "Structure in the inputs saves samples and time.",
    "sensing/power-method": "From a small start gradient descent is the power method, then a fit.",
}
