"""No test of questions touches a learner's own diary."""

from tests.exercises.conftest import a_diary_of_its_own  # noqa: F401 - a fixture
