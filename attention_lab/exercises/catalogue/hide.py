"""Exercises of lesson 04, of its museum of masks, and the padding mask of lesson 06."""

from attention_lab.exercises import probes
from attention_lab.exercises.exercise import Exercise, FunctionExercise, OrderExercise
from attention_lab.exercises.letters import letters_of

MASK_HINTS = (
    "Whom may the word in the first row look at? And the one in the last row?",
    "True means may look; row looks at column.",
    "`np.tril(np.ones((n, n), dtype=bool))` shows each word itself and all before it",
)
HIDE_HINTS = (
    "Between which two of your lines do the hidden scores go?",
    "Hide before you weigh: a hidden score becomes -inf, and e to the -inf is 0.",
    "`scores = np.where(mask, scores, -np.inf)`",
)
EMPTY_HINTS = (
    "What does softmax make of a row in which every score is -inf?",
    "A row that may look nowhere has the weights 0.",
    "`weights = np.where(mask.any(axis=-1, keepdims=True), weights, 0)`",
)
PADDING_HINTS = (
    "Which keys are there, in a sentence of length 2: their numbers, counted from 0?",
    "Compare the positions of the keys with each length; leave an axis of length 1 for the queries.",
    "`(np.arange(n_keys) < np.asarray(lengths)[:, None])[:, None, :]`",
)
A_ROW_A_QUERY = "one row for each query, d_v numbers each"
PADDING_SHAPE = "(n_sentences, 1, n_keys), the 1 for any number of queries"

_SCORES = "    scores = q @ k.T / np.sqrt(k.shape[-1])\n"
_HIDDEN = "    scores = np.where({}, scores, -np.inf)\n"

ORDERED = (
    "scores = q @ k.T",
    "scores = scores / np.sqrt(k.shape[-1])",
    "scores = np.where(mask, scores, -np.inf)",
    "weights = softmax(scores)",
    "output = weights @ v",
)
MIXED_IN = (
    "scores = np.where(mask, scores, 0)",
    "scores = np.where(mask, -np.inf, scores)",
    "scores = scores + mask",
    "weights = np.where(mask, weights, 0)",
)

EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        name="causal-mask",
        lesson="04",
        task="Make the (n, n) mask with which each word may look at itself and at all before it; True = may look.",
        trains="row looks at column; the diagonal stays",
        minutes=3,
        difficulty=1,
        stub="def my_causal_mask(n):\n    # (n, n), True = may look\n    ...",
        solution="def my_causal_mask(n):\n    return np.tril(np.ones((n, n), dtype=bool))",
        hints=MASK_HINTS,
        sibling="window-mask",
        program=("see all before",),
        inputs=probes.a_number,
        example=probes.three_words("n"),
        about="a row and a column for each word",
    ),
    OrderExercise(
        name="order-masked",
        lesson="04",
        task="Pick five of the lines and put them in order, so that they make attention with a mask (True = may look).",
        trains="where hiding goes, and with what, before writing it",
        minutes=3,
        difficulty=1,
        stub='order("masked", ...)',
        solution=f'order("masked", "{letters_of("order-masked", ORDERED, MIXED_IN)}")',
        hints=(
            "Which line makes what `softmax` takes, and should the hidden words still be in it?",
            "One line for each verb, in this order: compare, scale, hide, weigh, blend.",
            "`scores = np.where(mask, scores, -np.inf)` stands right before `weights = softmax(scores)`.",
        ),
        sibling="masked-attention",
        lines=ORDERED,
        wrong=MIXED_IN,
        of="masked-attention",
        takes=("q", "k", "v", "mask"),
    ),
    FunctionExercise(
        name="masked-attention",
        lesson="04",
        task="Attention with a mask (True = may look) in which every word may look somewhere.",
        trains="hide before you weigh",
        minutes=6,
        difficulty=2,
        stub="def my_masked_attention(q, k, v, mask):\n    # compare, scale, hide, weigh, blend\n    ...",
        solution=(
            "def my_masked_attention(q, k, v, mask):\n"
            + _SCORES
            + _HIDDEN.format("mask")
            + "    return softmax(scores) @ v"
        ),
        hints=HIDE_HINTS,
        sibling="causal-attention",
        program=("compare", "scale", "hide", "weigh", "settle", "blend"),
        inputs=probes.with_mask,
        example=probes.three_words("q", "k", "v", "mask"),
        about=A_ROW_A_QUERY,
    ),
    FunctionExercise(
        name="empty-rows",
        optional=True,
        lesson="mask_museum",
        task="Attention with a mask in which some words may look nowhere; their output is 0.",
        trains="what NaN is a sign of, and what -1e9 does not do",
        minutes=5,
        difficulty=3,
        stub="def my_attention(q, k, v, mask):\n    # zeros where nothing is visible\n    ...",
        solution=(
            "def my_attention(q, k, v, mask):\n"
            + _SCORES
            + _HIDDEN.format("mask | ~mask.any(axis=-1, keepdims=True)")
            + "    weights = np.where(mask, softmax(scores), 0)\n    return weights @ v"
        ),
        hints=EMPTY_HINTS,
        sibling="empty-softmax",
        program=("compare", "scale", "hide", "weigh", "settle", "empty", "blend"),
        inputs=probes.with_empty_rows,
        example=probes.three_words("q", "k", "v", "mask"),
        about=A_ROW_A_QUERY,
    ),
    FunctionExercise(
        name="padding-mask",
        lesson="06",
        task="From the lengths of sentences to the mask of the words that are there: (n_sentences, 1, n_keys).",
        trains="missing words are columns, not rows",
        minutes=4,
        difficulty=2,
        stub="def my_padding_mask(lengths, n_keys):\n    # (n_sentences, 1, n_keys), True = may be looked at\n    ...",
        solution=(
            "def my_padding_mask(lengths, n_keys):\n"
            "    return (np.arange(n_keys) < np.asarray(lengths)[:, None])[:, None, :]"
        ),
        hints=PADDING_HINTS,
        sibling="left-padding-mask",
        program=("see what is there",),
        inputs=probes.lengths,
        example=probes.three_words("lengths", "n_keys"),
        about=PADDING_SHAPE,
    ),
    FunctionExercise(
        name="window-mask",
        lesson="04",
        task="Write window_mask(n, width): a word may look at those less than `width` places away, on both sides.",
        trains="another mask: a band around the diagonal",
        minutes=3,
        difficulty=2,
        stub="def my_window_mask(n, width):\n    # (n, n), True = may look\n    ...",
        solution=(
            "def my_window_mask(n, width):\n"
            "    places = np.arange(n)\n"
            "    return np.abs(places - places[:, None]) < width"
        ),
        hints=(
            "How far is the word in column j from the word in row i?",
            "True where the distance is less than the width.",
            "`np.abs(np.arange(n) - np.arange(n)[:, None]) < width`",
        ),
        home=False,
        program=("see all near",),
        inputs=probes.a_number_and_a_width,
        example=probes.three_words("n", "width"),
        about="a row and a column for each word",
    ),
    FunctionExercise(
        name="causal-attention",
        lesson="04",
        task="Write causal_attention(q, k, v), which makes its own mask: each word sees itself and all before it.",
        trains="another mask, made and used",
        minutes=6,
        difficulty=2,
        stub="def my_causal_attention(q, k, v):\n    # compare, scale, hide, weigh, blend\n    ...",
        solution=(
            "def my_causal_attention(q, k, v):\n"
            + _SCORES
            + _HIDDEN.format("np.tril(np.ones(scores.shape, dtype=bool))")
            + "    return softmax(scores) @ v"
        ),
        hints=HIDE_HINTS,
        home=False,
        program=("see all before", "compare", "scale", "hide", "weigh", "settle", "blend"),
        inputs=probes.self_attention,
        example=probes.three_words("q", "k", "v"),
        about=A_ROW_A_QUERY,
    ),
    FunctionExercise(
        name="empty-softmax",
        lesson="mask_museum",
        task="Write softmax(scores, mask): weights along each row, and zeros where a row may look nowhere.",
        trains="the same, without the steps around it",
        minutes=4,
        difficulty=3,
        stub="def my_softmax(scores, mask):\n    # zeros where nothing is visible\n    ...",
        solution=(
            "def my_softmax(scores, mask):\n"
            "    grown = np.where(mask, np.exp(scores), 0)\n"
            "    total = grown.sum(axis=-1, keepdims=True)\n"
            "    return grown / np.where(total == 0, 1, total)"
        ),
        hints=EMPTY_HINTS,
        home=False,
        program=("hide", "weigh", "settle", "empty"),
        inputs=probes.scores_with_empty_rows,
        example=probes.three_words("scores", "mask"),
        about="the shape of the scores",
    ),
    FunctionExercise(
        name="left-padding-mask",
        lesson="06",
        task="Write left_padding_mask(lengths, n_keys): the words stand at the *end*, (n_sentences, 1, n_keys).",
        trains="the same, from the other end",
        minutes=4,
        difficulty=2,
        stub="def my_padding_mask(lengths, n_keys):\n    # (n_sentences, 1, n_keys), the words at the end\n    ...",
        solution=(
            "def my_padding_mask(lengths, n_keys):\n"
            "    return (np.arange(n_keys) >= n_keys - np.asarray(lengths)[:, None])[:, None, :]"
        ),
        hints=PADDING_HINTS,
        home=False,
        program=("see what is there, from the end",),
        inputs=probes.lengths,
        example=probes.three_words("lengths", "n_keys"),
        about=PADDING_SHAPE,
    ),
)
