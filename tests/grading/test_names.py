"""The names that a cell makes and needs."""

from attention_lab.grading.names import names_in


def test_what_is_assigned_defined_or_imported_is_made():
    names = names_in("import numpy as np\nx = np.ones(2)\ndef f(y):\n    return x + y")
    assert names.made >= {"np", "x", "f"}
    assert names.used >= {"np", "x", "y"}


def test_an_import_is_kept_as_a_line_of_its_own():
    names = names_in("import numpy as np\nfrom attention_lab import check, hint as help_me")
    assert names.imports == {
        "np": "import numpy as np",
        "check": "from attention_lab import check",
        "help_me": "from attention_lab import hint as help_me",
    }


def test_what_is_no_python_has_no_names():
    assert names_in("## A heading (of a lesson") == (set(), set(), {})
