"""Questions of lesson 08, about what a real encoder does with a sentence."""

from functools import cache
from typing import Any

import numpy as np

from attention_lab.diagnostics import attention_entropy
from attention_lab.exercises.catalogue.heads_read import encoder
from attention_lab.pretrained import UniformHead, ZeroHead, cut_each_head
from attention_lab.prompts.item import Item, Option
from attention_lab.shapes import FloatArray

STEEP = "The bank by the river was steep."
RATE = "The bank by the river raised its interest rate."
START, BANK, RIVER, RATE_AT = 0, 2, 5, 9  # where [CLS], "bank", "river" and "rate" stand
STORY = (0, 4)  # layer 1 head 5, as people count
STRONG = 0.5  # a correlation that would tell


def _mean_row() -> FloatArray:
    return np.asarray(encoder().read(STEEP).weights[:, :, BANK].mean(axis=(0, 1)))


def _row_of_the_bank_with_a_rate() -> FloatArray:
    return np.asarray(encoder().read(RATE).weights[STORY][BANK])


@cache
def _tells() -> tuple[float, float]:
    """Correlate the entropy of each head with how far the sentence turns: without it, and with it made even."""
    entropy = attention_entropy(encoder().read(STEEP).weights, normalised=True).mean(axis=-1)
    turns = (cut_each_head(encoder(), STEEP, kind) for kind in (ZeroHead, UniformHead))
    without, even = (float(np.corrcoef(entropy.ravel(), turn.ravel())[0, 1]) for turn in turns)
    return without, even


def _largest(place: int) -> Any:
    return lambda row: bool(np.argmax(row) == place)


def _moved(row: Any) -> bool:
    return bool(row[RATE_AT] > row[RIVER])


ITEMS = (
    Item(
        name="08-average",
        text='Averaged over all 72 heads: where does "bank" look most?',
        options=(
            Option(
                text="at river",
                holds=_largest(RIVER),
                because="Many expect the average to tell the story. But one head of 72 was picked because it fits.",
                code="weight-is-meaning",
            ),
            Option(
                text="at itself",
                holds=_largest(BANK),
                because="Self-attention means that the words of one sentence ask each other, not each itself.",
                code="self-means-self",
            ),
            Option(
                text="at [CLS], the piece in front",
                holds=_largest(START),
                because="A row must sum to 100%, also where a head finds nothing. What is left over goes there.",
            ),
        ),
        measure=_mean_row,
        says=lambda row: f'{row[START]:.0%} goes to [CLS], {row[RIVER]:.0%} to "river", {row[BANK]:.0%} to "bank".',
    ),
    Item(
        name="08-break",
        text='Now "The bank by the river raised its interest rate." What does the head give "river"?',
        options=(
            Option(
                text="little, since this bank lends money",
                holds=lambda row: row[RIVER] < STRONG and not _moved(row),
                because="Many expect the weight to follow what is meant. The head does not know what is meant.",
                code="weight-is-meaning",
            ),
            Option(
                text='less than "rate", which tells the sense',
                holds=_moved,
                because='In layer 1, "bank" asks the same in every sentence: nothing else has reached it yet.',
                code="head-follows-meaning",
            ),
            Option(
                text="as much as before",
                holds=lambda row: row[RIVER] >= STRONG and not _moved(row),
                because="Two words that often stand together match, whatever the sentence says.",
            ),
        ),
        measure=_row_of_the_bank_with_a_rate,
        says=lambda row: f'"bank" gives "river" {row[RIVER]:.0%}, and "rate" {row[RATE_AT]:.0%}.',
    ),
    Item(
        name="08-sharp",
        text="Each head is taken out once. Does its entropy tell how much the sentence's vector then turns?",
        options=(
            Option(
                text="yes: the sharper, the more",
                holds=lambda r: max(r) < -STRONG,
                because="Many expect a sharp head to matter. But most sharp ones look at [CLS], whatever the text.",
                code="low-entropy-good",
            ),
            Option(
                text="yes: the broader, the more",
                holds=lambda r: min(r) > STRONG,
                because="Cut to nothing, broad heads are missed a little more. Made even, they are missed less.",
                code="softer-is-better",
            ),
            Option(
                text="no: sharp or broad hardly tells",
                holds=lambda r: not max(r) < -STRONG and not min(r) > STRONG,
                because="What a head adds depends on its values and on who uses them, and the map shows neither.",
            ),
        ),
        measure=_tells,
        says=lambda r: (
            f"Entropy and what a cut does correlate with {r[0]:.1f}, or {r[1]:.1f} if the head is made even."
        ),
    ),
)
