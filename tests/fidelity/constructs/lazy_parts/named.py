print("named is imported")
thing = "named"
