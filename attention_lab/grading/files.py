"""An assignment's folder: the instructor's copy for nbgrader, and a copy to hand out. Nothing is ever overwritten."""

import re
from pathlib import Path
from typing import Any

from attention_lab.notebook_files import write_json

LONGEST = 60  # characters of a name: folders and files of that name stand in each other

# nbgrader reads it from the folder that it is started in.
SETTINGS = '''"""What nbgrader has to know of this assignment."""

import os
from pathlib import Path

c = get_config()

c.CourseDirectory.root = str(Path(__file__).resolve().parent)  # nbgrader wants it absolute
c.ClearSolutions.code_stub = {"python": ""}  # the dots stand above each solution already
c.ClearSolutions.text_stub = "*Your answer here.*"
c.OverwriteCells.add_missing_cells = True  # a deleted cell with points comes back, instead of failing everything
c.Execute.timeout = 120

os.environ["ATTENTION_LAB_PROGRESS"] = "off"  # what is graded here is not the progress of who grades
'''
READ_ME = """{title}

{name}.ipynb
    Ready to hand out. It has no solutions, and nbgrader is not needed.
source/{name}/{name}.ipynb
    With solutions, points and model answers: for you, and for nbgrader.
nbgrader_config.py
    With nbgrader (docs/instructors.md of the course says how to install it), in this folder:
        nbgrader generate_assignment {name}
    makes release/{name}/{name}.ipynb, the same as the notebook above. What comes back goes into
        submitted/STUDENT/{name}/{name}.ipynb
    and then
        nbgrader autograde {name}
        jupyter lab                  (Nbgrader, Formgrader: to grade answers in words; model answers are in source/)
        nbgrader generate_feedback {name}
        nbgrader export              (points as grades.csv)
    A submission that autograde reports as failed has 0 points in the table: look at it yourself.

Grading runs what learners wrote, with your rights. Do it where nothing can be lost, such as in a container, and
look at full points that come too easily.
"""


def slug(title: str) -> str:
    """Turn a title into a file's name, which nbgrader and every system takes.

    >>> slug("Homework 1: the mechanism"), slug("作业")
    ('homework-1-the-mechanism', 'assignment')
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:LONGEST].strip("-") or "assignment"


def is_taken(folder: Path) -> bool:
    """Tell whether something is there already: a file, or a folder that is not empty."""
    return folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))


def write(folder: Path, title: str, *, source: dict[str, Any], release: dict[str, Any]) -> list[Path]:
    """Write everything into an empty or new folder; return the files.

    Raises
    ------
    OSError
        If something cannot be written.
    """
    name = slug(title)
    ours, theirs = folder / "source" / name / f"{name}.ipynb", folder / f"{name}.ipynb"
    ours.parent.mkdir(parents=True, exist_ok=True)
    write_json(ours, source)
    write_json(theirs, release)
    settings, read_me = folder / "nbgrader_config.py", folder / "README.txt"
    settings.write_text(SETTINGS, encoding="utf-8", newline="\n")
    read_me.write_text(READ_ME.format(title=title, name=name), encoding="utf-8", newline="\n")
    return [theirs, ours, settings, read_me]
