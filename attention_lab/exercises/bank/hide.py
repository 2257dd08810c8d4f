"""Hide: masks built wrongly, and masks used wrongly."""

import numpy as np

from attention_lab.exercises.mistake import Mistake, in_all, row
from attention_lab.exercises.steps import State, shifted, swap

_RULE = "Hide before you weigh: a hidden score becomes -inf, and e to the -inf is 0."
_LINE = "`scores = np.where(mask, scores, -np.inf)`"
_READ = "True means: may look. Row looks at column."
_SCORES_ARE, _WEIGHTS_ARE = ': the scores of "bank" are', ': the weights of "bank" are'
_CAUSAL = "`np.tril(np.ones((n, n), dtype=bool))`"


def _one_row(mask: np.ndarray) -> np.ndarray:
    """Give back a mask that says which words are there; another mask has rows that differ, and is no such thing."""
    if mask.shape[-2] != 1:
        raise ValueError("the mask has several rows")
    return mask


def _numbers(weights: np.ndarray) -> np.ndarray:
    """Give back weights without NaN; a row of NaN looks nowhere."""
    if np.isnan(weights).any():
        raise ValueError("a row holds NaN")
    return weights


def _several_rows(mask: np.ndarray) -> np.ndarray:
    """Give back a mask that differs from row to row."""
    if mask.shape[-2] == 1:
        raise ValueError("the mask has one row")
    return mask


def _hidden(s: State) -> str:
    return 'With "river" missing' if hasattr(s, "mask") and s.mask.shape[-2] == 1 else "With the future hidden"


def _here(s: State, array: str, words: str) -> str:
    return f"{words} {row(getattr(s, array))}" if hasattr(s, array) else ""


def _sees_itself(s: State) -> str:
    mask = getattr(s, "mask", None)
    if mask is None or mask[0].any():
        return "In your mask, no word sees itself."
    return "No word sees itself, so the first one sees nothing at all."


