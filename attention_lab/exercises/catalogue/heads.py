"""Exercises of lesson 05."""

from attention_lab.exercises import probes
from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.exercise import Exercise, FunctionExercise

SPLIT_HINTS = BY_CODE["heads-reshaped"].hints
MERGE_HINTS = BY_CODE["merge-reshaped"].hints
HEADS_HINTS = (
    "Which shapes do q, k and v have when every head has its own?",
    "Project once for each head, attend in each, put the heads side by side, project once more.",
    "`joined = output.swapaxes(0, 1).reshape(len(x), -1)`, then `joined @ W_O.reshape(-1, W_O.shape[-1])`",
)
WIDE = ("ask", "label", "hand over", "compare", "scale", "weigh", "settle", "blend", "join", "project")
MASKED = ("see all before", *WIDE[:5], "hide", *WIDE[5:])

_PROJECT = "    q, k, v = x @ W_Q, x @ W_K, x @ W_V\n"
_SCORES = "    scores = q @ k.swapaxes(-1, -2) / np.sqrt(k.shape[-1])\n"
_JOIN = (
    "    joined = (softmax(scores) @ v).swapaxes(0, 1).reshape(len(x), -1)\n"
    "    return joined @ W_O.reshape(-1, W_O.shape[-1])"
)

EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        name="split-heads",
        lesson="05",
        task="Cut the numbers of each word into heads: (n_tokens, d) becomes (n_heads, n_tokens, d / n_heads).",
        trains="reshape keeps the order; the transpose moves the heads",
        minutes=4,
        difficulty=2,
        stub="def my_split(x, n_heads):\n    # (n_heads, n_tokens, d / n_heads)\n    ...",
        solution="def my_split(x, n_heads):\n    return x.reshape(len(x), n_heads, -1).swapaxes(0, 1)",
        hints=SPLIT_HINTS,
        sibling="split-batch",
        program=("split",),
        inputs=probes.numbers_of_words,
        example=probes.three_words("x", "n_heads"),
        about="(n_heads, n_tokens, d / n_heads)",
    ),
    FunctionExercise(
        name="merge-heads",
        lesson="05",
        task="Put the heads side by side again: (n_heads, n_tokens, d_v) becomes (n_tokens, n_heads * d_v).",
        trains="the way back, in the opposite order",
        minutes=3,
        difficulty=2,
        stub="def my_merge(heads):\n    # (n_tokens, n_heads * d_v)\n    ...",
        solution="def my_merge(heads):\n    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)",
        hints=MERGE_HINTS,
        home=False,
        sibling="merge-batch",
        program=("join",),
        inputs=probes.heads,
        example=probes.three_words_as_heads,
        about="(n_tokens, n_heads * d_v)",
    ),
    FunctionExercise(
        name="multi-head-attention",
        lesson="05",
        task=(
            "Several heads over x (n_tokens, d_model). W_Q, W_K, W_V and W_O hold a matrix for each head, in front: "
            "(n_heads, d_model, d_k) and, for W_O, (n_heads, d_v, d_model)."
        ),
        trains="every head its own matrices; joined, then projected",
        minutes=8,
        difficulty=3,
        stub=(
            "def my_heads(x, W_Q, W_K, W_V, W_O):\n"
            "    # project, attend in each head, join, project\n"
            "    # W_O has a matrix for each head, too: (n_heads, d_v, d_model)\n"
            "    ..."
        ),
        solution="def my_heads(x, W_Q, W_K, W_V, W_O):\n" + _PROJECT + _SCORES + _JOIN,
        hints=HEADS_HINTS,
        sibling="causal-heads",
        program=WIDE,
        inputs=probes.many_heads,
        example=probes.three_words_two_heads,
        about="one row for each word, d_model numbers each",
    ),
    FunctionExercise(
        name="split-batch",
        lesson="05",
        task=(
            "Write split(x, n_heads) for a batch: (n_sentences, n_tokens, d) becomes "
            "(n_sentences, n_heads, n_tokens, d / n_heads)."
        ),
        trains="the same, with an axis in front that stays",
        minutes=4,
        difficulty=2,
        stub="def my_split(x, n_heads):\n    # (n_sentences, n_heads, n_tokens, d / n_heads)\n    ...",
        solution="def my_split(x, n_heads):\n    return x.reshape(*x.shape[:2], n_heads, -1).swapaxes(1, 2)",
        hints=SPLIT_HINTS,
        home=False,
        program=("split",),
        inputs=probes.sentences_of_words,
        example=probes.three_words("x", "n_heads"),
        about="(n_sentences, n_heads, n_tokens, d / n_heads)",
    ),
    FunctionExercise(
        name="merge-batch",
        lesson="05",
        task=(
            "Write merge(heads) for a batch: (n_sentences, n_heads, n_tokens, d_v) becomes "
            "(n_sentences, n_tokens, n_heads * d_v)."
        ),
        trains="the same, with an axis in front that stays",
        minutes=3,
        difficulty=2,
        stub="def my_merge(heads):\n    # (n_sentences, n_tokens, n_heads * d_v)\n    ...",
        solution="def my_merge(heads):\n    return heads.swapaxes(1, 2).reshape(len(heads), heads.shape[2], -1)",
        hints=MERGE_HINTS,
        home=False,
        program=("join",),
        inputs=probes.heads_of_sentences,
        example=probes.three_words_as_heads,
        about="(n_sentences, n_tokens, n_heads * d_v)",
    ),
    FunctionExercise(
        name="causal-heads",
        lesson="05",
        task="Write heads(x, W_Q, W_K, W_V, W_O) once more, with the future hidden in every head.",
        trains="every head needs the mask",
        minutes=8,
        difficulty=3,
        stub="def my_heads(x, W_Q, W_K, W_V, W_O):\n    # the same, with the future hidden\n    ...",
        solution=(
            "def my_heads(x, W_Q, W_K, W_V, W_O):\n"
            + _PROJECT
            + _SCORES
            + "    scores = np.where(np.tril(np.ones((len(x), len(x)), dtype=bool)), scores, -np.inf)\n"
            + _JOIN
        ),
        hints=HEADS_HINTS,
        home=False,
        program=MASKED,
        inputs=probes.many_heads,
        example=probes.three_words_two_heads,
        about="one row for each word, d_model numbers each",
    ),
)
