"""Why divide by the root of d_k."""

from attention_lab import scaled_dot_product_attention
from attention_lab.examples import BANK
from tests.claims import Claim


def _river_with_and_without_the_scale() -> list[float]:
    return [
        float(scaled_dot_product_attention(BANK.q, BANK.k, BANK.v, scale=scale).weights[1, 2]) for scale in (None, 1.0)
    ]


CLAIMS = {
    "scale-toy": Claim(
        "Without the scale the toy moves only from 98.2 % to 99.7 %.",
        ("02", "03"),
        _river_with_and_without_the_scale,
        [0.982, 0.997],
        0.0005,
    ),
    "scale-variance": Claim("The variance of a query times a key grows with d_k.", ("03",)),
    "scale-spread": Claim("At d_k = 64 raw scores lie dozens apart.", ("03",)),
    "scale-collapse": Claim("Such a spread makes the softmax nearly one-hot.", ("03",)),
    "scale-gradient": Claim("The other paths' gradient goes to zero, and learning stops.", ("03", "appendix_scaling")),
    "scale-cure": Claim("Dividing by the root of d_k brings the spread back to the toy's.", ("03",)),
    "scale-temperature": Claim("Temperature is the same knob; too high makes the weights uniform.", ("03", "08")),
}
