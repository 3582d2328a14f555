"""Reads the program's objects without running any of its code: images, differences, reachability."""
