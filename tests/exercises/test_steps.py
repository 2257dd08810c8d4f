import numpy as np
import pytest

from attention_lab import causal_mask, padding_mask, scaled_dot_product_attention, softmax, window_mask
from attention_lab.attention import attention_scores
from attention_lab.diagnostics import attention_entropy, head_roles
from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.diagnose import right_answer
from attention_lab.exercises.exercise import FunctionExercise
from attention_lab.exercises.probes import several
from attention_lab.exercises.steps import (
    HIDING,
    RIGHT,
    State,
    bits,
    flat,
    merge,
    run,
    shifted,
    side_by_side,
    split,
    swap,
    weigh,
)
from attention_lab.heads import merge_heads, split_heads
from attention_lab.positions import rotate_by_position, sinusoidal_positions
from attention_lab.streaming import Partial, merge_partials, partial_attention, stream_steps, streaming_attention
from attention_lab.training import attention_gradient
from tests.training.slopes import slope

CLOSE = {"rtol": 1e-12, "atol": 1e-12}
TRIES = 100


def cross(x, context, W_Q, W_K, W_V, mask=None):
    return scaled_dot_product_attention(x @ W_Q, context @ W_K, context @ W_V, mask=mask).output


def padded(q, k, v, lengths):
    return scaled_dot_product_attention(q, k, v, mask=padding_mask(lengths, k.shape[1])).output


def many(x, W_Q, W_K, W_V, W_O, mask=None):
    """Head by head, each with a call of its own."""
    heads = [cross(x, x, *matrices, mask) @ last for *matrices, last in zip(W_Q, W_K, W_V, W_O, strict=True)]
    return np.sum(heads, axis=0)


def from_the_end(lengths, n_keys):
    return padding_mask(lengths, n_keys)[..., ::-1]


def slopes(q, k, v, d_output):
    """All three tables, one behind the other."""
    return np.concatenate([table.ravel() for table in attention_gradient(q, k, v, d_output)])


def kept_and_looked(q, k, v, keys, values):
    """What new words find with a cache, and the cache, one behind the other."""
    keys, values = np.vstack([keys, k]), np.vstack([values, v])
    mask = causal_mask(len(q), len(keys))
    output = scaled_dot_product_attention(q, keys, values, mask=mask).output
    return np.concatenate([table.ravel() for table in (output, keys, values)])


def merged(max_1, sum_1, blend_1, max_2, sum_2, blend_2):
    """What two tiles are together, side by side."""
    whole = merge_partials(Partial(max_1[:, 0], sum_1[:, 0], blend_1), Partial(max_2[:, 0], sum_2[:, 0], blend_2))
    return np.concatenate([whole.maximum, whole.total, whole.blend.ravel()])


def with_last_tile(maximum, total, blend, scores, v):
    """What was seen, and a tile whose queries are its scores."""
    seen = Partial(maximum[:, 0], total[:, 0], blend)
    return merge_partials(seen, partial_attention(scores, np.eye(scores.shape[1]), v, scale=1.0)).output


def softmax_slopes(scores, temperature, d_weights):
    """What attention does with the root of d_k, softmax does with a temperature: queries in place of the scores."""
    eye = np.eye(scores.shape[1]) * np.sqrt(scores.shape[1]) / temperature
    return attention_gradient(scores, eye, np.eye(scores.shape[1]), d_weights)[0]


