"""Python: `inside` records in the user's interpreter; everything else here reads what it recorded."""
