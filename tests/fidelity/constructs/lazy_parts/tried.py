print("tried is imported")
thing = "tried"
