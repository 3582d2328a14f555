print("last is imported")
