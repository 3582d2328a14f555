"""The live phase: launches the program under the recorder, with debugpy in front of it or alone."""
