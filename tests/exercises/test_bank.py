import re
from itertools import combinations

import numpy as np
import pytest

from attention_lab.exercises.bank import BY_CODE, MISTAKES
from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.diagnose import same, single_ways
from attention_lab.exercises.exercise import FunctionExercise, start
from attention_lab.exercises.mistake import FITTED, row
from attention_lab.exercises.steps import HIDING, RIGHT, State, run

# The table of mistakes that real people made; the bank may hold more.
MET = [
    "softmax-over-queries", "softmax-over-heads", "softmax-missing", "scale-missing", "scale-by-d_k",
    "scale-by-d_model", "scale-multiplied", "scale-fixed", "keys-not-transposed", "queries-keys-swapped",
    "values-replaced", "weights-transposed", "mask-missing", "mask-inverted", "mask-transposed", "mask-excludes-self",
    "mask-after-softmax", "mask-zeroes-scores", "mask-added-as-numbers", "mask-on-queries", "nan-row", "heads-reshaped",
    "merge-reshaped", "heads-averaged", "heads-identical", "projection-transposed", "projection-missing",
    "inputs-changed",
]  # fmt: skip
FUNCTIONS = [exercise for exercise in EXERCISES.values() if isinstance(exercise, FunctionExercise)]
# Found without a way.
BY_VALUE = {
    "weights-do-not-sum",
    "weight-negative",
    "column-for-row",
    "inputs-changed",
    "pairs-by-column",
    "approximate-first",
    "sharp-taken-for-specific",
}
every = pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.code)
in_every_exercise = pytest.mark.parametrize("exercise", FUNCTIONS, ids=lambda exercise: exercise.name)


def given(arguments, hidden):
    state = start(arguments)
    state.hidden = hidden
    setattr(state, FITTED, 1.414)
    return state


def hiding(exercise):
    return HIDING if "hide" in exercise.program else HIDING[:1]


def states(exercise, instead):
    """What `check` hands to the sentences: the three words, or their arguments where these steps cannot be taken."""
    for hidden in hiding(exercise):
        state = given(exercise.example(), hidden)
        yield run(exercise.program, state, instead) or state


def occurs(exercise, way):
    """Whether a way gives another answer than the right one for random arguments, also if only for square tables."""
    rng = np.random.default_rng(0)
    for square in (False, True):
        for hidden in hiding(exercise):
            state = given(exercise.inputs(rng, square), hidden)
            wrong, right = run(exercise.program, state, way), run(exercise.program, state, {})
            if wrong is not None and not (
                wrong.answer.shape == right.answer.shape and np.allclose(wrong.answer, right.answer, equal_nan=True)
            ):
                return True
    return False


def is_a_sentence(text):
    assert 30 <= len(text) <= 220, text
    assert text.endswith("."), text
    assert text[0].isupper(), text
    assert ".." not in text, text
    assert "\n" not in text, text
    assert "  " not in text, text


def test_codes_are_unique():
    assert len(BY_CODE) == len(MISTAKES)


def test_every_mistake_that_was_met_has_its_code():
    assert len(MET) == 28
    assert [code for code in MET if code not in BY_CODE] == []


@every
def test_a_code_is_in_kebab_case_and_is_no_name_for_people(mistake):
    assert re.fullmatch(r"[a-z]+(-([a-z]+|d_k|d_model|n_keys))+", mistake.code)
    assert mistake.name[0].islower() or mistake.name.startswith("NaN")
    assert not mistake.name.endswith(".")
    assert 6 <= len(mistake.name) <= 60


@every
def test_a_mistake_has_a_reason_and_three_hints_that_begin_with_a_question(mistake):
    assert 20 <= len(mistake.why) <= 150
    assert mistake.why.endswith(".")
    question, rule, line = mistake.hints
    assert "?" in question
    assert question.count("?") <= 2
    assert 15 <= len(rule) <= 160
    assert len(line) <= 160
    for text in (mistake.why, *mistake.hints):
        assert not re.search(
            r"\b\d+ of \d+\b|simply|just|obvious|easy|wrong|should have|forgot", text, re.IGNORECASE
        ), text


@every
def test_a_mistake_with_ways_occurs_in_an_exercise(mistake):
    if mistake.code == "softmax-overflow":
        assert occurs(EXERCISES["softmax"], mistake.ways[0])
    assert bool(mistake.ways) != (mistake.code in BY_VALUE)
    for i, way in enumerate(mistake.ways):
        assert set(way) <= set(RIGHT)
        fitting = [exercise for exercise in FUNCTIONS if set(way) <= set(exercise.program)]
        assert any(occurs(exercise, way) for exercise in fitting), f"way {i} occurs nowhere"


@in_every_exercise
def test_what_is_seen_is_a_sentence_for_each_mistake(exercise):
    for mistake, way in single_ways(exercise):
        for state in states(exercise, way):
            is_a_sentence(mistake.seen(state))


@in_every_exercise
def test_what_is_seen_is_a_sentence_for_two_mistakes_together(exercise):
    for (first, way), (second, other) in combinations(single_ways(exercise), 2):
        if first.code == second.code or set(way) & set(other):
            continue
        for state in states(exercise, {**way, **other}):
            is_a_sentence(first.seen(state))
            is_a_sentence(second.seen(state))


@in_every_exercise
def test_what_is_seen_never_holds_the_right_numbers(exercise):
    for mistake, way in single_ways(exercise):
        for hidden in hiding(exercise):
            start_with = given(exercise.example(), hidden)
            right, wrong = run(exercise.program, start_with, {}), run(exercise.program, start_with, way)
            if wrong is None:
                continue
            said = mistake.seen(wrong)
            for array in ("scores", "weights", "output", "d_q", "d_k", "d_v"):
                numbers = getattr(right, array, None)
                if numbers is None or same(numbers, getattr(wrong, array)):
                    continue  # the mistake does not touch it
                assert row(numbers) not in said, (mistake.code, array)