# What each exercise asks for, by the package's own functions.
PACKAGE = {
    "rows": lambda table: np.array([row / sum(row) for row in table]),
    "columns": lambda table: np.array([column / sum(column) for column in table.T]).T,
    "weighted-average": lambda weights, values: np.array([np.average(values, axis=0, weights=row) for row in weights]),
    "blend": lambda weights, values: np.einsum("ij,jd->id", weights, values),
    "scores": attention_scores,
    "attention": lambda q, k, v: scaled_dot_product_attention(q, k, v).output,
    "scores-temperature": lambda q, k, temperature: attention_scores(q, k) / temperature,
    "attention-temperature": lambda q, k, v, temperature: softmax(attention_scores(q, k), temperature=temperature) @ v,
    "softmax": softmax,
    "softmax-temperature": lambda scores, temperature: softmax(scores, temperature=temperature),
    "causal-mask": causal_mask,
    "masked-attention": lambda q, k, v, mask: scaled_dot_product_attention(q, k, v, mask=mask).output,
    "empty-rows": lambda q, k, v, mask: scaled_dot_product_attention(q, k, v, mask=mask).output,
    "padding-mask": padding_mask,
    "window-mask": lambda n, width: window_mask(n, width=width),
    "causal-attention": lambda q, k, v: scaled_dot_product_attention(q, k, v, mask=causal_mask(len(q))).output,
    "empty-softmax": lambda scores, mask: softmax(scores, mask=mask),
    "left-padding-mask": from_the_end,
    "split-heads": split_heads,
    "merge-heads": merge_heads,
    "split-batch": split_heads,
    "merge-batch": merge_heads,
    "multi-head-attention": many,
    "causal-heads": lambda x, *matrices: many(x, *matrices, mask=causal_mask(len(x))),
    "self-attention": lambda x, *matrices: cross(x, x, *matrices),
    "padded-attention": padded,
    "cross-attention": cross,
    "cross-attention-padded": cross,
    "entropy": attention_entropy,
    "role": lambda weights: head_roles(weights)["previous word"],
    "role-after": lambda weights: head_roles(weights)["next word"],
    "attention-gradient": slopes,
    "softmax-gradient": softmax_slopes,
    "cache-step": kept_and_looked,
    "cache-chunk": kept_and_looked,
    "positions": sinusoidal_positions,
    "turn": rotate_by_position,
    "merge-two-tiles": merged,
    "last-tile": with_last_tile,
    "streaming-attention": lambda q, k, v, tile: [*stream_steps(q, k, v, tile=tile)][-1].output,
    "streaming-masked": lambda q, k, v, mask, tile: streaming_attention(q, k, v, mask=mask),
    "effective-words": lambda weights: 2 ** attention_entropy(weights),
}
FUNCTIONS = [exercise for exercise in EXERCISES.values() if isinstance(exercise, FunctionExercise)]


@pytest.mark.parametrize("exercise", FUNCTIONS, ids=lambda exercise: exercise.name)
def test_a_program_is_the_packages_function(exercise):
    rng = np.random.default_rng(1)
    for square in [False] * TRIES + [True] * 10:
        arguments = exercise.inputs(rng, square)
        right, package = right_answer(exercise, arguments), PACKAGE[exercise.name](*arguments.values())
        assert right.shape == np.shape(package)
        assert right.dtype == np.asarray(package).dtype
        np.testing.assert_allclose(right, package, **CLOSE)


@pytest.mark.parametrize("hidden", HIDING)
@pytest.mark.parametrize("name", ["masked-attention", "causal-attention", "cross-attention-padded", "causal-heads"])
def test_every_way_of_hiding_is_right_where_no_row_is_empty(name, hidden):
    exercise, rng = EXERCISES[name], np.random.default_rng(2)
    for _ in range(TRIES):
        arguments = exercise.inputs(rng, False)
        given = State(**arguments, hidden=hidden)
        given.context = arguments.get("context", arguments.get("x"))
        np.testing.assert_allclose(
            run(exercise.program, given, {}).answer, PACKAGE[name](*arguments.values()), rtol=1e-9, atol=1e-9
        )


def test_an_empty_row_is_zeros_as_in_the_package():
    exercise, rng = EXERCISES["empty-rows"], np.random.default_rng(3)
    for _ in range(TRIES):
        arguments = exercise.inputs(rng, False)
        empty = ~arguments["mask"].any(-1)
        assert empty.any()
        assert not empty.all()
        assert (right_answer(exercise, arguments)[empty] == 0).all()


@pytest.mark.parametrize("name", ["attention-gradient", "softmax-gradient"])
def test_a_way_back_is_what_finite_differences_find(name):
    exercise = EXERCISES[name]
    arguments = exercise.inputs(np.random.default_rng(10), False)

    def loss():
        if name == "softmax-gradient":
            return (softmax(arguments["scores"] / arguments["temperature"]) * arguments["d_weights"]).sum()
        q, k, v, d_output = arguments.values()
        return (scaled_dot_product_attention(q, k, v).output * d_output).sum()

    moved = [arguments[one] for one in (("scores",) if name == "softmax-gradient" else ("q", "k", "v"))]
    found = [slope(loss, array, range(array.size)) for array in moved]
    np.testing.assert_allclose(right_answer(exercise, arguments).ravel(), np.concatenate(found), atol=1e-8)


