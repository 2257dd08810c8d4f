"""No test of assignments touches a person's own diary."""

from tests.exercises.conftest import a_diary_of_its_own

__all__ = ["a_diary_of_its_own"]
