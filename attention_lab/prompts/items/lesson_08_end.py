"""The questions that open and close lesson 08."""

from functools import cache
from typing import Any

import numpy as np

from attention_lab.attention import scaled_dot_product_attention
from attention_lab.diagnostics import attention_entropy
from attention_lab.examples import BANK, GERMAN
from attention_lab.exercises.catalogue.heads_read import encoder
from attention_lab.pretrained import shuffled, untrained
from attention_lab.prompts.item import Item, Option, Written
from attention_lab.prompts.items.lesson_08 import BANK as AT_BANK
from attention_lab.prompts.items.lesson_08 import RIVER, STEEP, STORY
from attention_lab.streaming import streaming_attention

FLAT = 0.98  # of the entropy that is possible
STRONGEST = 0.9  # a weight that looks like a finding
ROUNDING = 1e-9
N_SHUFFLES = 5


@cache
def _entropies() -> dict[str, float]:
    """Give the mean entropy, as a share of the most possible, of the encoder, of one untrained, and far too hot."""
    maps = {
        "trained": encoder().read(STEEP),
        "untrained": untrained(encoder(), np.random.default_rng(0)).read(STEEP),
        "too hot": encoder().read(STEEP, scale=0.001),
    }
    return {name: float(attention_entropy(m.weights, normalised=True).mean()) for name, m in maps.items()}


@cache
def _by_chance() -> tuple[float, ...]:
    """Give the largest weight of "bank" on "river" among the heads of several shuffled encoders."""
    others = (shuffled(encoder(), np.random.default_rng(seed)) for seed in range(N_SHUFFLES))
    return tuple(float(other.read(STEEP).weights[:, :, AT_BANK, RIVER].max()) for other in others)


def _there_and_back() -> tuple[float, float]:
    weights = encoder().read(STEEP).weights[STORY]
    return float(weights[AT_BANK, RIVER]), float(weights[RIVER, AT_BANK])


def _bites() -> tuple[bool, bool]:
    """Whether "bites" has the same output in another order, and whether the map has."""
    dog, bites, man = np.random.default_rng(0).normal(size=(3, 4))
    one, other = (scaled_dot_product_attention(x, x, x) for x in (np.array([dog, bites, man]), [man, bites, dog]))
    return bool(np.allclose(one.output[1], other.output[1])), bool(np.allclose(one.weights, other.weights))


def _streamed() -> dict[str, float]:
    """Give how far a streamed result is from the whole one, with the keys in order and in reverse."""
    q, k, v = np.random.default_rng(0).normal(size=(3, 300, 8))
    whole = scaled_dot_product_attention(q, k, v).output
    ways = {"in order": streaming_attention(q, k, v), "in reverse": streaming_attention(q, k[::-1], v[::-1])}
    return {name: float(np.abs(output - whole).max()) for name, output in ways.items()}


def _taken_home() -> dict[str, float]:
    """Give how far the output of "Fluss" is from what may be expected: values, labels, or its own numbers."""
    output = scaled_dot_product_attention(GERMAN.q, BANK.k, BANK.v).output[1]
    expected = {"value": BANK.v[2], "label": BANK.k[2], "own": GERMAN.x[1]}
    return {name: float(np.linalg.norm(output - vector)) for name, vector in expected.items()}


def _mutual(pair: Any) -> bool:
    return bool(abs(pair[0] - pair[1]) < 0.01)


def _rest(pair: Any) -> bool:
    return bool(abs(sum(pair) - 1) < 0.01)


def _nearest(name: str) -> Any:
    return lambda far: min(far, key=far.get) == name


