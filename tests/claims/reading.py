"""Reading a real model."""

from tests.claims import Claim

CLAIMS = {
    "read-known-example": Claim("Look at a known example before trusting a model.", ("08",)),
    "read-diffuse": Claim("Related words or diffuse noise: how to tell.", ("08",)),
    "read-uniform": Claim("Uniform weights mean an untrained head or a temperature too high.", ("08",)),
    "read-entropy": Claim("Log the entropy of each head and layer: low is specific, high is broad.", ("08",)),
}
