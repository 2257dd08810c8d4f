"""Reading a real model."""

from functools import cache

import numpy as np

from attention_lab.diagnostics import HeadReport, head_doctor
from attention_lab.pretrained import Encoder, load_encoder, shuffled, untrained
from tests.claims import Claim

BANK, RIVER, START = 2, 5, 0
STEEP = "The bank by the river was steep."
SHUFFLES = range(5)


@cache
def _encoder() -> Encoder:
    return load_encoder()


def _report(encoder: Encoder, scale: float | None = None) -> HeadReport:
    return head_doctor(encoder.read(STEEP, scale=scale).weights)


def _what_the_known_example_shows() -> str:
    """Which head joins bank and river, and whether it does so where another bank is meant."""
    said = []
    for text in (STEEP, "The bank by the river raised its interest rate."):
        weights = _encoder().read(text).weights[:, :, BANK, RIVER]
        layer, head = np.unravel_index(weights.argmax(), weights.shape)
        said.append(f"layer {layer + 1} head {head + 1}, {'most' if weights.max() > 0.7 else 'some'} of the weight")
    return "; ".join(said)


def _the_average_and_chance() -> str:
    """Where bank looks by the average of all heads, and what the best head of models that know nothing gives."""
    mean = _encoder().read(STEEP).weights[:, :, BANK].mean(axis=(0, 1))
    others = (shuffled(_encoder(), np.random.default_rng(seed)).read(STEEP).weights for seed in SHUFFLES)
    best = [float(weights[:, :, BANK, RIVER].max()) for weights in others]
    told = "it comes and goes" if min(best) < 0.5 < 0.9 < max(best) else "always or never"
    return f"average: {'the sink' if mean.argmax() == START else 'elsewhere'}; picked from shuffled models: {told}"


def _who_is_uniform() -> str:
    reports = {"trained": _report(_encoder()), "too hot": _report(_encoder(), scale=0.001)}
    for seed in range(3):
        reports[f"untrained {seed}"] = _report(untrained(_encoder(), np.random.default_rng(seed)))
    uniform = {name: float((report.verdict == "uniform").mean()) for name, report in reports.items()}
    return ", ".join(
        f"{name}: {'all' if share == 1 else 'none' if share == 0 else 'some'}" for name, share in uniform.items()
    )


def _what_low_entropy_is() -> str:
    """Whether most sharp heads are sinks, and whether the entropy rises in every layer without the sink's column."""
    report = _report(_encoder())
    sharp = report.entropy < 0.5
    sinks = (report.verdict[sharp] == "sink").mean()
    rises = (report.entropy_without_sink.mean(axis=1) > report.entropy.mean(axis=1)).all()
    return (
        f"sharp heads: {'mostly' if sinks > 0.8 else 'rarely'} sinks; without its column every layer broader: {rises}"
    )


CLAIMS = {
    "read-known-example": Claim(
        "Look at a known example before trusting a model.",
        ("08",),
        _what_the_known_example_shows,
        "layer 1 head 5, most of the weight; layer 1 head 5, most of the weight",
    ),
    "read-diffuse": Claim(
        "Related words or diffuse noise: how to tell.",
        ("08",),
        _the_average_and_chance,
        "average: the sink; picked from shuffled models: it comes and goes",
    ),
    "read-uniform": Claim(
        "Uniform weights mean an untrained head or a temperature too high.",
        ("08",),
        _who_is_uniform,
        "trained: none, too hot: all, untrained 0: all, untrained 1: all, untrained 2: all",
    ),
    "read-entropy": Claim(
        "Log the entropy of each head and layer: low is specific, high is broad.",
        ("08",),
        _what_low_entropy_is,
        "sharp heads: mostly sinks; without its column every layer broader: True",
    ),
}
