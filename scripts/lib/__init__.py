"""What the strength tools (match.py, ladder.py, spsa.py) share; one subject a file."""
