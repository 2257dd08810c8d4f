"""As ``mutations``, for attention at a lower cost."""

TESTS = {
    f"approximations/{name}": [f"approximations/test_{name}"]
    for name in ("error", "sparse", "linear", "random_features", "rounding", "family")
}
MUTATIONS = {
    "approximations/error": [
        ("beside the output", "np.linalg.norm(exact, axis", "np.linalg.norm(output, axis"),
        ("one error for all heads", "(output - exact, axis=(-2, -1))", "(output - exact)"),
        (
            "the root is forgotten",
            "/ np.linalg.norm(exact, axis=(-2, -1))",
            "** 2 / np.linalg.norm(exact, axis=(-2, -1))",
        ),
    ],
    "approximations/sparse": [
        ("the first block is not seen", "[i, 0, i - 1, i + 1,", "[i, i - 1, i + 1,"),
        ("the own block may be missed", "[i, 0, i - 1,", "[0, i - 1, i,"),
        ("the first block looks at the last", "if 0 <= j < n_blocks", "if j < n_blocks"),
        ("nothing is left to chance", "*rng.permutation(n_blocks).tolist()", "*range(n_blocks)"),
        ("looked at instead of looking", "np.repeat(seen[i], size)", "np.repeat(seen[:, i], size)"),
        ("one block too many", "[:n_seen]] = True", "[: n_seen + 1]] = True"),
        ("masks of numbers pass", "if seen.dtype != np.bool_:", "if False:"),
        ("what is left over is cut off", "or n_tokens % n_blocks:", ":"),
    ],
    "approximations/linear": [
        ("no one is added", "np.where(x > 0, x + 1,", "np.where(x > 0, x,"),
        (
            "hidden words still count in the sum",
            "alike.sum(axis=-1, keepdims=True)",
            "(features(q) @ features(k).swapaxes(-1, -2)).sum(axis=-1, keepdims=True)",
        ),
        ("columns sum to 1", "alike.sum(axis=-1", "alike.sum(axis=-2"),
        ("an empty row is NaN", "np.where(total == 0, 1, total)", "total"),
        ("only the last word is kept", "state += offers", "state = offers"),
        (
            "a word does not see itself",
            "asks[..., i, None, :] @ state)",
            "asks[..., i, None, :] @ (state - offers[..., i, :, None] * values[..., i, None, :]))",
        ),
        ("queries are not turned into features", "_read(features(q) @ state)", "_read(q @ state)"),
        ("sums are not divided", "return _share(blends[..., :-1], blends[..., -1:])", "return blends[..., :-1]"),
    ],
    "approximations/random_features": [
        ("not scaled by the width", "type(d_k**-0.25)", "type(d_k**-0.5)"),
        ("half of the square is missing", "keepdims=True) / 2", "keepdims=True)"),
        ("not divided by how many there are", " / x.dtype.type(math.sqrt(n_features))", ""),
        ("the length is forgotten", "directions.T - half_square", "directions.T"),
        ("no features pass", 'positive_number("n_features", n_features)', "n_features"),
    ],
    "approximations/rounding": [
        ("one number more", "2 ** (bits - 1) - 1)", "2 ** (bits - 1))"),
        ("cut off instead of rounded", "np.rint(x / scale)", "np.trunc(x / scale)"),
        ("one scale for all", "max(axis=axis, keepdims=True, initial=0)", "max(initial=0)"),
        ("weights keep all bits", "rounded(weights, bits) @", "weights @"),
        ("values have a scale for each word", "rounded(v, bits, axis=-2)", "rounded(v, bits)"),
        ("keys keep all bits", "rounded(k, bits)", "k"),
        ("one bit passes", "_BITS = (2, 32)", "_BITS = (1, 32)"),
    ],
    "approximations/family": [
        ("the first word is always seen", "mask[:, 0] |= first", "mask[:, 0] = True"),
        (
            "a window above the budget",
            "        if mask.mean() > budget:\n            break\n        best = mask",
            "        best = mask\n        if mask.mean() > budget:\n            break",
        ),
        ("twice the random features", "int(budget * n_tokens / 2)", "int(budget * n_tokens)"),
        ("bits cost half", "bits / 32", "bits / 64"),
        ("linear attention is cheap", "2 * d_k * d_v / (n_tokens", "d_k * d_v / (n_tokens"),
        ("the average over the wrong axis", "v.mean(axis=-2, keepdims=True)", "v.mean(axis=-1, keepdims=True)"),
        ("what is dearer is within the budget", "self.errors[name][n_points - 1]", "self.errors[name][-1]"),
        ("the largest error is typical", "np.median(errors", "np.max(errors"),
        ("halves are not rounded", ".astype(np.float16)", ""),
    ],
}