MISTAKES = (
    Mistake(
        "mask-missing",
        "no mask",
        lambda s: f'{_hidden(s)}, "bank" still looks at "river"{_here(s, "weights", ": its weights are")}.',
        "What a word may not see must have no weight at all.",
        ("Where does the mask come into your function?", _RULE, _LINE),
        ({"hide": lambda s: s.scores}, {"hide": lambda s: s.scores, "empty": lambda s: s.weights}),
        ("karpathy/minGPT #75",),
    ),
    Mistake(
        "mask-inverted",
        "the mask read the other way",
        lambda s: "Your words look exactly where they may not, and nowhere else.",
        "True means: may look.",
        ("What does True stand for in this mask?", _READ, "`np.where(mask, ..., -np.inf)`: the kept ones come first"),
        (
            {"hide": lambda s: s.hidden(s.scores, s.mask == 0)},
            {"see all before": lambda s: shifted(s) > 0},
            {"see all near": lambda s: np.abs(shifted(s)) >= s.width},
            {"see what is there": lambda s: (np.arange(s.n_keys) >= s.lengths[:, None])[:, None]},
            {
                "see what is there, from the end": lambda s: (np.arange(s.n_keys) < s.n_keys - s.lengths[:, None])[
                    :, None
                ]
            },
        ),
        ("rasbt/LLMs-from-scratch #1061", "tensorflow/text #938"),
    ),
    Mistake(
        "mask-on-queries",
        "the mask on the rows",
        lambda s: (
            "Your mask takes whole *rows* away: the words that are missing may not look, "
            "and all the others still look at them."
        ),
        "A missing word must not be looked at; keys are columns.",
        (
            "Which axis holds the words that are looked at?",
            "Hide columns: the mask's last axis counts the keys.",
            "shape `(n_sentences, 1, n_keys)`, not `(n_sentences, n_keys, 1)`",
        ),
        (
            {"see what is there": lambda s: (np.arange(s.n_keys) < s.lengths[:, None])[:, :, None]},
            {
                "see what is there, from the end": lambda s: (np.arange(s.n_keys) >= s.n_keys - s.lengths[:, None])[
                    :, :, None
                ]
            },
            {"hide": lambda s: s.hidden(s.scores, swap(_one_row(s.mask)) != 0)},
            # A softmax that gives weights of 0 where everything is hidden, as the package's does.
            {
                "hide": lambda s: s.hidden(s.scores, swap(_one_row(s.mask)) != 0),
                "settle": lambda s: np.nan_to_num(s.weights),
            },
        ),
        ("lsdefine/attention-is-all-you-need-keras #16",),
    ),
    Mistake(
        "query-axis-missing",
        "no axis for the queries",
        lambda s: "Your mask has one row of keys for each sentence, and no axis for the words that look.",
        "Without that axis, NumPy would lay the sentences along the queries.",
        (
            "What would this mask do to scores of the shape (n_sentences, n_queries, n_keys)?",
            "Leave an axis of length 1 for the queries: it fits any number of them.",
            "`mask[:, None, :]`",
        ),
        (
            {"see what is there": lambda s: np.arange(s.n_keys) < s.lengths[:, None]},
            {"see what is there, from the end": lambda s: np.arange(s.n_keys) >= s.n_keys - s.lengths[:, None]},
        ),
    ),
    Mistake(
        "mask-transposed",
        "the mask transposed",
        lambda s: "Where the future should be hidden, your words look at what comes *after* them, and at themselves.",
        "Row looks at column: the word in row i may see the columns up to i.",
        ("The first row belongs to the first word. How many words may it see?", _READ, _CAUSAL),
        (
            {"see all before": lambda s: shifted(s) >= 0},
            {"hide": lambda s: s.hidden(s.scores, swap(_several_rows(s.mask)) != 0)},
        ),
        ("karpathy/nanoGPT #170",),
    ),
    Mistake(
        "mask-excludes-self",
        "the word itself hidden as well",
        lambda s: _sees_itself(s),
        "A word has already been read when it looks: it may see itself.",
        ("Whom may the very first word look at?", "The diagonal stays visible.", _CAUSAL),
        (
            {"see all before": lambda s: shifted(s) < 0},
            {"see all near": lambda s: (np.abs(shifted(s)) < s.width) & (shifted(s) != 0)},
        ),
        ("pbloem/former #10",),
    ),
    Mistake(
        "mask-one-too-far",
        "one word too many",
        lambda s: "Your mask reaches one place too far.",
        "One visible word too many is enough for a leak.",
        (
            "Count the words that the first row shows. Is it as many as were asked for?",
            "Count from 0: `length` keys are those below `length`.",
            "`<`, not `<=`; `np.tril(...)` with k = 0",
        ),
        (
            {"see all before": lambda s: shifted(s) <= 1},
            {"see all near": lambda s: np.abs(shifted(s)) <= s.width},
            {"see what is there": lambda s: (np.arange(s.n_keys) <= s.lengths[:, None])[:, None]},
            {
                "see what is there, from the end": lambda s: (np.arange(s.n_keys) >= s.n_keys - s.lengths[:, None] - 1)[
                    :, None
                ]
            },
        ),
    ),
    Mistake(
        "mask-after-softmax",
        "hidden after the softmax",
        lambda s: (
            f'{_hidden(s)}, the weights of "bank" add up to {in_all(s, "less than 1")}{_here(s, "weights", ":")}.'
        ),
        "The hidden word took its share before it was hidden, and nobody got it back.",
        ("What does a row add up to when you take a weight away?", _RULE, _LINE),
        ({"hide": lambda s: s.scores, "settle": lambda s: np.where(s.mask != 0, s.weights, 0)},),
        ("lucidrains/memory-compressed-attention #2", "timm PR 2236"),
    ),
    Mistake(
        "mask-zeroes-scores",
        "hidden scores set to 0",
        lambda s: (
            f"On the three words, what is hidden gets the score 0{_here(s, 'scores', _SCORES_ARE)}"
            f"{_here(s, 'weights', ', its weights')}."
        ),
        "A score of 0 is not a weight of 0: e to the 0 is 1.",
        ("What is e to the 0?", _RULE, _LINE),
        ({"hide": lambda s: s.scores * (s.mask != 0)},),
        ("hyunwoongko/transformer #10", "RibonanzaNet #5"),
    ),
    Mistake(
        "mask-added-as-numbers",
        "the mask added as zeros and ones",
        lambda s: f"{_hidden(s)}, the visible scores grow by 1, and that is all{_here(s, 'weights', _WEIGHTS_ARE)}.",
        "Adding 1 to what may be seen hides nothing.",
        ("What must a score become so that its weight is exactly 0?", _RULE, _LINE),
        ({"hide": lambda s: s.scores + (s.mask != 0)},),
        ("mmdetection #11803",),
    ),
    Mistake(
        "nan-row",
        "NaN from infinities",
        lambda s: "At least one row comes out as NaN (not a number), with these inputs.",
        "inf - inf, 0 * inf and 0 / 0 are no numbers.",
        (
            "Which row is NaN first, and what stands in its scores?",
            (
                "Hidden scores are -inf, put in by choosing and not by multiplying. "
                "A row of nothing but -inf needs an answer of its own."
            ),
            "`np.where(mask, scores, -np.inf)`; then `np.where(mask.any(axis=-1, keepdims=True), weights, 0)`",
        ),
        (
            {"hide": lambda s: np.where(s.mask != 0, s.scores, np.inf)},
            {"hide": lambda s: s.scores + (s.mask == 0) * -np.inf},
            {"empty": lambda s: np.where((s.mask != 0).any(-1, keepdims=True), s.weights, np.nan)},
        ),
        ("pytorch #41508",),
    ),
    Mistake(
        "empty-row-uniform",
        "an empty row that looks everywhere",
        lambda s: "A word that may look nowhere gets weights all the same, and they sum to 1.",
        "Where everything is equally hidden, a large negative number hides nothing: softmax only sees gaps.",
        (
            "What are the weights of a row in which every score is -1e9?",
            "A row that may look nowhere has the weights 0, and so the output 0.",
            "`weights = np.where(mask.any(axis=-1, keepdims=True), weights, 0)`",
        ),
        ({"empty": lambda s: _numbers(s.weights)},),
    ),
)
