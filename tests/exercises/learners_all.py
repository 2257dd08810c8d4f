"""All that learners write, in one table."""

from tests.exercises import (  # noqa: F401 - each fills the table
    learners_blend,
    learners_cache,
    learners_carried,
    learners_cross,
    learners_gradient,
    learners_heads,
    learners_hide,
    learners_masks,
    learners_pairs,
    learners_positions,
    learners_right,
    learners_right_heads,
    learners_roles,
    learners_scale,
    learners_siblings,
    learners_small,
    learners_streaming,
    learners_unknown,
    learners_weigh,
)
from tests.exercises.learners_table import TABLE

RIGHT = [row for row in TABLE if row.expected == ("right",)]
UNKNOWN = [row for row in TABLE if row.expected == ("unknown",)]
KNOWN = [row for row in TABLE if row.expected not in (("right",), ("unknown",))]
PAIRS = [row for row in KNOWN if len(row.expected) == 2]


def verdict_and_codes(report):
    """What a report says, in a form that can be compared."""
    return report.verdict, tuple(sorted(report.mistakes))


def wanted(row):
    """What it should say."""
    if row.expected == ("right",):
        return "right", ()
    return "not yet", () if row.expected == ("unknown",) else tuple(sorted(row.expected))
