"""As ``mutations``, for the exercises: a name, the source text, and what stands there instead."""

MUTATIONS = {
    "exercises/steps": [
        ("the scale is gone", "s.scores / np.sqrt(s.q.shape[-1])", "s.scores"),
        ("the scale is d_k", "s.scores / np.sqrt(s.q.shape[-1])", "s.scores / s.q.shape[-1]"),
        ("the temperature multiplies", "s.scores / s.temperature", "s.scores * s.temperature"),
        ("the softmax runs down the columns", "| None = -1) -> Array", "| None = -2) -> Array"),
        ("the softmax overflows", "np.exp(scores - scores.max(axis=axis, keepdims=True))", "np.exp(scores)"),
        (
            "heads are cut by a reshape",
            "x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3)",
            "x.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)",
        ),
        ("heads are joined by a reshape", "side_by_side = heads.swapaxes(-2, -3)", "side_by_side = heads"),
        ("a window is one wider", "np.abs(shifted(s)) < s.width", "np.abs(shifted(s)) <= s.width"),
        ("no word sees itself", "shifted(s) <= 0", "shifted(s) < 0"),
        ("hidden is visible", "s.hidden(s.scores, s.mask != 0)", "s.hidden(s.scores, s.mask == 0)"),
        ("an empty row keeps its weights", "keepdims=True), s.weights, 0)", "keepdims=True), s.weights, s.weights)"),
        ("keys are blended", "lambda s: s.weights @ s.v)", "lambda s: s.weights @ s.k)"),
        ("W_O is left out", "lambda s: s.output @ flat(s.W_O))", "lambda s: s.output)"),
        ("x supplies the values", "lambda s: s.context @ s.W_V", "lambda s: s.x @ s.W_V"),
        ("words are bits", "lambda s: 2**s.bits", "lambda s: s.bits"),
    ],
    "exercises/diagnose": [
        ("one run is enough", "for j in range(len(self.runs)):", "for j in range(1):"),
        ("two mistakes are not looked for", " or finder.two()", ""),
        ("a fixed scale is not looked for", " or finder.fixed_scale(())", ""),
        ("all hide with -inf", 'HIDING if "hide" in exercise.program else HIDING[:1]', "HIDING[:1]"),
        ("infinities and NaN are alike", "theirs[~finite], equal_nan=True)", "ours[~finite], equal_nan=True)"),
        ("a tenth off is the same", "TOLERANCE = 1e-5", "TOLERANCE = 1e-1"),
        ("float32 is wrong", "TOLERANCE = 1e-5", "TOLERANCE = 1e-9"),
    ],
}
