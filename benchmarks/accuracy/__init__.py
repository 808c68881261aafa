"""How often contractlint is right on labelled handlers: recall, precision and every disagreement.

Read top-down: `command` runs it, `report` prints, `score` counts, `matching` and `cases` judge
findings, `labels` reads what people decided by reading code, `runner` runs the linter, `rules`
names the rules.
"""
