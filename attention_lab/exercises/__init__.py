"""What a learner writes, and what is said of it: exercises, the bank of known mistakes, hints, solutions, progress."""

from attention_lab.exercises.black_boxes import black_boxes
from attention_lab.exercises.checking import check
from attention_lab.exercises.help import hint, progress, solution
from attention_lab.exercises.lying import wrong_line
from attention_lab.exercises.ordering import order
from attention_lab.exercises.personal import personal_numbers
from attention_lab.exercises.report import Report

__all__ = ["Report", "black_boxes", "check", "hint", "order", "personal_numbers", "progress", "solution", "wrong_line"]
