"""Sorting maps: what a sharp one says."""

from attention_lab.exercises.mistake import Mistake

MISTAKES = (
    Mistake(
        "sharp-taken-for-specific",
        "a sharp map taken for a specific one",
        lambda s: "You call a head specific whose words all look at the same column.",
        "A sink is sharp and says nothing about any of the words: a head is specific if they look at different ones.",
        (
            "Would another word in the row's place change where it looks?",
            "Look at the columns: a sink has one, of the same colour from top to bottom.",
            "`weights.mean(axis=0)` is what each column gets; half of all, in one of them, is a sink.",
        ),
    ),
)
