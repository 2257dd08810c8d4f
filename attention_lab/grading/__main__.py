"""``python -m attention_lab.grading`` is ``attention-lab``, also where that is not on the path."""

import sys

from attention_lab.grading.command import main

if __name__ == "__main__":
    sys.exit(main())
