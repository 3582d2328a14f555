"""What all front ends share: runs and their notes, sessions begun or resumed, questions as plain data, verifying."""
