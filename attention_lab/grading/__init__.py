"""The instructor's side: cells of the course as assignments, with points. A command line: ``attention-lab``."""
