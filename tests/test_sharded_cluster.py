"""Attention over the workers of a Dask cluster: equal to one machine's, also when a worker dies; what is refused."""

import os
import socket
import tempfile
import time
from contextlib import contextmanager
from importlib.util import find_spec

import numpy as np
import pytest

from attention_lab import causal_mask, padding_mask, scaled_dot_product_attention, streaming_attention, window_mask
from attention_lab.examples import BANK
from attention_lab.sharded import attention, cluster, local_cluster, lose_a_worker, sharded_attention, worker_memory
from tests.strategies import close, snapshot

MISSING = find_spec("distributed") is None
if MISSING and os.environ.get("ATTENTION_LAB_CLUSTER") == "required":
    raise RuntimeError("distributed is required here and not installed: pip install '.[cluster]'")
pytestmark = pytest.mark.skipif(MISSING, reason="distributed is not installed: pip install '.[cluster]'")


@pytest.fixture(scope="module")
def two_workers():
    with local_cluster(2) as client:
        yield client


def arrays(*leading, n_queries=9, n_keys=13, dtype="float64"):
    rng = np.random.default_rng(0)
    shapes = [(*leading, n_queries, 4), (*leading, n_keys, 4), (*leading, n_keys, 3)]
    return [rng.normal(size=shape).astype(dtype) for shape in shapes]


# By hand


def test_bank_on_two_workers(two_workers):
    output = sharded_attention(BANK.q, BANK.k, BANK.v, cluster=two_workers)
    assert output[1].round(2).tolist() == [1.98, 1.97]


# Law


def test_a_lost_worker_changes_nothing_and_nothing_is_said_or_left_behind(capfd, tmp_path, monkeypatch):
    import psutil

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    q, k, v = arrays(n_keys=700)
    with local_cluster(2) as client:
        expected = sharded_attention(q, k, v, cluster=client)
        before = set(client.run(os.getpid).values())
        lose_a_worker(client)
        lost = sharded_attention(q, k, v, cluster=client)
        client.wait_for_workers(2)  # a new one has come
        after = set(client.run(os.getpid).values())
    assert np.array_equal(lost, expected)
    assert len(before & after) == 1
    assert not any(map(psutil.pid_exists, before | after))
    assert capfd.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == []


def test_the_inputs_are_left_alone_and_each_run_gives_the_same_bytes(two_workers):
    q, k, v = arrays()
    unchanged = snapshot(q, k, v)
    runs = [sharded_attention(q, k, v, cluster=two_workers, causal=True, n_shards=5) for _ in range(2)]
    assert runs[0].tobytes() == runs[1].tobytes()
    assert unchanged()


def test_memory_is_said_for_each_worker(two_workers):
    before = worker_memory(two_workers)
    _, second = two_workers.nthreads()
    held = two_workers.submit(np.ones, 10_000_000, workers=[second])  # 80 MB
    assert held.result().size == 10_000_000
    grown = [after - start for after, start in zip(worker_memory(two_workers), before, strict=True)]
    assert min(before) > 1e7  # a process with NumPy
    assert grown[1] > 6e7 > grown[0]


def test_what_stops_in_a_worker_leaves_nothing_on_the_cluster(two_workers, monkeypatch):
    def stops(q, runs):
        raise MemoryError("too large")

    monkeypatch.setattr(attention, "partial_of_runs", stops)
    with pytest.raises(MemoryError, match="too large") as kept:
        sharded_attention(*arrays(), cluster=two_workers)
    end = time.monotonic() + 10
    while two_workers.who_has() and time.monotonic() < end:
        time.sleep(0.05)
    assert len(two_workers.who_has()) == 0
    assert kept.traceback  # it is still there, with all that its frames hold


# Agreement


