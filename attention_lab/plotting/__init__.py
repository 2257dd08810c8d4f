"""Every picture of the course; the only room that imports matplotlib. Arrays come in, a Picture goes out."""

from attention_lab.plotting.blend import colour_blend
from attention_lab.plotting.curves import curves
from attention_lab.plotting.doctor import doctor_map
from attention_lab.plotting.grid import head_grid
from attention_lab.plotting.heatmap import heatmap
from attention_lab.plotting.leak import leak_map
from attention_lab.plotting.picture import Picture
from attention_lab.plotting.points import points
from attention_lab.plotting.roles import role_maps
from attention_lab.plotting.roofline import roofline
from attention_lab.plotting.row import row_arrows, row_bars
from attention_lab.plotting.trade_off import trade_off

__all__ = [
    "Picture",
    "colour_blend",
    "curves",
    "doctor_map",
    "head_grid",
    "heatmap",
    "leak_map",
    "points",
    "role_maps",
    "roofline",
    "row_arrows",
    "row_bars",
    "trade_off",
]
