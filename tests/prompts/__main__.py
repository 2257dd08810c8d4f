"""Write docs/questions.md: ``python -m tests.prompts``."""

from tests.prompts.page import PAGE, written

if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
    print(f"{PAGE.name} is written")
