"""Every goal of every explorer, by its name."""

from attention_lab.explorers.edit_goals import EDIT_GOALS
from attention_lab.explorers.goal import Goal
from attention_lab.explorers.mask_goals import MASK_GOALS

GOALS: dict[str, Goal] = {goal.name: goal for goal in (*EDIT_GOALS, *MASK_GOALS)}
