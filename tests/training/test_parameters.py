"""Named arrays in one piece."""

import numpy as np

from attention_lab.training.parameters import Parameters


def test_every_array_is_a_view_into_the_flat_one():
    learned = Parameters({"W": np.arange(6.0).reshape(2, 3), "b": np.array([7.0, 8.0])})
    assert learned.flat.tolist() == [0, 1, 2, 3, 4, 5, 7, 8]
    learned.flat[4] = 9
    assert learned["W"].tolist() == [[0, 1, 2], [3, 9, 5]]
    learned["b"][0] = 1
    assert learned.flat[6] == 1
    assert list(learned) == ["W", "b"]
    assert len(learned) == 8


def test_a_gradient_lies_beside_its_array_and_starts_at_0():
    learned = Parameters({"W": np.ones((2, 3)), "b": np.ones(2)})
    assert not learned.flat_gradient.any()
    learned.gradient("b")[1] = 5
    assert learned.flat_gradient.tolist() == [0] * 7 + [5]


def test_the_number_type_is_the_one_asked_for_and_the_start_is_not_shared():
    start = np.ones((2, 2))
    learned = Parameters({"W": start}, np.float32)
    assert learned["W"].dtype == learned.flat_gradient.dtype == np.float32
    learned["W"][0, 0] = 3
    assert start[0, 0] == 1