def test_tables_laid_side_by_side_keep_the_axes_in_front():
    parts = np.arange(6).reshape(2, 3), np.arange(4).reshape(1, 4)
    assert side_by_side(*parts).tolist() == [0, 1, 2, 3, 4, 5, 0, 1, 2, 3]
    stacked = side_by_side(*(np.stack([part, -part]) for part in parts))
    np.testing.assert_array_equal(stacked, [side_by_side(*parts), -side_by_side(*parts)])


def test_a_row_of_minus_infinity_is_nan_as_in_code_by_hand():
    with np.errstate(all="ignore"):
        assert np.isnan(weigh(np.array([[-np.inf, -np.inf], [0.0, 1.0]]))).tolist() == [[True, True], [False, False]]


@pytest.mark.parametrize("axis", [-1, -2, 0])
def test_weigh_is_the_packages_softmax_along_any_axis(axis):
    scores = np.random.default_rng(4).normal(size=(2, 3, 4)) * 300
    np.testing.assert_allclose(weigh(scores, axis), softmax(scores, axis=axis), **CLOSE)


def test_weigh_over_everything_adds_up_to_1():
    weights = weigh(np.random.default_rng(5).normal(size=(2, 3, 4)), None)
    assert weights.shape == (2, 3, 4)
    assert weights.sum() == pytest.approx(1)


def test_split_and_merge_are_the_packages_with_any_axes_in_front():
    rng = np.random.default_rng(6)
    for front in ((), (2,), (2, 5)):
        x = rng.normal(size=(*front, 3, 8))
        np.testing.assert_array_equal(split(x, 4), split_heads(x, 4))
        np.testing.assert_array_equal(merge(split(x, 4)), merge_heads(split_heads(x, 4)))


def test_flat_matrices_after_joined_heads_are_the_sum_of_each_heads_own():
    rng = np.random.default_rng(7)
    heads, W_O = rng.normal(size=(3, 4, 5)), rng.normal(size=(3, 5, 6))
    np.testing.assert_allclose(merge(heads) @ flat(W_O), (heads @ W_O).sum(0), **CLOSE)


def test_swap_leaves_the_axes_in_front_alone():
    assert swap(np.zeros((2, 3, 4, 5))).shape == (2, 3, 5, 4)


def test_bits_are_the_packages_entropy_also_with_zeros():
    weights = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.2, 0.3, 0.5]])
    np.testing.assert_allclose(bits(weights), attention_entropy(weights), **CLOSE)


@pytest.mark.parametrize("given", [{"n": 3}, {"x": np.zeros((3, 2))}, {"q": np.zeros((3, 2))}])
def test_shifted_is_column_minus_row(given):
    assert shifted(State(**given)).tolist() == [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]


def test_running_a_program_leaves_what_was_given_as_it_was():
    exercise = EXERCISES["masked-attention"]
    arguments = exercise.inputs(np.random.default_rng(8), False)
    given = State(**arguments, hidden=HIDING[0])
    before = {name: np.copy(value) for name, value in arguments.items()}
    run(exercise.program, given, {})
    assert set(vars(given)) == {*arguments, "hidden"}
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(given, name), value)


def test_steps_that_do_not_fit_the_shapes_give_none():
    given = State(q=np.zeros((2, 3)), k=np.zeros((4, 3)))
    assert run(("compare", "scale"), given, {"compare": lambda s: s.q @ s.k}) is None
    assert run(("compare", "scale"), given, {"scale": lambda s: s.not_there}) is None
    assert run(("compare", "scale"), given, {}).answer.shape == (2, 4)


def test_a_memory_gives_what_would_be_computed_without_it():
    exercise = EXERCISES["attention"]
    arguments = exercise.inputs(np.random.default_rng(9), False)
    memory, instead = {}, {"scale": lambda s: s.scores}
    given = State(**arguments)
    for steps in ({}, instead, {}, instead):
        remembered, fresh = run(exercise.program, given, steps, memory), run(exercise.program, given, steps)
        np.testing.assert_array_equal(remembered.answer, fresh.answer)


def test_every_step_stands_in_a_program():
    assert {name for exercise in FUNCTIONS for name in exercise.program} == set(RIGHT)


@pytest.mark.parametrize("exercise", FUNCTIONS, ids=lambda exercise: exercise.name)
@pytest.mark.parametrize("square", [False, True])
def test_no_exercise_draws_an_axis_of_the_same_length_each_time(exercise, square):
    assert len(several(exercise.inputs, np.random.default_rng(0), square, 3)) == 3
