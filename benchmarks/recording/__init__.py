"""What recording costs: CPU time, memory and file size against the bare run, beside other tools in the same run."""
