import numpy as np
import pytest

from tests.claims import Claim, ledger
from tests.claims.page import PAGE, cells_that_show, written
from tests.lesson_numbers import numbers
from tests.run_notebooks import lessons

CLAIMS = ledger()
MEASURED = [name for name, claim in CLAIMS.items() if claim.measure]


@pytest.mark.parametrize("name", MEASURED)
def test_a_claim_holds(name: str) -> None:
    claim = CLAIMS[name]
    measured = claim.measure()
    assert claim.holds(measured), f"{claim.says}\n  measured {measured}, expected {claim.expected}"


@pytest.mark.parametrize("name", MEASURED)
def test_a_claim_can_fail(name: str) -> None:
    claim = CLAIMS[name]
    other = "something else" if isinstance(claim.expected, str) else None
    if other is None:
        assert not claim.holds([[2.5 * number + 1 for number in _flat(claim.expected)]])
    else:
        assert not claim.holds(other)


@pytest.mark.parametrize("name", MEASURED)
def test_a_claim_says_the_numbers_that_it_expects_and_measures(name: str) -> None:
    claim = CLAIMS[name]
    if isinstance(claim.expected, str):
        assert not numbers(claim.says)
        return
    assert claim.says_what_is(_flat(claim.expected)), f"{claim.says}\n  expected {claim.expected}"
    assert claim.says_what_is(_flat(np.asarray(claim.measure()).tolist())), f"{claim.says}\n  measured otherwise"


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_says_each_number_that_is_given(name: str) -> None:
    assert set(CLAIMS[name].given) <= {number.value for number in numbers(CLAIMS[name].says)}


@pytest.mark.parametrize(
    "says",
    ["The scores are 4, 2 and 11.", "The scores are 2, 4 and 10.", "The scores are 4 and 2.", "Of 3: 4, 2, 10 and 10."],
)
def test_a_claim_that_says_another_number_is_found(says: str) -> None:
    assert Claim("Of 3: 4, 2 and 10.", ("02",), given=(3,)).says_what_is([4, 2, 10])
    assert not Claim(says, ("02",), given=(3,)).says_what_is([4, 2, 10])


def test_a_claim_says_shares_as_percentages_rounded_as_written() -> None:
    assert Claim("From 98.2 % to 99.7%.", ("03",)).says_what_is([0.9825, 0.9972])
    assert not Claim("From 98.2 % to 99.8%.", ("03",)).says_what_is([0.9825, 0.9972])


@pytest.mark.parametrize("name", MEASURED)
def test_a_measured_claim_is_shown_in_a_lesson_that_it_belongs_to(name: str) -> None:
    lessons = {link.split("]")[0].lstrip("[")[:2] for link in cells_that_show().get(name, [])}
    assert lessons & {lesson[:2] for lesson in CLAIMS[name].lessons}


def test_every_claim_that_a_cell_names_is_in_the_ledger() -> None:
    assert set(cells_that_show()) <= set(CLAIMS)


def test_a_lesson_that_is_written_measures_its_claims() -> None:
    written_lessons = {path.stem[:2] for path in lessons()}
    without = [name for name, claim in CLAIMS.items() if not claim.measure and set(claim.lessons) & written_lessons]
    assert without == []


def test_the_page_is_what_the_ledger_and_the_lessons_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == written(), "run python -m tests.claims"


def _flat(value: object) -> list[float]:
    return [number for part in value for number in _flat(part)] if isinstance(value, list) else [float(value)]
