"""The front door: every public name opens from ``attention_lab`` itself, and opening the door costs next to nothing."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import attention_lab

ROOT = Path(attention_lab.__file__).parent.parent
HEAVY = ("matplotlib", "ipywidgets", "IPython", "anywidget", "torch")


def python(code, *, cwd):
    """Run code in a fresh interpreter with the checkout on ``sys.path``; give back what it prints."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"
    result = subprocess.run([sys.executable, "-I", "-c", code], cwd=cwd, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def imports_for_type_checkers():
    """Which room the imports under ``if TYPE_CHECKING`` take each name from, and nothing else."""
    tree = ast.parse(Path(attention_lab.__file__).read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    return {alias.name: node.module.removeprefix("attention_lab.") for node in block.body for alias in node.names}


# By hand


def test_the_names_of_the_contract_open_from_the_package():
    contract = """softmax attention_scores scaled_dot_product_attention Attention causal_mask padding_mask window_mask
    split_heads merge_heads MultiHeadAttention MultiHead attention_entropy future_influence assert_causal CausalityError
    ShapeError bind"""
    assert set(contract.split()) <= set(attention_lab.__all__)


def test_a_name_is_the_one_that_its_room_holds():
    assert attention_lab.softmax is sys.modules["attention_lab.attention"].softmax
    assert attention_lab.examples.BANK.words == ("The", "bank", "river")


# Law


def test_the_table_of_rooms_the_public_names_and_the_imports_for_type_checkers_agree():
    assert sorted(attention_lab._ROOM_OF_NAME) == sorted(attention_lab.__all__)
    assert imports_for_type_checkers() == attention_lab._ROOM_OF_NAME
    assert len(set(attention_lab.__all__)) == len(attention_lab.__all__)


@pytest.mark.parametrize("name", attention_lab.__all__)
def test_every_public_name_opens_and_says_what_it_is(name):
    value = getattr(attention_lab, name)
    assert value.__module__ == f"attention_lab.{attention_lab._ROOM_OF_NAME[name]}"
    assert value.__doc__.strip()


def test_every_name_and_room_is_listed():
    listed = dir(attention_lab)
    assert set(attention_lab.__all__) <= set(listed)
    assert {"examples", "plotting"} <= set(listed)
    assert len(listed) == len(set(listed))


def test_importing_the_package_loads_neither_numpy_nor_anything_heavy(tmp_path):
    code = f"import attention_lab; print([name for name in {('numpy', *HEAVY)} if name in sys.modules])"
    assert python(code, cwd=tmp_path) == "[]"


MOVED = {"aim", "sketch"}  # what a learner moves needs a widget library


def test_the_mathematics_loads_numpy_and_nothing_heavy(tmp_path):
    names = [name for name in attention_lab.__all__ if name not in MOVED]
    code = f"from attention_lab import {', '.join(names)}, examples\n"
    code += f"print([name for name in {HEAVY} if name in sys.modules])"
    assert python(code, cwd=tmp_path) == "[]"


def test_the_mathematics_loads_no_part_of_numpy_that_numpy_itself_leaves_out(tmp_path):
    parts = "print([name for name in ('numpy.random', 'numpy.ma') if name in sys.modules])"
    code = "from attention_lab import MultiHeadAttention, assert_causal, clue_recall, examples\n"
    assert python(code + parts, cwd=tmp_path) == python(f"import numpy\n{parts}", cwd=tmp_path)


def test_a_star_import_brings_every_public_name(tmp_path):
    code = "from attention_lab import *\nimport attention_lab; print(set(attention_lab.__all__) <= set(globals()))"
    assert python(code, cwd=tmp_path) == "True"


def test_a_room_opens_as_an_attribute_or_by_import(tmp_path):
    code = "import attention_lab; print(attention_lab.masks.causal_mask(1).tolist())"
    assert python(code, cwd=tmp_path) == "[[True]]"
    assert python("import attention_lab.heads as heads; print(heads.__name__)", cwd=tmp_path) == "attention_lab.heads"


# Refusal


def test_an_unknown_name_is_answered_with_a_sentence_that_lists_the_known_ones():
    with pytest.raises(AttributeError, match=r"^attention_lab has no 'sofmax'; it has Attention, .*softmax"):
        _ = attention_lab.sofmax
    with pytest.raises(ImportError, match="sofmax"):
        from attention_lab import sofmax  # noqa: F401
