"""The explorer's script computes and says what the package does."""

import json
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from py_mini_racer import MiniRacer

from attention_lab.examples import Example
from attention_lab.explorers import BankMatrices, bank_matrices
from attention_lab.plotting import style
from attention_lab.plotting.words import looks, number, share
from tests.explorer_page import computed, matrices_of

WORDS = ["The", "bank", "by", "the", "river", "was", "steep", "today"]
KINDS = ("integers", "small integers with ties", "floats", "large floats", "zeros")


@pytest.fixture(scope="module")
def page() -> MiniRacer:
    """The explorer's script, without a page: its computing functions."""
    engine = MiniRacer()
    engine.eval(BankMatrices._script)
    return engine


def call(page: MiniRacer, function: str, *arguments: Any) -> Any:
    """Call a function of the script; NaN and infinities travel as text."""
    texts = ", ".join(json.dumps(argument) for argument in arguments)
    keep = "(_, value) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value)"
    return json.loads(page.eval(f"JSON.stringify({function}({texts}), {keep})"))


def random_example(rng: np.random.Generator, kind: str) -> Example:
    n, d_model, d_k, d_v = rng.integers(1, 9), *rng.integers(1, 5, size=3)

    def numbers(*shape: int) -> np.ndarray:
        if kind == "integers":
            return rng.integers(-9, 10, shape)
        if kind == "small integers with ties":
            return rng.integers(-1, 2, shape)
        if kind == "zeros":
            return np.zeros(shape)
        return rng.standard_normal(shape) * (30 if kind == "large floats" else 1)

    matrices = (numbers(*shape) for shape in ((n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v)))
    return Example(tuple(WORDS[:n]), *matrices)


# ---- by hand --------------------------------------------------------------------------------------------------------


def test_a_negative_number_stands_in_brackets_in_a_sum(page):
    matrices = {"x": [[-1, 2]], "W_Q": [[3], [-1]], "W_K": [[1], [1]], "W_V": [[1], [0]]}
    numbers = {**matrices, **call(page, "attention", matrices)}
    assert call(page, "writeOut", "q", 0, 0, numbers, ["its"]) == "q of its, number 1: (-1)×3 + 2×(-1) = -5"
    assert call(page, "writeOut", "weights", 0, 0, numbers, ["its"]).endswith("e^(-5) / e^(-5) = 100.0%")


# ---- law ------------------------------------------------------------------------------------------------------------


def test_the_ingredients_of_a_number_are_all_that_moves_it(page):
    """Nudge one ingredient or one other number upstream: the next stage moves exactly where the script says."""
    rng = np.random.default_rng(5)
    example = random_example(rng, "floats")
    now = {**matrices_of(example), **call(page, "attention", matrices_of(example))}
    step = {
        "q": (("x", "W_Q"), lambda a: a["x"] @ a["W_Q"]),
        "k": (("x", "W_K"), lambda a: a["x"] @ a["W_K"]),
        "v": (("x", "W_V"), lambda a: a["x"] @ a["W_V"]),
        "scores": (("q", "k"), lambda a: a["q"] @ a["k"].T),
        "scaled": (("scores",), lambda a: a["scores"] / np.sqrt(a["k"].shape[1])),
        "weights": (("scaled",), lambda a: np.exp(a["scaled"]) / np.exp(a["scaled"]).sum(-1, keepdims=True)),
        "output": (("weights", "v"), lambda a: a["weights"] @ a["v"]),
    }
    arrays = {name: np.array(value, float) for name, value in now.items()}
    for name, (sources, compute) in step.items():
        before = compute(arrays)
        np.testing.assert_allclose(before, arrays[name], rtol=1e-9)
        said = {
            (i, j): {tuple(place) for place in call(page, "ingredientsOf", name, i, j, now)}
            for i, j in np.ndindex(before.shape)
        }
        for source in sources:
            for place in np.ndindex(arrays[source].shape):
                nudged = {**arrays, source: arrays[source].copy()}
                nudged[source][place] += 0.5
                moved = compute(nudged) != before
                for i, j in np.ndindex(before.shape):
                    assert moved[i, j] == ((source, *place) in said[i, j]), (name, i, j, source, place)


def test_weights_are_legible_on_every_colour(page):
    for weight in np.linspace(0, 1, 101):
        red, green, blue = (
            c / 3294.6 if c <= 10.31475 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in call(page, "viridis", weight)
        )
        light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        contrast = (light + 0.05) / 0.05 if call(page, "inkOn", call(page, "viridis", weight)) == "black" else None
        assert (contrast or 1.05 / (light + 0.05)) >= 4.5


# ---- agreement ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_computes_what_the_package_computes(page, kind):
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(60):
        example = random_example(rng, kind)
        got = call(page, "attention", matrices_of(example))
        stages = computed(example)
        for name, stage in stages.items():
            # A sum of large numbers may cancel: relative to the largest number of the stage. A score of 10,000 that is
            # off by its last digit moves a weight by as much again.
            largest = max(float(abs(np.asarray(stage)).max()), 1e-300)
            slack = 1e-12 * (max(1.0, float(abs(stages["scaled"]).max())) if name in ("weights", "output") else 1)
            np.testing.assert_allclose(got[name], stage, rtol=0, atol=slack * largest, err_msg=name)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_says_what_the_package_says(page, kind):
    rng = np.random.default_rng(10 + KINDS.index(kind))
    for _ in range(60):
        example = random_example(rng, kind)
        weights, words = call(page, "attention", matrices_of(example))["weights"], list(example.words)
        assert call(page, "looks", weights, words, words) + "." == bank_matrices(example).sentence