@pytest.mark.parametrize("n_shards", [None, 1, 3, 20])
@pytest.mark.parametrize(
    ("hiding", "mask"),
    [
        ({}, None),
        ({"causal": True}, causal_mask(9, 13)),
        ({"window": 3, "causal": True}, causal_mask(9, 13) & window_mask(9, 13, width=3)),
        ({"lengths": [[4], [13]], "scale": 1.0}, padding_mask([[4], [13]], 13)),
    ],
    ids=["all", "causal", "window", "lengths"],
)
def test_it_is_exactly_attention(two_workers, n_shards, hiding, mask):
    q, k, v = arrays(2, 3)
    expected = scaled_dot_product_attention(q, k, v, mask=mask, scale=hiding.get("scale")).output
    assert close(sharded_attention(q, k, v, cluster=two_workers, n_shards=n_shards, **hiding), expected)


@pytest.mark.parametrize(("dtype", "tolerance"), [("float16", 1e-3), ("float32", 1e-6), ("float64", 1e-12)])
def test_number_types_stay(two_workers, dtype, tolerance):
    q, k, v = arrays(n_keys=1500, dtype=dtype)
    output = sharded_attention(q, k, v, cluster=two_workers)
    assert output.dtype == dtype
    assert close(output, streaming_attention(q, k, v), tolerance)


def test_an_address_and_nothing_at_all_do_as_well(two_workers):
    for where in (two_workers.scheduler.address, None):
        assert close(sharded_attention(*arrays(), cluster=where), scaled_dot_product_attention(*arrays()).output)
    assert two_workers.status == "running"


# Refusal


@contextmanager
def somebody_who_says_nothing():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


def test_an_address_that_does_not_answer_is_named_soon(monkeypatch):
    monkeypatch.setattr(cluster, "ANSWERS_WITHIN", 0.5)
    message = "No Dask scheduler answers at tcp://"
    with somebody_who_says_nothing() as address, pytest.raises(ConnectionError, match=message):
        sharded_attention(*arrays(), cluster=address)
    with pytest.raises(ConnectionError, match=message):  # nobody is there any more
        sharded_attention(*arrays(), cluster=address)


def test_what_is_no_cluster_is_refused(two_workers):
    with pytest.raises(ValueError, match=r"an address such as .* not 'river'"):
        sharded_attention(*arrays(), cluster="river")
    with pytest.raises(TypeError, match=r"an address or a distributed\.Client, not int"):
        sharded_attention(*arrays(), cluster=2)
    with pytest.raises(ValueError, match="is a worker: give the address of the scheduler"):
        sharded_attention(*arrays(), cluster=next(iter(two_workers.nthreads())))


def test_a_client_whose_block_has_ended_is_refused():
    with local_cluster(1) as client:
        pass
    for use in (lambda: sharded_attention(*arrays(), cluster=client), lambda: worker_memory(client)):
        with pytest.raises(ConnectionError, match="This client is closed"):
            use()
    with pytest.raises(ConnectionError, match="This client is closed"):
        lose_a_worker(client)


def test_a_cluster_without_workers_is_not_waited_for(monkeypatch):
    import distributed

    monkeypatch.setattr(attention, "ANSWERS_WITHIN", 0.5)
    nobody = distributed.LocalCluster(n_workers=0, dashboard_address=None, scheduler_kwargs={"dashboard_address": ":0"})
    message = r"The cluster had no worker for 0\.5 seconds"
    with nobody, distributed.Client(nobody) as client, pytest.raises(ConnectionError, match=message):
        sharded_attention(*arrays(), cluster=client)


def test_workers_that_do_not_start_are_not_waited_for(monkeypatch):
    monkeypatch.setattr(cluster, "STARTS_WITHIN", 0.01)
    with pytest.raises(RuntimeError, match=r"Not all of 1 workers started within 0\.01 seconds\. If a script"):
        local_cluster(1).__enter__()


def test_workers_that_die_again_and_again_are_given_up(monkeypatch):
    monkeypatch.setattr(attention, "TRIES", 1)
    with local_cluster(1) as client:
        lose_a_worker(client)
        with pytest.raises(RuntimeError, match=r"Workers were lost 1 times while they worked on 2 of 2 shards\."):
            sharded_attention(*arrays(), cluster=client, n_shards=2)
