"""The mutation run still means something: each of its mutants breaks source text that is there, once."""

import ast
from collections import Counter

import pytest

from tests.mutants import MUTANTS, ROOT, TESTS, MutationError, source_of

SOURCES = {module: source_of(module).read_text(encoding="utf-8") for module in TESTS}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.module}: {mutant.name}")
def test_a_mutant_changes_the_source_and_leaves_it_python(mutant):
    mutated = mutant.mutate(SOURCES[mutant.module])
    assert mutated != SOURCES[mutant.module]
    ast.parse(mutated)


def test_there_are_mutants_of_every_module_each_with_a_name_of_its_own():
    assert Counter(mutant.module for mutant in MUTANTS).keys() == TESTS.keys()
    assert max(Counter((mutant.module, mutant.name) for mutant in MUTANTS).values()) == 1


def test_the_tests_of_every_module_exist():
    for names in TESTS.values():
        assert all((ROOT / "tests" / f"{name}.py").is_file() for name in names)


def test_a_source_text_that_no_longer_occurs_is_an_error():
    with pytest.raises(MutationError, match=r"^attention, .*: the source has 0 times"):
        next(mutant for mutant in MUTANTS if mutant.module == "attention").mutate("")
