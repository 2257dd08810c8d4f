"""What attention costs, and which method to choose."""

from tests.claims import Claim

CLAIMS = {
    "cost-quadratic": Claim("Comparing all with all: twice the length, four times the work and memory.", ("07",)),
    "cost-memory-8k": Claim("Past about 8k tokens the memory of the scores is the bottleneck.", ("07",)),
    "cost-streaming-exact": Claim("Tiling gives the same result exactly, with O(n) memory.", ("07",)),
    "cost-speed": Claim("On a GPU it is two to four times faster.", ("07", "appendix_machine")),
    "cost-family": Claim(
        "Sparse, windowed and other tricks trade error for cost; exact first.", ("07", "appendix_tricks")
    ),
    "choose": Claim("Encoder, causal, cross; exact first, approximate last.", ("07",)),
}
