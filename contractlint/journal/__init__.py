"""Workers' journals: one JSON line a step, joined by job, judged by the rules that judge code."""
