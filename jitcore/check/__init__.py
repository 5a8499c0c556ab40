"""`jitcore check`: what of a file would be refused in compiled code, found from its text alone, without running it.

`paths.check_file` gives a `findings.Checked`; `reports` writes those as text, JSON or SARIF; `command.run` is the
command. In data-flow order: `names` (what every name of the file means), `unbound` and `absent` (names and attributes
that are not there), `compiled` (which functions are compiled, and why), `seen_calls` (what inference says of the calls
that the text tells), `refusals` (what is wrong with each), `paths`, `reports`.
"""
