"""Write docs/claims.md: ``python -m tests.claims``."""

from tests.claims.page import PAGE, written

if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
    print(f"{PAGE.name} is written")
