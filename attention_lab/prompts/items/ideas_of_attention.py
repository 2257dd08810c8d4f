"""The ten ideas of the start and end tests, first half: scores, weights, and what is handed over."""

from typing import Any

import numpy as np

from attention_lab.attention import attention_scores, scaled_dot_product_attention, softmax
from attention_lab.prompts.item import Item, Option, Twice, row
from attention_lab.shapes import FloatArray

Numbers = tuple[float, float]


def _gaps(name: str, a: float, b: float) -> Item:
    doubled, shifted = (2 * a, 2 * b), (a + 10, b + 10)

    def same(weights: FloatArray) -> tuple[bool, bool]:  # after doubling, after adding
        return bool(np.allclose(weights[0], weights[1])), bool(np.allclose(weights[0], weights[2]))

    return Item(
        name=name,
        text=(
            "Scores say how well words match, and become weights: shares of 100%. "
            f"Which scores give the same weights as {a:g} and {b:g}?"
        ),
        options=(
            Option(
                text=f"{doubled[0]:g} and {doubled[1]:g}",
                holds=lambda weights: same(weights)[0],
                because="Many expect a weight to be a score's share of the sum. But softmax, which makes the weights, "
                "sees gaps, and this gap is twice as large.",
                code="share-of-scores",
            ),
            Option(
                text="no others",
                holds=lambda weights: same(weights) == (False, False),
                because="Many expect larger scores to change something. "
                f"But with {shifted[0]:g} and {shifted[1]:g} the gap is the same.",
                code="shift-matters",
            ),
            Option(
                text=f"{shifted[0]:g} and {shifted[1]:g}",
                holds=lambda weights: same(weights)[1],
                because="The gap is the same, and softmax, which makes the weights, sees only gaps.",
            ),
        ),
        measure=lambda: softmax([(a, b), doubled, shifted]),
        says=lambda weights: (
            "The larger score has {:.1%} of the weight; doubled {:.1%}, and with 10 more {:.1%}.".format(*weights[:, 1])
        ),
    )


def _blended(name: str, share: float, first: Numbers, second: Numbers) -> Item:
    shares = [share, 1 - share]
    blend = share * np.array(first) + (1 - share) * np.array(second)

    def is_(row: Any) -> Any:
        return lambda measured: np.shape(measured) == np.shape(row) and np.allclose(measured, row)

    return Item(
        name=name,
        text=(
            f"A word takes {share:.0%} from a word with the numbers {row(first)}, "
            f"and {1 - share:.0%} from one with {row(second)}. What does it get?"
        ),
        options=(
            Option(
                text=row(first),
                holds=is_(first),
                because="Many expect the best match to be copied. But the other word is in it too, by its weight.",
                code="copy-not-blend",
            ),
            Option(
                text=row((*first, *second)),
                holds=is_((*first, *second)),
                because="Nothing is put side by side: each word is taken times its share, and they are added up.",
                code="stacked",
            ),
            Option(
                text=row(blend),
                holds=is_(blend),
                because="Each word is taken times its share, and they are added up: a blend.",
            ),
        ),
        measure=lambda: scaled_dot_product_attention([[1]], np.log([shares]).T, [first, second], scale=1.0).output[0],
        says=lambda measured: (
            f"{share:.0%} of {first[0]:g} and {1 - share:.0%} of {second[0]:g} make {measured[0]:g}, and so on."
        ),
    )


def _back(name: str, one: str, other: str, there: float, back: float) -> Item:
    def both_ways(scores: FloatArray) -> tuple[float, float]:
        return float(scores[0][1]), float(scores[1][0])

    return Item(
        name=name,
        text=(
            "Attention gives each pair of words a score: how well one answers what the other looks for. "
            f'"{one}" gives "{other}" a score of {there:g}. What does "{other}" give "{one}"?'
        ),
        options=(
            Option(
                text=f"{there:g}",
                holds=lambda scores: bool(np.isclose(*both_ways(scores))),
                because="Many expect looking to be mutual. But what a word looks for is one thing, what it is found by "
                "another.",
                code="looks-mutual",
            ),
            Option(
                text=f"{-there:g}",
                holds=lambda scores: bool(np.isclose(both_ways(scores)[0], -both_ways(scores)[1])),
                because="Nothing turns the sign round: the way back has numbers of its own.",
                code="sign-flips",
            ),
            Option(
                text="that does not follow",
                holds=lambda scores: not np.isclose(*np.abs(both_ways(scores))),
                because="A word looks for one thing and is found by another, so two scores need not agree.",
            ),
        ),
        measure=lambda: attention_scores([[0, there], [back, 0]], np.eye(2), scale=1.0),
        says=lambda scores: f"In one example, the way back has a score of {both_ways(scores)[1]:g}.",
    )


