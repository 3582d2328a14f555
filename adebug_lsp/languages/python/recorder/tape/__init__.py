"""The tape of each thread, and the writer that numbers its values and writes them to the recording file."""
