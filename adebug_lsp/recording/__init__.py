"""What a run left: the file of a recording, its values, and the state of any object at any moment."""
