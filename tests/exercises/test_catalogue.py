import ast
import re

import numpy as np
import pytest

from attention_lab import future_influence, personal_numbers, softmax
from attention_lab.costs import choose
from attention_lab.exercises import black_boxes, check
from attention_lab.exercises.bank import MISTAKES
from attention_lab.exercises.catalogue import APPENDICES, EXERCISES, LESSONS, closest
from attention_lab.exercises.exercise import FunctionExercise, OrderExercise, WrongLineExercise

ALL = list(EXERCISES.values())
KNOWN_LESSONS = {"00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "mask_museum", *APPENDICES}
CORE_MINUTES = {
    "00": {"first-check": 2},
    "01": {"mix": 3, "blend": 4},
    "02": {"second-example": 3, "by-hand": 8, "order-attention": 4, "attention": 5},
    "03": {"softmax": 4, "wrong-line-03-root": 3},
    "04": {"causal-mask": 3, "order-masked": 3, "masked-attention": 6, "find-the-leak": 6},
    "05": {"split-heads": 4, "wrong-line-05-merge": 3, "multi-head-attention": 8},
    "06": {"cross-attention": 6, "padding-mask": 4},
    "08": {"sort-heads": 4},
    "07": {"merge-two-tiles": 6, "order-streaming": 4, "choose": 5},
}
UNTOUCHED = {
    "first-check": "Type a number in place of the dots.",
    "mix": "For red 0.45, green 0.525, blue 0.35: type a weight in place of each of the dots.",
    "mix-again": "For red 0.85, green 0.7, blue 0.4: type a weight in place of each of the dots.",
    "unreachable": "Type three numbers in place of the dots.",
    "second-example": "Type your numbers in place of the dots.",
    "by-hand": "Make your own numbers first, then type into the boxes.",
    "by-hand-again": "Make your own numbers first, then type into the boxes.",
    "temperature": "Type a number in place of the dots.",
    "alignment": "Type a number in place of the dots.",
    "alignment-again": "Type a number in place of the dots.",
    "choose": "Type a letter, in quotes, in place of each of the dots.",
    "choose-again": "Type a letter, in quotes, in place of each of the dots.",
    "sort-heads": 'Type "specific", "flat" or "sink" in place of each of the dots.',
    "sort-heads-again": 'Type "specific", "flat" or "sink" in place of each of the dots.',
    "break-it": "Type a sentence, in quotes, in place of the dots.",
    "find-the-leak": "Type a letter, in quotes, and a number in place of the dots.",
    "find-the-leak-again": "Type a letter, in quotes, and a number in place of the dots.",
}
# The others call a verb of their own: test_ordering and test_lying have them.
TYPED = [exercise for exercise in ALL if not isinstance(exercise, OrderExercise | WrongLineExercise)]
every = pytest.mark.parametrize("exercise", TYPED, ids=lambda exercise: exercise.name)
of_every_kind = pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.name)


def defined_by(text, name):
    """Run a stub or a solution as a cell of its lesson, and give back what it defines."""
    cell = {"np": np, "softmax": softmax, "mine": personal_numbers(...)}
    cell |= {"black_boxes": black_boxes, "future_influence": future_influence}
    if name == "by-hand":
        cell["mine"] = personal_numbers("Ada")
    if name == "by-hand-again":
        cell["mine"] = personal_numbers("Ada", secret="again")
    before = set(cell)
    exec(text, cell)
    return {key: value for key, value in cell.items() if key not in before and key != "__builtins__"}


def answer_in(text, name):
    return list(defined_by(text, name).values())[-1]


@every
def test_a_stub_is_not_tried_yet_and_says_so_in_a_fixed_text(exercise):
    untouched = defined_by(exercise.stub.replace("mine", "..."), exercise.name)
    reports = [check(list(untouched.values())[-1], exercise.name) for _ in range(3)]
    assert {report.verdict for report in reports} == {"not tried yet"}
    assert {report.message for report in reports} == {
        UNTOUCHED.get(exercise.name, "Put your code in place of the dots, run its cell, and then this one.")
    }


@every
def test_a_solution_is_right(exercise):
    report = check(answer_in(exercise.solution, exercise.name), exercise.name)
    assert report.verdict == "right", report
    assert report.mistakes == ()
    assert report.message


