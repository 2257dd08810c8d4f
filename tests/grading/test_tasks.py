"""What can be assigned."""

import pytest

from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.grading.listing import KINDS
from attention_lab.grading.tasks import POINTS_A_STEP, tasks, variants
from attention_lab.prompts.items import PREDICTIONS

TASKS = tasks()


def test_every_exercise_that_needs_no_numbers_of_its_own_can_be_assigned():
    left = set(EXERCISES) - set(TASKS)
    assert {(EXERCISES[name].kind, EXERCISES[name].home) for name in left} == {("trace", False)}


def test_every_prediction_can_be_assigned_for_committing_alone():
    for item in PREDICTIONS:
        task = TASKS[item.name]
        assert task.points == 1
        assert task.proof == task.shown  # whatever letter was typed


def test_every_kind_is_explained_to_instructors():
    assert {task.kind for task in TASKS.values()} <= set(KINDS)


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_a_task_has_what_a_notebook_and_a_list_need(task):
    assert task.minutes > 0
    assert task.points > 0
    assert task.trains
    assert task.text
    assert bool(task.proof) != bool(task.model)  # points by a cell, or by a person
    assert bool(task.stub) == bool(task.proof)


def test_points_follow_from_the_difficulty():
    assert {TASKS[name].points / EXERCISES[name].difficulty for name in TASKS if name in EXERCISES} == {POINTS_A_STEP}


def test_a_variant_is_a_sibling_of_the_same_kind():
    assert variants("attention") == ["attention-temperature"]
    assert variants("order-attention") == []  # its sibling is another kind of exercise
    assert variants("by-hand") == []
    assert variants("who-looks-at-whom") == []
    for name in TASKS:
        for other in variants(name):
            assert TASKS[other].kind == TASKS[name].kind
