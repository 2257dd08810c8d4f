"""The head doctor: by hand, laws, verdicts on real, untrained and shuffled models, refusals."""

import csv

import numpy as np
import pytest

from attention_lab import ShapeError, causal_mask
from attention_lab.diagnostics import attention_entropy, head_doctor, head_roles
from attention_lab.diagnostics.doctor import NUMBERS, RULES
from attention_lab.pretrained import UniformHead, ZeroHead, load_encoder, shuffled, untrained

N = 8
EVEN = np.full((N, N), 1 / N)
BEFORE = np.eye(N, k=-1)
BEFORE[0, 0] = 1
SINK = np.full((N, N), 0.3 / (N - 1))
SINK[:, 2] = 0.7
HALVES = np.zeros((N, N))
HALVES[:, :4] = HALVES[4:, 4:] = 0.25
HALVES[4:, :4] = 0
FIVE = {"specific": BEFORE, "uniform": EVEN, "sink": SINK, "broad": HALVES, "dead": np.zeros((N, N))}
STEEP = "The bank by the river was steep."


def of(*maps, **more):
    return head_doctor(np.stack(maps)[None], **more)


@pytest.fixture(scope="module")
def encoder():
    return load_encoder()


def test_each_verdict_by_hand():
    assert of(*FIVE.values()).verdict.tolist() == [list(FIVE)]
    assert set(FIVE) == set(RULES)


def test_the_numbers_of_a_sink_by_hand():
    report = of(SINK)
    assert report.sink_key.item() == 2
    np.testing.assert_allclose(report.sink_share, [[0.7]])
    np.testing.assert_allclose(report.uniformity, [[1 - (0.7 - 1 / 8)]])
    np.testing.assert_allclose(report.entropy_without_sink, [[1]])
    rest = 0.3 / 7
    np.testing.assert_allclose(report.entropy, [[-(0.7 * np.log2(0.7) + 7 * rest * np.log2(rest)) / 3]])
    np.testing.assert_allclose(report.previous, [[(6 * rest + 0.7) / 7]])


def test_the_numbers_of_a_head_that_looks_at_the_word_before_by_hand():
    report = of(BEFORE, tokens=list("abcdefgh"))
    assert report.previous.item() == 1
    assert report.following.item() == 0
    assert report.itself.item() == 1 / 8
    assert np.isnan(report.same.item())
    assert report.entropy.item() == 0


def test_a_threshold_belongs_to_its_verdict():
    half = np.full((N, N), 0.5 / (N - 1))
    half[:, 0] = 0.5
    assert of(half).verdict.item() == "sink"
    half[:, 0] = 0.49
    half[:, 1:] = 0.51 / (N - 1)
    assert of(half).verdict.item() == "broad"
    two_keys = np.stack([np.roll([0.5, 0.5, 0, 0], i) for i in range(4)])
    assert of(two_keys).entropy.item() == 0.5
    assert of(two_keys).verdict.item() == "specific"


def test_a_sharp_sink_is_a_sink_and_no_specific_head():
    only = np.zeros((N, N))
    only[:, 0] = 1
    report = of(only)
    assert report.entropy.item() == 0
    assert report.verdict.item() == "sink"
    assert np.isnan(report.entropy_without_sink.item())


def test_the_numbers_are_those_of_the_other_diagnostics():
    weights = np.random.default_rng(0).dirichlet(np.full(N, 0.3), size=(2, 3, N))
    words = list("abcaabca")
    report, roles = head_doctor(weights, words), head_roles(weights, words)
    entropy = attention_entropy(weights, normalised=True).mean(axis=-1)
    np.testing.assert_allclose(report.entropy, entropy, atol=1e-12)
    for mine, role in (("previous", "previous word"), ("following", "next word"), ("same", "same word")):
        np.testing.assert_allclose(getattr(report, mine), roles[role], atol=1e-12)


def test_the_order_of_heads_and_layers_is_the_order_of_the_report():
    weights = np.stack([np.stack([BEFORE, SINK, EVEN]), np.stack([EVEN, BEFORE, SINK])])
    assert head_doctor(weights).verdict.tolist() == [["specific", "sink", "uniform"], ["uniform", "specific", "sink"]]


def test_with_a_mask_an_even_head_is_even_among_what_it_may_see():
    mask = causal_mask(N)
    even = mask / mask.sum(axis=-1, keepdims=True)
    report = of(even, mask=mask)
    assert report.verdict.item() == "uniform"
    np.testing.assert_allclose([report.entropy, report.uniformity, report.entropy_without_sink], 1)
    assert of(even).verdict.item() == "broad"


def test_the_first_word_of_a_decoder_has_no_choice_and_no_say_in_a_sink():
    first = np.zeros((N, N))
    first[:, 0] = [1, *[0.4] * (N - 1)]
    first[1:, 1:] = 0.6 * np.tril(np.ones((N - 1, N - 1))) / np.arange(1, N)[:, None]
    report = of(first, mask=causal_mask(N))
    np.testing.assert_allclose(report.sink_share, [[0.4]])
    assert report.verdict.item() != "sink"