QUESTIONS = (
    Item(
        name="08-end-flat",
        text="Every head of a model has an entropy of 99% of the most possible. What do you suspect?",
        options=(
            Option(
                text="nothing: every word gets a fair say",
                holds=lambda found: found["trained"] > FLAT,
                because="A plain average needs no learned matrices. Whoever learned to ask looks less evenly.",
                code="softer-is-better",
            ),
            Option(
                text="a text without words that belong together",
                holds=lambda found: max(found.values()) <= FLAT,
                because="The same text gives a trained model sharper maps. It is the model that is blind.",
                code="weight-is-meaning",
            ),
            Option(
                text="it is untrained, or its scores are divided by too much",
                holds=lambda found: found["trained"] <= FLAT < min(found["untrained"], found["too hot"]),
                because="Scores near 0 give even weights, whether nobody made them grow or somebody shrank them.",
            ),
        ),
        measure=_entropies,
        says=lambda found: (
            f"Trained it is {found['trained']:.0%}, untrained {found['untrained']:.0%}, "
            f"and too hot {found['too hot']:.0%}."
        ),
    ),
    Item(
        name="08-end-chance",
        text='A shuffled model has a head that gives "bank" -> "river" 99%. What has it found?',
        options=(
            Option(
                text="that banks lie by rivers",
                holds=lambda best: min(best) > STRONGEST,
                because="Its numbers are in the wrong places. Shuffled anew, the story is gone.",
                code="weight-is-meaning",
            ),
            Option(
                text="its job: each head has one",
                holds=lambda best: max(best) <= STRONGEST,
                because="A head looks somewhere in every sentence. That it has a job must be shown on many.",
                code="one-head-one-job",
            ),
            Option(
                text="nothing: of 72 heads, one may fit by chance",
                holds=lambda best: min(best) <= STRONGEST < max(best),
                because="Whoever picks the best of many finds something. So test on sentences not picked by.",
            ),
        ),
        measure=_by_chance,
        says=lambda best: (
            f"The best head of {len(best)} shuffles gives {', '.join(f'{weight:.0%}' for weight in best)}."
        ),
    ),
    Item(
        name="08-end-back",
        text='From lesson 02: in the head of this lesson "bank" gives "river" 72%. What does "river" give "bank"?',
        options=(
            Option(
                text="72%: they belong together",
                holds=_mutual,
                because="Each has a question and a label of its own, so looking need not be mutual.",
                code="looks-mutual",
            ),
            Option(
                text="28%: the rest",
                holds=_rest,
                because='A row sums to 100%. What "river" gives stands in another row.',
                code="direction-reversed",
            ),
            Option(
                text="that follows from neither",
                holds=lambda pair: not _mutual(pair) and not _rest(pair),
                because="It stands in another row, with another question. One has to look.",
            ),
        ),
        measure=_there_and_back,
        says=lambda pair: f'"river" gives "bank" {pair[1]:.0%}.',
    ),
    Written(
        name="08-end-words",
        text='In two sentences: what must be shown before you write "this head finds the subject of a verb"?',
        model=(
            "It gives the subject most of the weight in many sentences that it was not picked by, also those made to "
            "break the rule, with another noun in between, and no head of a shuffled model does. And if exactly that "
            "weight is cut, what the model does with the verb changes."
        ),
    ),
)

WARM_UP = (
    Item(
        name="08-warm-stream",
        text="Streaming reads the keys tile by tile, and never holds a row. Its result is:",
        options=(
            Option(
                text="slightly off",
                holds=lambda off: off["in order"] > ROUNDING,
                because="Nothing is left out. What came before is rescaled when a larger score turns up.",
                code="approximate",
            ),
            Option(
                text="right if the tiles come in order",
                holds=lambda off: off["in order"] <= ROUNDING < off["in reverse"],
                because="The running maximum and sum do not mind in which order the tiles come.",
                code="exact-needs-all",
            ),
            Option(
                text="the same, up to rounding",
                holds=lambda off: max(off.values()) <= ROUNDING,
                because="A maximum, a sum and a blend are enough to correct what was added up before.",
            ),
        ),
        measure=_streamed,
        says=lambda off: f"All differences are below 1e-12: {max(off.values()) < 1e-12}.",
    ),
    Item(
        name="08-warm-bites",
        text='"dog bites man", then "man bites dog", without positions. What does "bites" take home the second time?',
        options=(
            Option(
                text="another blend, since another word comes first",
                holds=lambda same: not same[0] and not same[1],
                because="Nobody told it which comes first. It is compared with the same two words.",
                code="order-known",
            ),
            Option(
                text="another blend, since the map stays and the words do not",
                holds=lambda same: not same[0] and same[1],
                because="Weights go with the words: they swap columns as the words swap places.",
                code="all-changes",
            ),
            Option(
                text="the same blend",
                holds=lambda same: same[0],
                because="Same scores, same weights, same values, in another order. A sum has none.",
            ),
        ),
        measure=_bites,
        says=lambda same: f"Its output is {'the same' if same[0] else 'another one'}.",
    ),
    Item(
        name="08-warm-home",
        text='"Fluss" asks an English sentence, and looks most at "river". What does it take home?',
        options=(
            Option(
                text='mostly the label of "river"',
                holds=_nearest("label"),
                because="Labels are for comparing. What is handed over are values.",
                code="key-is-payload",
            ),
            Option(
                text="mostly its own numbers",
                holds=_nearest("own"),
                because="Who asks brings a question. The values are those of the side that is asked.",
                code="asker-supplies",
            ),
            Option(
                text='mostly the value of "river"',
                holds=_nearest("value"),
                because="The weights share out over the values of the sentence that is asked.",
            ),
        ),
        measure=_taken_home,
        says=lambda far: f"The nearest to its output is the {min(far, key=far.__getitem__)}.",
    ),
)
