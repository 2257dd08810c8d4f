"""How far a word may look, and the trap."""

from tests.claims import Claim

CLAIMS = {
    "mask-bidirectional": Claim(
        "Without a mask a word sees before and after, right when the whole sequence is there.", ("04",)
    ),
    "mask-causal-zero": Claim("-inf before the softmax gives a weight of exactly 0.", ("04",)),
    "mask-only-difference": Claim(
        "That restriction is the difference between encoder- and decoder-style attention.", ("04",)
    ),
    "mask-before-not-after": Claim("The mask goes before the softmax.", ("04",)),
    "mask-every-head": Claim("Decoder-only models need it in every head and every layer.", ("04",)),
    "trap-loss": Claim("Without the mask the training loss goes below the text's own entropy.", ("04",)),
    "trap-generation": Claim("And what the model then writes is near random.", ("04",)),
    "use-encoder": Claim(
        "Bidirectional attention for classification and understanding.", ("04", "appendix_mask_museum")
    ),
}
