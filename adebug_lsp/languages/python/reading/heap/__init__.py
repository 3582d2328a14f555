"""The state of any mutable object at any position, from images and the log of writes."""