def test_numbers_too_large_to_compute_with_are_shown_as_such_in_both(page):
    explorer = bank_matrices()
    explorer.x = [[1e300, 0], [0, 1], [2, 1]]
    explorer.W_Q, explorer.W_K = [[1e300, 0], [0, 1e300]], [[1e300, 0], [0, 1e300]]
    got = call(page, "attention", matrices_of(explorer.example))
    assert got["scores"][0][0] == "Infinity"
    assert got["weights"][0] == ["NaN", "NaN", "NaN"]
    assert np.isnan(explorer.attention.weights[0]).all()
    assert "<td>NaN</td>" in explorer.html()
    assert page.eval("softmax([-Infinity, -Infinity]).join()") == "0,0"
    huge = "attention({x: [[1e300], [0]], W_Q: [[1e300]], W_K: [[1e300]], W_V: [[1]]})"
    assert page.eval(f"looks({huge}.weights, ['The', 'bank'], ['The', 'bank'])").startswith(
        "The looks at nothing, bank"
    )
    assert explorer.sentence.startswith("The looks at nothing, bank")


@pytest.mark.parametrize(
    ("weights", "line"),
    [
        ([[0.5, 0.5 - 1e-12], [1, 0]], "its looks at all 2 evenly (50.0% each), rate at its (100.0%)"),
        ([[0.4, 0.4 - 1e-12, 0.2]], "its looks most at its and rate (40.0% each)"),
        ([[0.3, 0.3, 0.3, 0.1]], "its looks most at its, rate and bank (30.0% each)"),
        ([[0.2, 0.2, 0.2, 0.2, 0.2, 0]], "its looks most at 5 words (20.0% each)"),
        ([[0, 0], [0, 1]], "its looks at nothing, rate at rate (100.0%)"),
        ([[1]], "its looks most at its (100.0%)"),
    ],
)
def test_ties_and_nothing_are_said_alike_and_rounding_decides_none(page, weights, line):
    words = ["its", "rate", "bank", "river", "fee", "loan"]
    rows, columns = words[: len(weights)], words[: len(weights[0])]
    assert call(page, "looks", weights, rows, columns) == line
    assert looks(np.array(weights, float), rows, columns, np.ones(np.shape(weights), bool)) == line


def test_large_integers_are_computed_with_as_in_the_page(page):
    explorer = bank_matrices()
    explorer.x, explorer.W_Q = [[10**10, 0], [0, 1], [1, 0]], [[10**10, 0], [0, 1]]
    got = call(page, "attention", matrices_of(explorer.example))
    np.testing.assert_allclose(np.array(got["scaled"], float), explorer.attention.scores, rtol=1e-12)


def both_signs(values: Any) -> list[float]:
    return [sign * float(value) for value in values for sign in (1, -1)]


def with_neighbours(values: Any) -> list[float]:
    return [float(near) for value in values for near in (np.nextafter(value, 0), value, np.nextafter(value, np.inf))]


RNG = np.random.default_rng(7)
NUMBERS = {
    "by hand": both_signs([0, 0.001, 0.125, 0.375, 2.675, 10, 3, 999_999, 12345.6, 1e7, 1e-9, 1.005, 0.995, 1_250_000]),
    "exact halves of a hundredth": both_signs(with_neighbours(np.arange(1, 400) / 8)),
    "exact halves of the second digit": both_signs(
        with_neighbours([half * 10.0**power for half in range(105, 1000, 10) for power in (2, 3, 4, 7, 12, 19, 20, 21)])
    ),
    "where the writing changes": both_signs(with_neighbours([9999.5, 9999.995, 1e4, 99_500.5, 999_950, 1e6, 9.95e6])),
    "random": [*RNG.normal(size=500), *RNG.normal(size=500) * 10 ** RNG.uniform(-12, 300, 500)],
    "random integers": [float(value) for value in RNG.integers(-(10**8), 10**8, 500)],
}
SHARES = {
    "by hand": [0, 1, 0.0625, 0.1875, 0.125, 0.9995, 1 / 3, -0.0, -1e-7, -1e-12, float("nan")],
    "exact halves of a tenth of a percent": with_neighbours(np.arange(1, 32) / 32),
    "halves in decimals": with_neighbours(np.arange(1, 2000) / 2000),
    "random": RNG.random(1000),
}


@pytest.mark.parametrize("values", NUMBERS.values(), ids=NUMBERS)
def test_numbers_look_as_in_the_packages_pictures(page, values):
    written = call(page, "((values) => values.map(showNumber))", [float(value) for value in values])
    assert written == [number(value) for value in values]


@pytest.mark.parametrize("values", SHARES.values(), ids=SHARES)
def test_shares_look_as_in_the_packages_pictures(page, values):
    written = call(page, "((values) => values.map(showShare))", [float(value) for value in values])
    assert written == [share(value) for value in values]


def test_an_exact_half_goes_to_the_even_digit(page):
    written = call(page, "((values) => values.map(showNumber))", [1_250_000, 1_350_000, -1_250_000, 0.125, 0.375])
    assert written == ["1.2e+06", "1.4e+06", "-1.2e+06", "0.12", "0.38"]
    assert call(page, "showShare", -1e-7) == "0.0%"


def test_colours_are_those_of_the_packages_pictures(page):
    for weight in np.linspace(0, 1, 101):
        expected = np.array(mpl.colormaps["viridis"](weight)[:3]) * 255
        got = call(page, "viridis", weight)
        assert abs(got - expected).max() <= 2
        assert call(page, "inkOn", got) == style.ink_on(np.array(got) / 255)