@every
def test_what_is_seen_is_said_without_numbers_where_there_are_none(mistake):
    if mistake.code not in ("weights-do-not-sum", "scale-fixed"):
        is_a_sentence(mistake.seen(State()))


def test_mistakes_found_in_values_say_what_is_seen():
    assert BY_CODE["weights-do-not-sum"].seen(State(total=1.2)) == "Your weights sum to 1.2."
    for code in ("weight-negative", "column-for-row", "inputs-changed"):
        is_a_sentence(BY_CODE[code].seen(State()))


def seen(code, name, way=0):
    exercise = EXERCISES[name]
    instead = [w for w in BY_CODE[code].ways if set(w) <= set(exercise.program)][way]
    return BY_CODE[code].seen(next(states(exercise, instead)))


@pytest.mark.parametrize(
    ("code", "name", "way", "said"),
    [
        (
            "softmax-over-queries",
            "attention",
            0,
            'On the three words, your weights for "bank" are 0.06, 0.00 and 0.00, and each *column* adds up to 1.',
        ),
        (
            "scale-missing",
            "attention",
            0,
            'On the three words, your scores for "bank" are 4.00, 2.00 and 10.00: as large as comparing made them.',
        ),
        (
            "scale-multiplied",
            "attention-temperature",
            0,
            'On the three words, your scores for "bank" are 2.83, 1.41 and 7.07: the root of d_k made them larger, '
            "then divided by the temperature.",
        ),
        (
            "mask-after-softmax",
            "masked-attention",
            0,
            'With the future hidden, the weights of "bank" add up to 0.018: 0.01, 0.00 and 0.00.',
        ),
        (
            "mask-missing",
            "cross-attention-padded",
            0,
            'With "river" missing, "bank" still looks at "river": its weights are 0.01, 0.00 and 0.98.',
        ),
        ("mask-excludes-self", "causal-mask", 0, "No word sees itself, so the first one sees nothing at all."),
        ("mask-excludes-self", "window-mask", 0, "In your mask, no word sees itself."),
        ("sum-missing", "causal-attention", 1, None),
    ],
)
def test_a_sentence_is_true_where_it_is_said(code, name, way, said):
    if said is None:
        assert "positive" not in seen(code, name, way)  # what is hidden has the exponential 0
    else:
        assert seen(code, name, way) == said


# --- Sentences without numbers, held to what the mistakes compute ---


def computed(code, name, way=0, *, square=False, seed=0):
    exercise = EXERCISES[name]
    arguments = exercise.inputs(np.random.default_rng(seed), square)
    instead = [w for w in BY_CODE[code].ways if set(w) <= set(exercise.program)][way]
    return arguments, run(exercise.program, given(arguments, HIDING[0]), instead)


def test_the_first_head_of_a_reshape_holds_nothing_of_the_last_word():
    for seed in range(30):
        arguments, state = computed("heads-reshaped", "split-heads", seed=seed)
        assert "nothing of the last word" in BY_CODE["heads-reshaped"].seen(state)
        assert not np.isin(arguments["x"][-1], state.answer[0]).any()


def test_the_first_joined_row_of_a_reshape_holds_several_words_of_one_head():
    for seed in range(30):
        arguments, state = computed("merge-reshaped", "merge-heads", seed=seed)
        assert np.isin(arguments["heads"][0, :2], state.answer[0]).all()


def test_a_mean_along_the_row_is_what_both_ways_compute():
    weights = np.array([[0.5, 0.25, 0.125, 0.125]])
    surprise = -np.log2(weights)
    for way, terms in zip(BY_CODE["entropy-averaged"].ways, (weights * surprise, surprise), strict=True):
        assert way["count bits"](State(weights=weights)) == pytest.approx(terms.mean(-1))
    assert BY_CODE["entropy-averaged"].seen(State()) == "Your entropy is a *mean* along the row."


def test_two_equal_weights_have_the_entropy_that_is_said():
    for code, said in (("entropy-in-nats", "0.69"), ("entropy-sign", "-1")):
        step = BY_CODE[code].ways[0]["count bits"]
        assert f"{step(State(weights=np.array([[0.5, 0.5]])))[0]:.2g}" == said
        assert said in BY_CODE[code].seen(State())


def test_swapped_queries_and_keys_compare_the_key_of_bank_with_every_query():
    arguments, state = computed("queries-keys-swapped", "scores", square=True)
    np.testing.assert_allclose(state.answer[1] * np.sqrt(arguments["q"].shape[-1]), arguments["q"] @ arguments["k"][1])


def test_a_table_with_large_scores_comes_out_as_nan_and_one_of_a_few_units_does_not():
    with np.errstate(all="ignore"):
        for way in BY_CODE["softmax-overflow"].ways:
            assert np.isnan(way["weigh"](State(scores=np.array([[1000.0, 0.0], [0.0, 1.0]])))).any()
            assert np.isfinite(way["weigh"](State(scores=np.array([[3.0, -2.0], [0.0, 1.0]])))).all()


def test_a_mask_that_reaches_one_place_too_far_shows_more_and_never_less():
    for name in ("causal-mask", "window-mask", "padding-mask", "left-padding-mask"):
        arguments, state = computed("mask-one-too-far", name)
        right = run(EXERCISES[name].program, given(arguments, HIDING[0]), {}).answer
        assert (state.answer >= right).all()
        assert (state.answer != right).any()