def _handed(name: str, label: Numbers, content: Numbers, changed: Numbers) -> Item:
    def moved() -> dict[str, float]:
        labels = [label, (1, 1)]
        before, after = (scaled_dot_product_attention([label], labels, [v, (0, 0)]) for v in (content, changed))
        return {
            what: float(np.abs(getattr(after, what) - getattr(before, what)).max()) for what in ("weights", "output")
        }

    return Item(
        name=name,
        text=(
            f"A word is found by its label, {row(label)}, and hands over its content, {row(content)}. "
            f"The content becomes {row(changed)}. What changes for a word that looks at it?"
        ),
        options=(
            Option(
                text="how much it looks, and what it gets",
                holds=lambda moved: moved["weights"] > 0 and moved["output"] > 0,
                because="Many expect what is handed over to be compared. But the label is compared, and it stays.",
                code="key-is-payload",
            ),
            Option(
                text="only how much it looks",
                holds=lambda moved: moved["weights"] > 0 and moved["output"] == 0,
                because="The content is not compared with anything: it is what the weights are spent on.",
                code="value-is-compared",
            ),
            Option(
                text="only what it gets",
                holds=lambda moved: moved["weights"] == 0 and moved["output"] > 0,
                because="The label decides who is looked at, and the content is what comes of it.",
            ),
        ),
        measure=moved,
        says=lambda moved: f"The weights moved by {moved['weights']:.2f}, the result by {moved['output']:.2f}.",
    )


def _spread(n_products: int) -> float:
    """Measure the typical size of scores, of 500 random queries and as many keys."""
    draw = np.random.default_rng(0).standard_normal
    return float(np.std(attention_scores(draw((500, n_products)), draw((500, n_products)), scale=1.0)))


def _growth(name: str, few: int, many: int) -> Item:
    factor = many / few

    def about(number: float) -> Any:
        return lambda ratio: abs(ratio / number - 1) < 0.1

    return Item(
        name=name,
        text=(
            f"A score adds up {few} products of random numbers, plus and minus equally likely. "
            f"Now it adds up {many}. How large is a typical score?"
        ),
        options=(
            Option(
                text="as large as before",
                holds=about(1),
                because="Many expect pluses and minuses to cancel. They do only in part, and what is left grows.",
                code="averages-out",
            ),
            Option(
                text=f"{factor:g} times as large",
                holds=about(factor),
                because="That would need products that all pull the same way. With both signs, they cancel in part.",
                code="grows-with-d",
            ),
            Option(
                text=f"{np.sqrt(factor):g} times as large",
                holds=about(np.sqrt(factor)),
                because=f"A random sum grows like the root of how much it adds up: the root of {factor:g}.",
            ),
        ),
        measure=lambda: _spread(many) / _spread(few),
        says=lambda ratio: f"Typical scores are {ratio:.1f} times as large.",
    )


IDEAS = (
    Twice(name="gaps", about="from scores to weights", lesson="00", ask=_gaps, start=(1, 3), end=(4, 5)),
    Twice(
        name="blend",
        about="blend or copy",
        lesson="01",
        ask=_blended,
        start=(0.7, (4, 0), (0, 2)),
        end=(0.6, (0, 5), (10, 0)),
    ),
    Twice(
        name="back", about="looking back", lesson="02", ask=_back, start=("she", "Anna", 6, 2), end=("it", "cup", 4, 1)
    ),
    Twice(
        name="handed",
        about="what is handed over",
        lesson="02",
        ask=_handed,
        start=((2, 0), (3, 5), (3, 9)),
        end=((0, 3), (1, 4), (6, 4)),
    ),
    Twice(name="growth", about="how scores grow", lesson="03", ask=_growth, start=(16, 64), end=(8, 72)),
)