@every
def test_a_stub_and_its_solution_define_the_same_name(exercise):
    stub, solution = defined_by(exercise.stub, exercise.name), defined_by(exercise.solution, exercise.name)
    assert list(stub) == list(solution)[-1:]
    first = exercise.stub.splitlines()[0]
    if isinstance(exercise, FunctionExercise):
        assert exercise.solution.splitlines()[0] == first
        names = re.search(r"\((.*)\)", first)[1].split(", ")
        assert names == list(exercise.inputs(np.random.default_rng(0), False)) == list(exercise.example())
    else:
        assert re.match(r"\w+ = ", exercise.stub)[0] in exercise.solution


@every
def test_a_stub_is_short_python_and_holds_nothing_of_the_solution(exercise):
    ast.parse(exercise.stub)
    ast.parse(exercise.solution)
    own = [line.strip() for line in exercise.solution.splitlines()[1:] if line.strip() not in ("", "}")]
    typed = [line for line in own if line not in ('"numbers": mine,', "by_hand = {")]
    assert not any(line in exercise.stub for line in typed)
    assert exercise.solution not in exercise.stub
    assert all(len(line) <= 100 for text in (exercise.stub, exercise.solution) for line in text.splitlines())


@of_every_kind
def test_three_hints_begin_with_a_question_and_count_nothing(exercise):
    assert len(exercise.hints) == len(set(exercise.hints)) == 3
    assert exercise.hints[0].endswith("?")
    for text in exercise.hints:
        assert 10 <= len(text) <= 160
        assert not re.search(r"\b\d+ (of|/) \d+\b|hint", text, re.IGNORECASE)


@of_every_kind
def test_minutes_difficulty_lesson_and_words_are_of_the_usual_kind(exercise):
    assert 2 <= exercise.minutes <= (15 if "streaming" in exercise.name else 8)
    assert exercise.difficulty in (1, 2, 3)
    assert exercise.lesson in KNOWN_LESSONS
    assert exercise.kind in ("write", "reorder", "find", "trace", "value")
    assert 40 <= len(exercise.task) <= 200
    assert exercise.task.endswith(".")
    assert 10 <= len(exercise.trains) <= 90
    assert re.fullmatch(r"[a-z]+(-[a-z]+|-\d\d)*", exercise.name)


def test_names_are_unique_and_are_their_keys():
    from attention_lab.exercises.catalogue import _ALL

    assert len({exercise.name for exercise in _ALL}) == len(_ALL) == len(EXERCISES)
    assert all(name == exercise.name for name, exercise in EXERCISES.items())


@every
def test_a_sibling_is_another_exercise_of_the_same_lesson_and_size(exercise):
    if exercise.sibling:
        sibling = EXERCISES[exercise.sibling]
        assert sibling is not exercise
        assert sibling.lesson == exercise.lesson
        assert not sibling.home or sibling.sibling != exercise.name
        assert (sibling.solution == exercise.solution) == ("mine" in exercise.solution)  # other numbers, the same way


def test_every_function_exercise_of_lesson_02_and_later_has_a_sibling():
    lacking = [
        exercise.name
        for exercise in ALL
        if isinstance(exercise, FunctionExercise)
        and exercise.home
        and exercise.lesson not in ("00", "01")
        and not exercise.sibling
    ]
    assert lacking == []


def test_every_exercise_without_a_home_is_somebodys_sibling():
    siblings = {exercise.sibling for exercise in ALL}
    assert [exercise.name for exercise in ALL if not exercise.home and exercise.name not in siblings] == []


def test_a_sibling_is_not_answered_by_the_solution_of_its_elder():
    for exercise in TYPED:
        if exercise.sibling and exercise.name not in ("second-example",):  # another kind of answer
            elder = answer_in(exercise.solution, exercise.name)
            assert check(elder, exercise.sibling).verdict != "right", exercise.name


def test_the_core_exercises_of_each_lesson_take_the_minutes_planned():
    assert set(CORE_MINUTES) >= set(LESSONS)
    for lesson, core in CORE_MINUTES.items():
        assert {name: EXERCISES[name].minutes for name in core} == core
        assert all(EXERCISES[name].lesson == lesson and EXERCISES[name].home for name in core)


def test_what_an_appendix_asks_is_for_who_likes():
    assert all(exercise.optional for exercise in ALL if exercise.lesson in APPENDICES and exercise.home)


def test_a_name_that_is_nearly_right_is_answered_with_the_right_one():
    assert closest("atention") == 'There is no exercise "atention"; did you mean "attention"?'
    assert closest("zzz").startswith('There is no exercise "zzz"; there are: first-check, rows, ')
    assert check(..., "by_hand").message == 'There is no exercise "by_hand"; did you mean "by-hand"?'


