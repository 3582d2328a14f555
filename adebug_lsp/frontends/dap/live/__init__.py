"""The live phase: launches the program under the recorder, with or without debugpy."""
