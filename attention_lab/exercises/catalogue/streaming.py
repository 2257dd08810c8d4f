"""Exercises of lesson 07: tiles merged, streamed and written."""

import numpy as np

from attention_lab.examples import BANK
from attention_lab.exercises import probes
from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.exercise import Arguments, Exercise, FunctionExercise, OrderExercise
from attention_lab.exercises.letters import letters_of
from attention_lab.exercises.tile_by_tile import keeps_to_tiles, keeps_to_tiles_with_mask, stands_a_rise

ORDERED = (
    "new = np.maximum(maximum, scores.max(axis=-1, keepdims=True))",
    "weights = np.exp(scores - new)",
    "total = total * np.exp(maximum - new) + weights.sum(axis=-1, keepdims=True)",
    "blend = blend * np.exp(maximum - new) + weights @ v",
    "output = blend / total",
)
MIXED_IN = (
    "weights = np.exp(scores - maximum)",
    "weights = softmax(scores)",
    "total = total + weights.sum(axis=-1, keepdims=True)",
    "blend = blend + weights @ v",
)
STREAM_HINTS = (
    "Which three things do you keep from tile to tile, and which of them change when a larger score comes?",
    "Keep maximum, sum and blend; scale the last two down when the maximum rises; divide once, at the end.",
    "`blend = blend * np.exp(maximum - new) + weights @ v[j : j + tile]`, and the sum in the same way",
)
A_ROW_A_QUERY = "one row for each query, d_v numbers each"
_WALK = (
    "    maximum, total, blend = np.full((len(q), 1), -np.inf), 0, 0\n"
    "    for j in range(0, len(k), tile):\n"
    "        scores = q @ k[j : j + tile].T / np.sqrt(k.shape[-1])\n"
)
_NEW = "        new = np.maximum(maximum, scores.max(axis=-1, keepdims=True))\n"
_ADD = (
    "        weights = np.exp(scores - {level})\n"
    "        total = total * np.exp(maximum - {level}) + weights.sum(axis=-1, keepdims=True)\n"
    "        blend = blend * np.exp(maximum - {level}) + weights @ v[j : j + tile]\n"
    "        maximum = new\n"
    "    return blend / total"
)


