print("broken is imported")
raise ValueError("while it is imported")
