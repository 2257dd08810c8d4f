"""Many heads, and one sequence that asks another."""

from tests.claims import Claim

CLAIMS = {
    "heads-one-kind": Claim("One pass captures one kind of relation.", ("05", "appendix_depth")),
    "heads-own-matrices": Claim(
        "Each head has its own W_Q, W_K, W_V, and so its own queries, keys and values.", ("05",)
    ),
    "heads-specialise": Claim("Heads specialise: grammar, meaning, position.", ("05", "08")),
    "heads-combined": Claim("Their outputs are combined.", ("05",)),
    "cross-attention": Claim(
        "One sequence asks another: translation, captions, conditioning.", ("06", "appendix_conditioning")
    ),
}
