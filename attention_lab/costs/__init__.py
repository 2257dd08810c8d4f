"""What attention costs: counted from its sizes, measured, and fitted; and which kind of it a case needs."""

from attention_lab.costs.choice import Choice, choose
from attention_lab.costs.counted import Cost, attention_cost
from attention_lab.costs.measured import Growth, growth, peak_memory, seconds

__all__ = ["Choice", "Cost", "Growth", "attention_cost", "choose", "growth", "peak_memory", "seconds"]
