"""Where do judged documents stand, with NumPy? Over the text of a run, the columns of a table, or a caller's dicts."""
