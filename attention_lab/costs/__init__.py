"""What attention costs: counted from its sizes, measured, and fitted; and which kind of it a case needs."""

from attention_lab.costs.choice import Choice, choose
from attention_lab.costs.counted import MODELS, Cost, attention_cost
from attention_lab.costs.machine import A100, H100, Machine
from attention_lab.costs.measured import Growth, growth, peak_memory, seconds
from attention_lab.costs.rates import exponential_rate, machine_rates, matrix_rate, memory_rate
from attention_lab.costs.traffic import Work, plain_work, streaming_work

__all__ = [
    "A100",
    "H100",
    "MODELS",
    "Choice",
    "Cost",
    "Growth",
    "Machine",
    "Work",
    "attention_cost",
    "choose",
    "exponential_rate",
    "growth",
    "machine_rates",
    "matrix_rate",
    "memory_rate",
    "peak_memory",
    "plain_work",
    "seconds",
    "streaming_work",
]
