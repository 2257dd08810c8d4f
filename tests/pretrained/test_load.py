"""Loading: the file of the package, and folders of models in the style of BERT."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import attention_lab.pretrained
from attention_lab.pretrained import load_encoder
from attention_lab.pretrained.load import CONFIG, SHIPPED, VOCABULARY
from attention_lab.pretrained.quantised import digest, read_arrays
from attention_lab.pretrained.word_pieces import WordPieces
from attention_lab.shapes import ShapeError
from tests.pretrained.test_safetensors import write_safetensors
from tests.pretrained.torch_encoder import torch_reader

CONFIG_OF_SMALL = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "hidden_size": 12,
    "intermediate_size": 20,
    "max_position_embeddings": 16,
    "type_vocab_size": 2,
    "layer_norm_eps": 0.1,
}
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "bank", "river", "##s", "The"]
DENSE = {
    "attention.self.query": (12, 12),
    "attention.self.key": (12, 12),
    "attention.self.value": (12, 12),
    "attention.output.dense": (12, 12),
    "intermediate.dense": (20, 12),
    "output.dense": (12, 20),
}


def small_arrays():
    """Random numbers for a model with two layers of three heads; every size differs from the others."""
    shapes = {"embeddings.word_embeddings.weight": (len(PIECES), 12)}
    shapes |= {"embeddings.position_embeddings.weight": (16, 12), "embeddings.token_type_embeddings.weight": (2, 12)}
    norms = ["embeddings.LayerNorm"]
    for i in range(2):
        for name, shape in DENSE.items():
            shapes[f"encoder.layer.{i}.{name}.weight"] = shape
            shapes[f"encoder.layer.{i}.{name}.bias"] = shape[:1]
        norms += [f"encoder.layer.{i}.attention.output.LayerNorm", f"encoder.layer.{i}.output.LayerNorm"]
    shapes |= {f"{name}.{part}": (12,) for name in norms for part in ("weight", "bias")}
    rng = np.random.default_rng(0)
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


@pytest.fixture
def folder(tmp_path):
    """A small model."""
    (tmp_path / "config.json").write_text(json.dumps(CONFIG_OF_SMALL), encoding="utf-8")
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    write_safetensors(tmp_path / "model.safetensors", small_arrays())
    return tmp_path


def configure(folder, **changes):
    config = {key: value for key, value in (CONFIG_OF_SMALL | changes).items() if value is not None}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


# By hand


def test_the_shipped_encoder_says_what_it_is(encoder):
    expected = "Encoder(6 layers, 12 heads, d_model 384, d_k 32, 10171 word pieces, 128 positions)"
    assert repr(encoder) == expected


def test_the_shipped_file_is_small_holds_plain_arrays_and_is_the_one_that_notice_describes():
    notice = SHIPPED.with_name("NOTICE").read_text(encoding="utf-8")
    assert SHIPPED.stat().st_size < 16e6
    packed = read_arrays(SHIPPED)
    assert digest(packed) in notice
    n_pieces = len(packed[VOCABULARY].tobytes().decode().split("\n"))
    assert f"{n_pieces:,} are kept" in notice
    assert json.loads(packed[CONFIG].tobytes())["vocab_size"] == n_pieces


def test_licence_and_notice_lie_beside_the_file():
    assert "Apache License" in SHIPPED.with_name("LICENSE").read_text(encoding="utf-8")
    from attention_lab.pretrained import wheel

    notice = SHIPPED.with_name("NOTICE").read_text(encoding="utf-8")
    assert wheel.WHEEL_SHA256 in notice
    assert wheel.MODEL_SHA256 in notice


def test_every_word_of_the_courses_own_sentences_is_known(encoder):
    sentences = SHIPPED.with_name("sentences.txt").read_text(encoding="utf-8").splitlines()
    assert len(sentences) > 80
    pieces = [encoder.pieces.tokens(sentence) for sentence in sentences]
    assert all("[UNK]" not in tokens for tokens in pieces)
    assert sum(piece.startswith("##") for tokens in pieces for piece in tokens) < 30  # nearly all words are one piece


# Law


def test_a_small_folder_is_read(folder):
    encoder = load_encoder(folder)
    assert repr(encoder) == "Encoder(2 layers, 3 heads, d_model 12, d_k 4, 8 word pieces, 16 positions)"
    assert encoder.read("The rivers").tokens == ("[CLS]", "[UNK]", "river", "##s", "[SEP]")
    assert load_encoder(str(folder)).epsilon == 0.1


def test_a_small_folder_answers_as_pytorch_does(folder, torch):
    encoder = load_encoder(folder, dtype=np.float64)
    reading = encoder.read("bank river banks")
    read = torch_reader(small_arrays(), CONFIG_OF_SMALL)
    weights, hidden = read(encoder.pieces.ids(reading.tokens))
    np.testing.assert_allclose(reading.weights, weights, atol=1e-12)
    np.testing.assert_allclose(reading.hidden, hidden, atol=1e-12)


def test_names_of_older_files_are_understood(folder):
    def old(name):
        return "bert." + name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")

    expected = load_encoder(folder).read("bank").hidden
    arrays = {old(name): array for name, array in small_arrays().items()} | {"cls.predictions.bias": np.zeros(8)}
    write_safetensors(folder / "model.safetensors", arrays)
    assert (load_encoder(folder).read("bank").hidden == expected).all()


def test_the_folder_says_whether_capitals_count(folder):
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": false}', encoding="utf-8")
    assert load_encoder(folder).read("The").tokens == ("[CLS]", "The", "[SEP]")


def test_the_exact_folder_is_read_and_has_every_piece(exact_folder):
    exact = load_encoder(exact_folder)
    assert repr(exact).endswith("30522 word pieces, 512 positions)")
    assert isinstance(exact.pieces, WordPieces)
    assert exact.read("The bank by the river was steep.").tokens[1:3] == ("the", "bank")


def test_loading_needs_numpy_and_this_package_alone():
    sources = [path.read_text(encoding="utf-8") for path in Path(attention_lab.pretrained.__file__).parent.glob("*.py")]
    imported = {name for source in sources for name in re.findall(r"^(?:from|import) (\w+)", source, re.MULTILINE)}
    assert {"numpy", "attention_lab"} <= imported
    assert not imported & {
        "torch",
        "tokenizers",
        "transformers",
        "safetensors",
        "scipy",
        "urllib",
        "socket",
        "requests",
    }


# Refusal


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "vocab.txt"])
def test_a_folder_without_a_file_is_refused(folder, name):
    (folder / name).unlink()
    with pytest.raises(FileNotFoundError, match=rf"^The folder .* has no file {re.escape(name)}\.$"):
        load_encoder(folder)


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere has no file config\.json\.$"):
        load_encoder(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"model_type": "gpt2"}, ValueError, r'^The config has model_type "gpt2"; only "bert" can be read\.$'),
        ({"hidden_act": "gelu_new"}, ValueError, r'hidden_act "gelu_new"; only "gelu"'),
        ({"position_embedding_type": "relative_key"}, ValueError, r'position_embedding_type "relative_key"'),
        ({"hidden_size": None}, ValueError, r"^The config has no usable number for hidden_size\.$"),
        ({"num_hidden_layers": "2"}, ValueError, r"no usable number for num_hidden_layers"),
        ({"num_hidden_layers": True}, ValueError, r"no usable number for num_hidden_layers"),
        ({"is_decoder": True}, ValueError, r"^The config has is_decoder true; only false can be read\.$"),
        ({"layer_norm_eps": "x"}, ValueError, r"^layer_norm_eps in the config must be a finite number, not 'x'\.$"),
        ({"layer_norm_eps": [1]}, ValueError, r"^layer_norm_eps in the config must be a finite number, not \[1\]\.$"),
        ({"layer_norm_eps": float("nan")}, ValueError, r"layer_norm_eps in the config must be a finite number"),
        ({"layer_norm_eps": -100}, ValueError, r"^layer_norm_eps in the config must not be negative, but is -100\.$"),
        ({"num_attention_heads": 5}, ShapeError, r"num_attention_heads 5, which does not divide hidden_size 12\.$"),
        ({"num_hidden_layers": 3}, ValueError, r"^The weights lack the array encoder\.layer\.2\.attention"),
        ({"intermediate_size": 21}, ShapeError, r"intermediate\.dense\.weight has shape \(20, 12\); .* \(21, 12\)\.$"),
    ],
)
def test_a_config_of_another_model_is_refused(folder, changes, error, message):
    configure(folder, **changes)
    with pytest.raises(error, match=message):
        load_encoder(folder)


def test_a_vocabulary_of_another_model_is_refused(folder):
    (folder / "vocab.txt").write_text("\n".join([*PIECES, "money"]), encoding="utf-8")
    with pytest.raises(ShapeError, match=r"word_embeddings\.weight has shape \(8, 12\); .* must be \(9, 12\)\.$"):
        load_encoder(folder)


def test_a_layer_norm_eps_of_null_is_no_number(folder):
    (folder / "config.json").write_text(json.dumps(CONFIG_OF_SMALL | {"layer_norm_eps": None}), encoding="utf-8")
    with pytest.raises(ValueError, match=r"^layer_norm_eps in the config must be a finite number, not None\.$"):
        load_encoder(folder)


def test_whether_capitals_count_must_be_true_or_false(folder):
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": "false"}', encoding="utf-8")
    with pytest.raises(ValueError, match=r'tokenizer_config\.json has do_lower_case "false"; .* true or false\.$'):
        load_encoder(folder)


def test_a_vocabulary_in_another_encoding_is_refused(folder):
    (folder / "vocab.txt").write_bytes("\n".join([*PIECES[:-1], "é"]).encode("latin-1"))
    with pytest.raises(ValueError, match=r"vocab\.txt is no text in UTF-8\.$"):
        load_encoder(folder)


def test_an_array_under_two_names_is_refused(folder):
    twice = {"bert.embeddings.LayerNorm.gamma": np.ones(12, dtype=np.float32)}
    write_safetensors(folder / "model.safetensors", small_arrays() | twice)
    message = r"^The weights hold one array twice, as embeddings\.LayerNorm\.weight and as bert\.embeddings\.Layer"
    with pytest.raises(ValueError, match=message):
        load_encoder(folder)


def test_weights_that_are_whole_numbers_are_refused(folder):
    arrays = small_arrays()
    arrays["encoder.layer.1.intermediate.dense.bias"] = np.ones(20, dtype=np.int32)
    write_safetensors(folder / "model.safetensors", arrays)
    message = r"^encoder\.layer\.1\.intermediate\.dense\.bias holds int32; weights are floating-point numbers\.$"
    with pytest.raises(ValueError, match=message):
        load_encoder(folder)


@pytest.mark.parametrize("content", ["{", "[" * 100_000, "[1]", "\ud800"])
def test_a_config_that_is_no_json_is_refused(folder, content):
    (folder / "config.json").write_text(content, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(ValueError, match=r"config\.json is no JSON file of names and values, or it is cut short\.$"):
        load_encoder(folder)


def test_another_number_type_is_refused():
    with pytest.raises(ValueError, match=r"^dtype must be float32 or float64, not float16\.$"):
        load_encoder(dtype=np.float16)
    with pytest.raises(ValueError, match=r"^dtype must be float32 or float64, not nonsense\.$"):
        load_encoder(dtype="nonsense")