def test_half_precision_is_measured_in_full():
    report, half = of(SINK), of(SINK.astype(np.float16))
    np.testing.assert_allclose(half.entropy, report.entropy, rtol=1e-3)
    assert half.entropy.dtype == half.uniformity.dtype == np.float64


def test_a_row_that_may_look_nowhere_does_not_make_a_head_dead():
    mask = np.ones((N, N), bool)
    mask[5] = False
    assert of(np.where(mask, EVEN, 0), mask=mask).verdict.item() == "uniform"
    assert of(np.where(mask, EVEN, 0)).verdict.item() == "dead"


def test_a_dead_head_has_no_numbers_and_spoils_no_other():
    broken = BEFORE.copy()
    broken[3, 5] = np.nan  # one number is enough
    report = of(broken, BEFORE)
    assert report.verdict.tolist() == [["dead", "specific"]]
    assert report.sink_key[0, 0] == -1
    assert all(np.isnan(getattr(report, name)[0, 0]) for name in NUMBERS if name != "sink_key")
    np.testing.assert_array_equal(report.previous[0, 1], of(BEFORE).previous[0, 0])


def test_a_trained_model_has_sinks_and_specific_heads_and_no_uniform_one(encoder):
    report = head_doctor(encoder.read(STEEP).weights)
    counts = {name: int((report.verdict == name).sum()) for name in RULES}
    assert counts == {"dead": 0, "uniform": 0, "sink": 41, "specific": 3, "broad": 28}
    assert report.verdict[0, 2] == report.verdict[1, 8] == "specific"
    assert report.verdict[1, 11] == "sink"
    assert report.previous[0, 2] > 0.99
    assert report.following[1, 8] == report.following.max()


@pytest.mark.parametrize("seed", range(3))
def test_every_head_of_an_untrained_model_is_uniform(encoder, seed):
    for text in (STEEP, "She gave it to him."):
        report = head_doctor(untrained(encoder, np.random.default_rng(seed)).read(text).weights)
        assert (report.verdict == "uniform").all()
        assert report.entropy.min() > 0.99


@pytest.mark.parametrize("seed", range(3))
def test_a_shuffled_model_is_broad_or_uniform_but_for_a_head_or_two(encoder, seed):
    report = head_doctor(shuffled(encoder, np.random.default_rng(seed)).read(STEEP).weights)
    assert np.isin(report.verdict, ["broad", "uniform"]).sum() >= 70
    assert (report.verdict == "uniform").any()


def test_cut_heads_are_seen(encoder):
    report = head_doctor(encoder.read(STEEP, cut=[ZeroHead(0, 2), UniformHead(3, 4)]).weights)
    assert report.verdict[0, 2] == "dead"
    assert report.verdict[3, 4] == "uniform"


def test_the_table_has_a_line_for_each_head_and_counts_from_1():
    lines = of(*FIVE.values(), tokens=list("abcdefga")).table().splitlines()
    assert len(lines) == 6
    assert lines[1].split()[:3] == ["1", "1", "specific"]
    assert lines[3].split() == ["1", "3", "sink", "0.57", "1.00", "0.70", "2", "0.42", "0.14", "0.14", "0.12", "0.04"]
    assert len({len(line) for line in lines}) == 1


def test_the_file_holds_what_the_report_does(tmp_path):
    report = of(*FIVE.values())
    report.to_csv(tmp_path / "heads.csv")
    with (tmp_path / "heads.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["verdict"] for row in rows] == list(FIVE)
    assert [(row["layer"], row["head"]) for row in rows] == [("1", str(head)) for head in range(1, 6)]
    for name in NUMBERS:
        np.testing.assert_array_equal([float(row[name]) for row in rows], getattr(report, name)[0])


def test_a_report_says_in_a_line_what_it_found_and_cannot_be_changed():
    report = of(BEFORE, SINK, SINK)
    assert repr(report) == "HeadReport(1 layers, 3 heads: 2 sink, 1 specific)"
    for name in ("verdict", *NUMBERS):
        with pytest.raises(ValueError, match="read-only"):
            getattr(report, name)[0, 0] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            getattr(report, name).flags.writeable = True


@pytest.mark.parametrize(
    ("weights", "more", "error", "said"),
    [
        (EVEN, {}, ShapeError, "weights"),
        (np.full((1, 1, 2, 3), 1 / 3), {}, ShapeError, "n_queries = 2, but n_keys = 3"),
        (np.ones((1, 1, 1, 1)), {}, ShapeError, "no word may look at two"),
        (EVEN[None, None], {"tokens": ["a"]}, ShapeError, "tokens"),
        (EVEN[None, None], {"mask": np.ones((N, N))}, TypeError, "mask"),
        (EVEN[None, None], {"mask": causal_mask(N)}, ValueError, "above 0 where the mask hides"),
        (2 * EVEN[None, None] * N, {}, ValueError, "weights"),
        (EVEN[None, None] / 2, {}, ValueError, "sums to 0.5"),
    ],
)
def test_what_is_no_map_of_heads_is_refused_in_a_sentence(weights, more, error, said):
    with pytest.raises(error, match=said):
        head_doctor(weights, **more)
