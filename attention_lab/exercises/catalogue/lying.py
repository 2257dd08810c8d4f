"""Programs of five lines, one of which lies, for lessons 03 to 06."""

from attention_lab.exercises.accusing import judged
from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.catalogue import cross, heads, hide, scale
from attention_lab.exercises.exercise import Exercise, FunctionExercise, Line, Reason, WrongLineExercise

_FUNCTIONS = {
    one.name: one
    for one in (*scale.EXERCISES, *hide.EXERCISES, *heads.EXERCISES, *cross.EXERCISES)
    if isinstance(one, FunctionExercise)
}
_WEIGH = Line("weights = softmax(scores)", "turns each row of scores into shares that sum to 1")
_BLEND = Line("output = weights @ v", "blends the values by the weights")

EXERCISES: tuple[Exercise, ...] = (
    judged(
        _FUNCTIONS["self-attention"],
        WrongLineExercise(
            name="wrong-line-03-root",
            lesson="03",
            task="Find the line that lies, and why: one of several heads looks at the words of x (n_tokens, d_model).",
            trains="which width the scores are divided by",
            minutes=3,
            difficulty=2,
            stub='wrong_line("03-root", ..., because=...)',
            hints=BY_CODE["scale-by-d_model"].hints,
            sibling="self-attention",
            lines=(
                Line("q, k, v = x @ W_Q, x @ W_K, x @ W_V", "makes a query, a key and a value of every word"),
                Line("scores = q @ k.T", "compares every query with every key"),
                Line("scores = scores / np.sqrt(k.shape[-1])", "scales the scores"),
                _WEIGH,
                _BLEND,
            ),
            lie=(3, "scores = scores / np.sqrt(x.shape[-1])"),
            reasons=(
                Reason(
                    "scale-by-d_model",
                    "It takes the root of the model's width.",
                    "A score adds up d_k products, so it spreads like the root of d_k, the width of one key. "
                    "`x.shape[-1]` is d_model.",
                ),
                Reason(
                    "scale-by-n_keys",
                    "It takes the root of how many words there are.",
                    "How many words there are is `len(x)`; `x.shape[-1]` is how many numbers each of them has.",
                ),
                Reason(
                    "queries-keys-swapped",
                    "Its rows belong to the keys, not to the queries.",
                    "In `q @ k.T`, row i holds query i with every key.",
                ),
                Reason(
                    "softmax-over-queries",
                    "It shares out down the columns.",
                    "`softmax` goes along the last axis, so each *row* sums to 1: that of the word that looks.",
                ),
            ),
        ),
    ),
    judged(
        _FUNCTIONS["causal-attention"],
        WrongLineExercise(
            name="wrong-line-04-mask",
            lesson="04",
            optional=True,
            task="Find the line that lies, and why: a word may look at itself and at all before it, at nothing else.",
            trains="one diagonal more is a leak",
            minutes=3,
            difficulty=2,
            stub='wrong_line("04-mask", ..., because=...)',
            hints=(
                "At how many words may the very first word look, and how many does each line show it?",
                "Write the mask down for three words: row looks at column, True = may look.",
                "`np.tril(mask, k=1)` keeps the diagonal above the main one as well.",
            ),
            sibling="causal-mask",
            lines=(
                Line("mask = np.tril(np.ones((len(q), len(k)), dtype=bool))", "says who may look at whom"),
                Line("scores = q @ k.T / np.sqrt(k.shape[-1])", "compares and scales"),
                Line("scores = np.where(mask, scores, -np.inf)", "hides scores"),
                _WEIGH,
                _BLEND,
            ),
            lie=(1, "mask = np.tril(np.ones((len(q), len(k)), dtype=bool), k=1)"),
            reasons=(
                Reason(
                    "mask-one-too-far",
                    "It shows each word the one that comes next.",
                    "With `k=1`, `np.tril` keeps one diagonal above the main one. The next word is what a model that "
                    "writes should guess: its answer is in sight.",
                ),
                Reason(
                    "mask-transposed",
                    "It shows what comes after a word, and hides what came before.",
                    "`np.tril` keeps the lower left, where row i has the columns before i. `np.triu` keeps the other "
                    "half.",
                ),
                Reason(
                    "mask-excludes-self",
                    "It hides each word from itself.",
                    "On the main diagonal a word looks at itself, and `k=-1` would leave that out.",
                ),
                Reason(
                    "mask-inverted",
                    "It hides what may be seen, and keeps what may not.",
                    "`np.where` keeps a score where it finds True, and True means: may look.",
                ),
            ),
        ),
    ),
    judged(
        _FUNCTIONS["multi-head-attention"],
        WrongLineExercise(
            name="wrong-line-05-merge",
            lesson="05",
            task=(
                "Find the line that lies, and why: several heads look at the words of x (n_tokens, d_model). "
                "W_Q, W_K, W_V and W_O hold a matrix for each head, in front."
            ),
            trains="a shape that is right over numbers that are scrambled",
            minutes=3,
            difficulty=2,
            stub='wrong_line("05-merge", ..., because=...)',
            hints=(
                "Whose numbers should stand in the first row of the joined heads, and whose do?",
                *BY_CODE["merge-reshaped"].hints[1:],
            ),
            sibling="merge-heads",
            lines=(
                Line("q, k, v = x @ W_Q, x @ W_K, x @ W_V", "makes queries, keys and values, in each head its own"),
                Line("scores = q @ k.swapaxes(-1, -2) / np.sqrt(k.shape[-1])", "compares and scales, in each head"),
                _WEIGH,
                Line("joined = (weights @ v).swapaxes(0, 1).reshape(len(x), -1)", "blends and joins the heads"),
                Line("output = joined @ W_O.reshape(-1, W_O.shape[-1])", "takes the joined heads through W_O"),
            ),
            lie=(4, "joined = (weights @ v).reshape(len(x), -1)"),
            reasons=(
                Reason(
                    "merge-reshaped",
                    "It fills a word's row with numbers of other words.",
                    "A reshape keeps the order of the numbers, and the heads come first in it. "
                    "So the shape is right and the words are scrambled: the heads' axis must move beside the numbers "
                    "first.",
                ),
                Reason(
                    "heads-averaged",
                    "It takes the mean of the heads, and nobody can tell them apart.",
                    "A reshape averages nothing: each number of each head is still there.",
                ),
                Reason(
                    "heads-identical",
                    "It gives every head the same queries, keys and values.",
                    "W_Q, W_K and W_V have the heads in front, so `x @ W_Q` is one product for each head, with its own "
                    "matrix.",
                ),
                Reason(
                    "softmax-over-heads",
                    "It lets the heads compete with each other for a word.",
                    "`softmax` goes along the last axis, the words that are looked at: in each head, row by row.",
                ),
            ),
        ),
    ),
    judged(
        _FUNCTIONS["padded-attention"],
        WrongLineExercise(
            name="wrong-line-06-mask",
            lesson="06",
            optional=True,
            task=(
                "Find the line that lies, and why: q, k and v are (n_sentences, n_tokens, d), and of each sentence "
                "only as many words are there as `lengths` says."
            ),
            trains="missing words are columns, not rows",
            minutes=3,
            difficulty=3,
            stub='wrong_line("06-mask", ..., because=...)',
            hints=BY_CODE["mask-on-queries"].hints,
            sibling="padded-attention",
            lines=(
                Line("there = np.arange(k.shape[1]) < lengths[:, None]", "says which words of each sentence are there"),
                Line("mask = there[:, None, :]", "gives the mask an axis of length 1"),
                Line("scores = q @ k.swapaxes(-1, -2) / np.sqrt(k.shape[-1])", "compares and scales, in each sentence"),
                Line("weights = softmax(np.where(mask, scores, -np.inf))", "hides scores and then weighs"),
                _BLEND,
            ),
            lie=(2, "mask = there[:, :, None]"),
            reasons=(
                Reason(
                    "mask-on-queries",
                    "It hides the rows of the missing words, not their columns.",
                    "Missing words must not be looked *at*: keys are columns. Here they may not look, and all the "
                    "others still look at them.",
                ),
                Reason(
                    "mask-inverted",
                    "It hides the words that are there, and keeps the missing ones.",
                    "True means: may look. `np.where` keeps a score where it finds True.",
                ),
                Reason(
                    "mask-one-too-far",
                    "It counts one word too many as there.",
                    "Counted from 0, the first 2 words have the numbers 0 and 1: those *below* 2.",
                ),
                Reason(
                    "mask-after-softmax",
                    "It hides only after the weights were shared out.",
                    "`np.where` stands inside of `softmax`, so hiding comes first.",
                ),
            ),
        ),
    ),
)
