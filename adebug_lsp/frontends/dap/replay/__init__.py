"""The replay phase: answers every request from the recording, with step back, questions and verdict."""
