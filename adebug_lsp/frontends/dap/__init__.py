"""The Debug Adapter: runs a program under the recorder, with debugpy in front, and replays it as a debug session."""
