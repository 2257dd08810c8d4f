"""Numbers about attention: how broadly a word looks, what a head does, and whether the future leaks."""

from attention_lab.diagnostics.doctor import HeadReport, head_doctor
from attention_lab.diagnostics.entropy import attention_entropy
from attention_lab.diagnostics.leaks import CausalityError, assert_causal, future_influence
from attention_lab.diagnostics.leaning import leaning
from attention_lab.diagnostics.log import HeadLog
from attention_lab.diagnostics.ranks import auc, rank_correlation
from attention_lab.diagnostics.roles import head_roles, role_score

__all__ = [
    "CausalityError",
    "HeadLog",
    "HeadReport",
    "assert_causal",
    "attention_entropy",
    "auc",
    "future_influence",
    "head_doctor",
    "head_roles",
    "leaning",
    "rank_correlation",
    "role_score",
]
