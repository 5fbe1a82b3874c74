"""What was wrong with the parameters of a claim, in sentences a user can act on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from giantstep.claims.fields import bounds_in_words, extra
from giantstep.errors import InputError, quotation

if TYPE_CHECKING:
    from pydantic import ValidationError

    from giantstep.claims.base import Claim

OUT_OF_BOUNDS = ("greater_than_equal", "greater_than", "less_than_equal", "less_than")

SAMPLES = ("samples", "samples_per_dim", "samples_per_square", "sample_exponent", "oversampling")
NEURONS = ("neurons", "neurons_per_dim", "neuron_exponent", "rank")
PENALTIES = ("ridge", "temperature")
# What other books and programs call the parameters, and which of ours it is: the first that a claim has.
OTHER_WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("eta", "lr", "learning_rate", "stepsize", "step_size"), ("step", "step_exponent")),
    **dict.fromkeys(("n", "m", "batch", "batch_size", "num_samples", "n_samples"), SAMPLES),
    **dict.fromkeys(("N", "p", "width", "hidden", "hidden_size", "k", "num_neurons"), NEURONS),
    **dict.fromkeys(("lambda", "lam", "lamda", "penalty", "reg", "weight_decay", "regularization"), PENALTIES),
    **dict.fromkeys(("dim", "dimension", "input_dim", "features"), ("d",)),
    **dict.fromkeys(("teacher", "f", "function", "fstar"), ("target",)),
    **dict.fromkeys(("act", "nonlinearity", "sigma"), ("activation",)),
    **dict.fromkeys(("t", "epochs", "iterations", "num_steps"), ("steps",)),
    **dict.fromkeys(("label_noise", "noise_std", "sigma_noise"), ("noise",)),
}


def sentence(cls: type[Claim], error: ValidationError) -> str:
    """All that was wrong with a set of parameters, as sentences a user can act on.

    A text that cannot be read is quoted beneath the sentence, with a caret: the last one, if there are several.
    """
    told = [_one_sentence(cls, dict(item)) for item in error.errors()]
    quoting = [one for one in told if quotation(one)]
    plain = [one.removesuffix(quotation(one)) for one in told if one not in quoting[-1:]]
    return "; ".join([*plain, *quoting[-1:]])


def _one_sentence(cls: type[Claim], item: dict[str, Any]) -> str:
    name = str(item["loc"][0]) if item["loc"] else ""
    given = item.get("input")
    if item["type"] == "extra_forbidden":
        return unknown_parameter(cls, name)
    context = item.get("ctx", {})
    if isinstance(context.get("error"), InputError):
        return f"{name}: {context['error']}"
    if item["type"] in OUT_OF_BOUNDS:
        return f"{name} = {given} is not allowed; it must be {bounds_in_words(cls.model_fields[name])}"
    wanted = {
        "int": "a whole number",
        "float": "a number",
        "bool": "true or false",
        "finite": "a finite number",
    }
    for key, words in wanted.items():
        if item["type"].startswith(key):
            return f"{name} = {given!r} is not allowed; it must be {words}"
    if item["type"] == "literal_error":
        return f"{name} = {given!r} is not allowed; it must be {context['expected']}"
    return f"{name} = {given!r} is not allowed: {item['msg']}"


def parameter_meant(cls: type[Claim], name: str) -> str:
    """The parameter of `cls` that `name` is another word for: its symbol, a usual name, a misspelling; or nothing."""
    import difflib

    said = name.strip("-").replace("-", "_")
    words = OTHER_WORDS.get(said) or OTHER_WORDS.get(said.lower(), ())
    usual = [meant for meant in words if meant in cls.model_fields]
    symbols = [known for known, field in cls.model_fields.items() if said in _symbols(extra(field)["symbol"])]
    close = difflib.get_close_matches(said, cls.model_fields, n=1)
    return next(iter((*usual, *symbols, *close)), "")


def _symbols(latex: str) -> tuple[str, str]:
    r"""How a symbol is typed: `\psi_1 = n/d` is psi_1 or psi1."""
    first = latex.split("=")[0].split(",")[0]
    typed = "".join(c for c in first if c.isalnum() or c == "_")
    return typed, typed.replace("_", "")


def unknown_parameter(cls: type[Claim], name: str) -> str:
    """The sentence about a parameter `name` that the claim `cls` does not have."""
    meant = parameter_meant(cls, name)
    offer = f"did you mean '{meant}'? It" if meant else "it"
    return f"{cls.info.name} has no parameter '{name}'; {offer} has: {', '.join(cls.model_fields)}"