def _seen(scores: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute what some keys contribute: maximum, sum and blend of each query."""
    maximum = scores.max(-1, keepdims=True)
    grown = np.exp(scores - maximum)
    return maximum, grown.sum(-1, keepdims=True), grown @ v


def _cut(given: Arguments, at: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Cut scores and values into the keys before a place, and those from there on."""
    scores = given["q"] @ given["k"].T / np.sqrt(given["k"].shape[-1])
    return [(scores[:, :at], given["v"][:at]), (scores[:, at:], given["v"][at:])]


def _two(given: Arguments, at: int) -> Arguments:
    """Give what two tiles hold."""
    names = [(f"max_{i}", f"sum_{i}", f"blend_{i}") for i in (1, 2)]
    parts = [_seen(*tile) for tile in _cut(given, at)]
    return {name: array for pair in zip(names, parts, strict=True) for name, array in zip(*pair, strict=True)}


def _one_more(given: Arguments, at: int) -> Arguments:
    """Give what was seen, and one more tile."""
    seen, (scores, v) = _cut(given, at)
    return {**dict(zip(("maximum", "total", "blend"), _seen(*seen), strict=True)), "scores": scores, "v": v}


def _uneven(rng: probes.Rng, square: bool) -> tuple[Arguments, int]:
    """Draw q, k, v and where to cut, so that either tile has the larger maximum for some of the queries."""
    while True:
        given = probes.words_that_look(rng, square)
        at = len(given["k"]) // 2
        (one, _), (two, _) = _cut(given, at)
        larger = one.max(-1) > two.max(-1)
        if larger.any() and not larger.all():
            return given, at


def _two_tiles(rng: probes.Rng, square: bool) -> Arguments:
    return _two(*_uneven(rng, square))


def _one_more_tile(rng: probes.Rng, square: bool) -> Arguments:
    return _one_more(*_uneven(rng, square))


def _rises(given: Arguments) -> bool:
    """Tell whether the maximum of a query rises after its first tile: else nothing has to be scaled down."""
    scores = given["q"] @ given["k"].T
    scores = np.where(given.get("mask", True), scores, -np.inf)
    first, rest = scores[:, : given["tile"]].max(-1), scores[:, given["tile"] :].max(-1)
    return bool((np.isfinite(first) & (rest > first + 0.1)).any())


def _with_tile(rng: probes.Rng, square: bool) -> Arguments:
    """Draw q, k, v and the width of a tile: the last tile is not full."""
    while True:
        given = probes.words_that_look(rng, square)
        n_queries, n_keys = len(given["q"]), len(given["k"])
        # Fewer queries than keys, which do not fill their tiles either: or the two can be swapped without an error.
        widths = [width for width in range(2, n_keys) if n_keys % width and n_queries % width]
        given["tile"] = int(rng.choice(widths or [2]))
        if widths and n_queries <= n_keys and _rises(given):
            return given


def _with_hidden_tile(rng: probes.Rng, square: bool) -> Arguments:
    """Add a mask: one query sees nothing in its first tile, another sees all of it, and each sees something."""
    while True:
        given = _with_tile(rng, square)
        tile, (n_queries, n_keys) = given["tile"], (len(given["q"]), len(given["k"]))
        mask = rng.random((n_queries, n_keys)) < 0.6
        late, early = rng.permutation(n_queries)[:2]
        mask[late, :tile], mask[:, -1], mask[early] = False, True, True
        mask[early, tile] = n_keys == tile + 1
        given = {**{name: given[name] for name in "qkv"}, "mask": mask, "tile": tile}
        if _rises(given):
            return given


def _bank() -> Arguments:
    return {"q": BANK.q, "k": BANK.k, "v": BANK.v}


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        name="merge-two-tiles",
        lesson="07",
        task="Make one tile of two: for each query its maximum, the sum of exp(score - maximum), and the blend.",
        trains="what a new maximum does to all that was added up before",
        minutes=6,
        difficulty=2,
        stub=(
            "def my_merge(max_1, sum_1, blend_1, max_2, sum_2, blend_2):\n"
            "    # max and sum are (n_queries, 1), blend is (n_queries, d_v)\n"
            "    # return new maximum, total and blend\n"
            "    ..."
        ),
        solution=(
            "def my_merge(max_1, sum_1, blend_1, max_2, sum_2, blend_2):\n"
            "    new = np.maximum(max_1, max_2)\n"
            "    fade_1, fade_2 = np.exp(max_1 - new), np.exp(max_2 - new)\n"
            "    return new, sum_1 * fade_1 + sum_2 * fade_2, blend_1 * fade_1 + blend_2 * fade_2"
        ),
        hints=(
            "If the second tile has the larger maximum, which of the two sums is measured too large?",
            "Each sum and each blend shrinks by e to the power of (its own maximum - the new maximum).",
            "`new = np.maximum(max_1, max_2)`, then `sum_1 * np.exp(max_1 - new)` and the like",
        ),
        sibling="last-tile",
        program=("find the larger", "fade both", "merge the sums", "merge the blends", "hand in a tile"),
        inputs=_two_tiles,
        example=lambda: _two(_bank(), 2),
        about="maximum and total are (n_queries, 1), blend is (n_queries, d_v)",
        gives=("new", "total", "blend"),
    ),
    OrderExercise(
        name="order-streaming",
        lesson="07",
        task="Pick five of the lines and put them in order, so that the last tile is added and the output comes out.",
        trains="old and new are measured from the same maximum",
        minutes=4,
        difficulty=2,
        stub='order("streaming", ...)',
        solution=f'order("streaming", "{letters_of("order-streaming", ORDERED, MIXED_IN)}")',
        hints=(
            "Which number must be known before anything is added up?",
            "First the new maximum, then the weights below it; sum and blend are scaled to it, and divided last.",
            "`weights = np.exp(scores - new)` comes second; the old sum and blend shrink by `np.exp(maximum - new)`.",
        ),
        sibling="last-tile",
        lines=ORDERED,
        wrong=MIXED_IN,
        of="last-tile",
        takes=("maximum", "total", "blend", "scores", "v"),
    ),
    FunctionExercise(
        name="streaming-attention",
        optional=True,
        lesson="07",
        task="Write attention that compares only `tile` keys at a time. The last tile may be a smaller one.",
        trains="the whole walk: compare, weigh and blend, tile by tile",
        minutes=15,
        difficulty=3,
        stub="def my_streaming(q, k, v, tile):\n    # never more than `tile` keys at a time\n    ...",
        solution="def my_streaming(q, k, v, tile):\n" + _WALK + _NEW + _ADD.format(level="new"),
        hints=STREAM_HINTS,
        sibling="streaming-masked",
        program=("compare", "scale", "stream"),
        inputs=_with_tile,
        example=lambda: {**_bank(), "tile": 2},
        about=A_ROW_A_QUERY,
        holds=keeps_to_tiles,
    ),
    FunctionExercise(
        name="last-tile",
        lesson="07",
        task="From maximum, total and blend of the keys seen so far, and scores and values of the rest: the output.",
        trains="one more tile, and the division that comes last",
        minutes=6,
        difficulty=2,
        stub="def my_last_tile(maximum, total, blend, scores, v):\n    # a row for each query\n    ...",
        solution=(
            "def my_last_tile(maximum, total, blend, scores, v):\n"
            + "".join(f"    {line}\n" for line in ORDERED[:-1])
            + "    return blend / total"
        ),
        hints=BY_CODE["tile-at-old-maximum"].hints,
        home=False,
        program=(
            *("raise the maximum", "fade the old", "weigh the tile"),
            *("add to the sum", "add to the blend", "divide"),
        ),
        inputs=_one_more_tile,
        example=lambda: _one_more(_bank(), 2),
        about=A_ROW_A_QUERY,
        holds=stands_a_rise,
    ),
    FunctionExercise(
        name="streaming-masked",
        lesson="07",
        task="Write streaming(q, k, v, mask, tile): the same with a mask (True = may look); a tile may be all hidden.",
        trains="the same, where a first tile may hold nothing to see",
        minutes=15,
        difficulty=3,
        stub="def my_streaming(q, k, v, mask, tile):\n    # never more than `tile` keys at a time\n    ...",
        solution=(
            "def my_streaming(q, k, v, mask, tile):\n"
            + _WALK
            + "        scores = np.where(mask[:, j : j + tile], scores, -np.inf)\n"
            + _NEW
            + "        level = np.where(np.isneginf(new), 0, new)\n"
            + _ADD.format(level="level")
        ),
        hints=BY_CODE["nan-tile"].hints,
        home=False,
        program=("compare", "scale", "hide", "stream"),
        inputs=_with_hidden_tile,
        example=lambda: {**_bank(), "mask": np.tril(np.ones((3, 3), bool)), "tile": 2},
        about=A_ROW_A_QUERY,
        holds=keeps_to_tiles_with_mask,
    ),
)
