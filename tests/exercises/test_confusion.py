"""No known mistake is called what it is not; ``python -m tests.exercises.confusion`` tries 1,000 inputs for each."""

from collections import Counter

import pytest

from tests.exercises.confusion import FUNCTIONS, Made, all_made, faults, told

INPUTS = 4


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_every_known_mistake_is_called_by_its_name(exercise):
    wrong = [fault for made in all_made(exercise) for fault in faults(made, told(made, INPUTS))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "counts", [{"mask-inverted": 4}, {"scale-missing": 3, "right": 1}, {"unknown": 4}, {"scale-missing+nan-row": 4}]
)
def test_a_mistake_with_another_name_or_two_names_is_a_fault(counts):
    assert faults(Made("attention", "scale-missing", 0, 0), Counter(counts))
