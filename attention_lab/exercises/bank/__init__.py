"""The bank of known mistakes, by the step that they are made in. Adding one is one entry; the tests pick it up.

Where two of them compute the same, the one that stands first is named.
"""

from attention_lab.exercises.bank import (
    cache,
    compare_and_blend,
    gradient,
    heads,
    hide,
    maps,
    pairs,
    positions,
    roles,
    scale,
    small,
    streaming,
    weigh,
)
from attention_lab.exercises.mistake import Mistake

MISTAKES: tuple[Mistake, ...] = (
    *scale.MISTAKES,
    *weigh.MISTAKES,
    *compare_and_blend.MISTAKES,
    *hide.MISTAKES,
    *heads.MISTAKES,
    *small.MISTAKES,
    *roles.MISTAKES,
    *pairs.MISTAKES,
    *maps.MISTAKES,
    *gradient.MISTAKES,
    *positions.MISTAKES,
    *streaming.MISTAKES,
    *cache.MISTAKES,
)
BY_CODE = {mistake.code: mistake for mistake in MISTAKES}
