"""What every goal of an explorer is. Each kind says which explorer it belongs to, and how it is judged."""

from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, kw_only=True)
class Goal:
    """Something to reach in an explorer.

    Attributes
    ----------
    name, text : str
        What it is called, and what to reach.
    because : str
        What to learn from it, shown once it is met; for one that cannot be reached, why.
    explorer : str
        The function that makes the explorer it belongs to; the same for all of a kind, as the next two.
    script : str
        The file whose functions judge it on the page, as ``met_in`` does it here.
    task : str
        What stands above a list of them.
    """

    explorer: ClassVar[str]
    script: ClassVar[str]
    task: ClassVar[str]

    name: str
    text: str
    because: str

    @property
    def possible(self) -> bool:
        """Whether it can be reached at all."""
        return True

    @property
    def counted(self) -> str:
        """In how many ways it can be reached, where a learner may doubt that there is one; else nothing."""
        return ""

    @property
    def begins(self) -> str:
        """Where it starts from, in words."""
        raise NotImplementedError

    def begins_in(self, explorer: Any) -> bool:
        """Tell whether an explorer of its kind starts where it does."""
        raise NotImplementedError

    def met_in(self, explorer: Any) -> str:
        """Say how it is met now, in one sentence; nothing where it is not."""
        raise NotImplementedError

    def answer(self) -> str:
        """Say whether and how it can be reached, and what to learn from it."""
        raise NotImplementedError

    def as_data(self) -> dict[str, Any]:
        """Write it for the page's script; a kind adds what it is judged by."""
        names = ("name", "text", "because", "task", "possible", "counted")
        return {name: getattr(self, name) for name in names}
