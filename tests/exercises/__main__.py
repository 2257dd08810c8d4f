"""Write docs/exercises.md: ``python -m tests.exercises``."""

from tests.exercises.page import PAGE, written

if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
    print(f"{PAGE.name} is written")
