import pytest

from tests.claims import ledger
from tests.claims.page import PAGE, cells_that_show, written
from tests.run_notebooks import NOTEBOOKS

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
def test_a_measured_claim_is_shown_in_a_lesson_that_it_belongs_to(name: str) -> None:
    lessons = {link.split("]")[0].lstrip("[")[:2] for link in cells_that_show().get(name, [])}
    assert lessons & {lesson[:2] for lesson in CLAIMS[name].lessons}


def test_every_claim_that_a_cell_names_is_in_the_ledger() -> None:
    assert set(cells_that_show()) <= set(CLAIMS)


def test_a_lesson_that_is_written_measures_its_claims() -> None:
    written_lessons = {path.stem[:2] for path in NOTEBOOKS.glob("[0-9]*.ipynb")}
    without = [name for name, claim in CLAIMS.items() if not claim.measure and set(claim.lessons) & written_lessons]
    assert without == []


def test_the_page_is_what_the_ledger_and_the_lessons_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == written(), "run python -m tests.claims"


def _flat(value: object) -> list[float]:
    return [number for part in value for number in _flat(part)] if isinstance(value, list) else [float(value)]