# --- Code in hints runs ---

NOT_CODE = {"<", "<=", "+=", "/=", "[...] =", "length", "np.log", "np.log2"}  # pieces of a line


def workbench():
    """Arrays of every name that a hint uses."""
    rng = np.random.default_rng(0)
    n, n_heads, d, d_k = 4, 2, 6, 3
    bench = {"np": np, "softmax": softmax, "n": n, "n_tokens": n, "n_heads": n_heads, "n_keys": n, "d_k": d_k}
    bench |= {"q": rng.normal(size=(n, d_k)), "k": rng.normal(size=(n, d_k)), "v": rng.normal(size=(n, d_k))}
    bench |= {"keys": rng.normal(size=(n, d_k))}
    bench |= {"scores": rng.normal(size=(n, n)), "weights": softmax(rng.normal(size=(n, n)))}
    bench |= {"x": rng.normal(size=(n, d)), "context": rng.normal(size=(5, d)), "values": rng.normal(size=(n, 2))}
    bench |= {name: rng.normal(size=(d, d_k)) for name in ("W_Q", "W_K", "W_V")}
    bench |= {"W_O": rng.normal(size=(n_heads, d_k, d)), "heads": rng.normal(size=(n_heads, n, d_k))}
    bench |= {"heads_side_by_side": rng.normal(size=(n, n_heads * d_k)), "output": rng.normal(size=(n_heads, n, d_k))}
    bench |= {"d_output": rng.normal(size=(n, d_k))}
    bench |= {name: rng.normal(size=(n, n)) for name in ("d_weights", "d_scores")}
    column, blend = rng.normal(size=(n, 1)), rng.normal(size=(n, d_k))
    bench |= dict.fromkeys(("max_1", "max_2", "sum_1", "maximum", "new", "total"), column)
    bench |= dict.fromkeys(("blend_1", "blend_2", "blend"), blend) | {"tile": n, "j": 0, "choose": choose}
    bench |= {"W": rng.normal(size=(d, d_k))}
    bench |= {"mask": np.tril(np.ones((n, n), bool)), "lengths": np.array([2, 3]), "width": 2, "temperature": 2.0}
    bench |= {"boxes": black_boxes("find-the-leak"), "future_influence": future_influence}
    bench |= {"d_model": d, "rates": np.ones(d // 2), "a": np.ones((n, 3)), "b": np.ones((n, 3))}
    bench |= {"angles": rng.normal(size=(n, 3))}
    return bench | {"table": rng.uniform(size=(n, n)), "entropy": np.ones(n), "by_hand": {}}


def hints_with_code():
    owners = [(exercise.name, exercise.hints) for exercise in ALL]
    owners += [(mistake.code, mistake.hints) for mistake in MISTAKES]
    return [pytest.param(text, id=f"{owner}: {text}") for owner, hints in owners for text in hints if "`" in text]


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
@pytest.mark.parametrize("text", hints_with_code())
def test_code_in_a_hint_runs(text):
    bench = workbench()
    for code in re.findall(r"`([^`]+)`", text):
        if code in NOT_CODE or code.startswith(("(n_", "scores = [q · ")):
            continue  # a piece, a shape, or a line with words in it
        if code == "scores = k @ q":  # one query
            bench["q"] = bench["q"][0]
        if code == "mask[:, None, :]":  # one row for each sentence
            bench["mask"] = np.ones((2, 4), bool)
        if code.startswith("attention_lab."):
            continue  # where to import from
        if code.startswith("return "):
            code = code.removeprefix("return ")
        exec(code.replace("np.tril(...)", "np.tril(weights)"), bench)


def test_each_third_hint_of_an_exercise_that_is_a_line_of_code_is_right():
    for name, arguments in {
        "rows": ("table",),
        "scores": ("q", "k"),
        "blend": ("weights", "values"),
        "causal-mask": ("n",),
        "window-mask": ("n", "width"),
        "padding-mask": ("lengths", "n_keys"),
        "entropy": ("weights",),
    }.items():
        line = re.search(r"`([^`]+)`", EXERCISES[name].hints[2])[1]
        function = eval(f"lambda {', '.join(arguments)}: {line}", {"np": np, "softmax": softmax})
        assert check(function, name).verdict == "right", name
