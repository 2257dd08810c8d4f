"""``predict`` before an experiment, ``explain`` after it. Neither blocks anything."""

from typing import Any

import numpy as np

from attention_lab.exercises import diary
from attention_lab.exercises.catalogue import closest, named
from attention_lab.exercises.report import Note, box, choices, rich
from attention_lab.prompts.item import Item
from attention_lab.prompts.items import ITEMS


class Prediction:
    """A question with its options, and what was chosen; true once a letter was."""

    def __init__(self, item: Item, said: str, letter: str = "") -> None:
        self.item, self.said, self.letter = item, said, letter

    def __bool__(self) -> bool:
        return bool(self.letter)

    def __repr__(self) -> str:
        options = [f"  {letter}  {option.text}" for letter, option in self.item.shown.items()]
        return "\n".join([self.item.text, *options, self.said])

    def _repr_html_(self) -> str:
        options = choices({letter: option.text for letter, option in self.item.shown.items()})
        return box("prediction", "Before you run on:", f"{rich(self.item.text)}{options}{rich(self.said)}")


def predict(name: str, answer: Any = ...) -> Prediction | Note:
    """Ask a question, and keep what a learner expects before the experiment.

    Parameters
    ----------
    name : str
        The question's name.
    answer : str
        A letter in quotes; `...` is no answer yet.

    Returns
    -------
    Prediction
        The question with its options, which a notebook shows; true once a letter was chosen, whichever it is. Whether
        the answer is right is for `explain` to say.

    Examples
    --------
    >>> predict("00-shift", ...)
    Now add 100 to every score. What happens to the weights?
      A  they overflow, and there are no weights
      B  all of them change
      C  nothing
    Type a letter, in quotes, in place of the dots, and run this cell again.
    """
    item = named(name, ITEMS)
    if item is None:
        return Note("prediction", "Question.", closest(name, ITEMS, "question"))
    if answer is ...:
        return Prediction(item, "Type a letter, in quotes, in place of the dots, and run this cell again.")
    letter = read_letter(item, answer)
    if letter is None:
        return Prediction(item, f"Type one of the letters {', '.join(item.shown)}, in quotes.")
    remember(item, letter)
    return Prediction(item, f"You say {letter}: {item.shown[letter].text}. Go on to the next cell.", letter)


def explain(name: str, measured: Any) -> Note:
    """Show what was measured beside what was predicted, with the reason.

    Parameters
    ----------
    name : str
        The question's name.
    measured : Any
        What the experiment gave; the right option follows from it.

    Returns
    -------
    Note
        For a wrong guess, why many expect it and why it is not so; without a guess, the reason alone.

    Examples
    --------
    >>> import numpy as np
    >>> explain("00-shift", np.zeros(3))
    Measured. The largest change is 0.000000. So C: nothing. No gap changed, and softmax sees only gaps.
    """
    item = named(name, ITEMS)
    if item is None:
        return Note("measured", "Measured.", closest(name, ITEMS, "question"))
    try:
        with np.errstate(all="ignore"):  # a learner's numbers may be anything
            letter, right = item.right(measured)
            said = item.says(measured)
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError):
        return Note("measured", "Measured.", "This is not what the question is about: did an earlier cell change?")
    kept = diary.read(_key(item)).answer
    guess, chosen = next((pair for pair in item.shown.items() if pair[1].text == kept), ("", None))
    if chosen is None:
        return Note("measured", "Measured.", f"{said} So {letter}: {right.text}. {right.because}")
    if chosen is right:
        return Note("right", "As you said.", f"{said} So {letter}: {right.text}. {right.because}")
    return Note(
        "not yet",
        f"You said {guess}: {chosen.text}.",
        f"{said} {chosen.because} So {letter}: {right.text}. {right.because}",
    )


def _key(item: Item) -> str:
    return f"predict {item.name}"


def read_letter(item: Item, answer: Any) -> str | None:
    """Read a letter as people type it; None for what is none of the options'."""
    letter = answer.strip().strip("()[].").upper() if isinstance(answer, str) else ""
    return letter if letter in item.shown else None


def remember(item: Item, letter: str) -> None:
    """Keep an answer, in words: letters move when an option is written anew. A changed one counts as another try."""
    option = item.shown[letter]
    entry = diary.read(_key(item))
    entry.keep(option.text, [option.code] if option.code else [])
    diary.write(_key(item), entry)
