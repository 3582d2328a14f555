print("plain is imported")
thing = "plain"
