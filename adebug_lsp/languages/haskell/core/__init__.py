"""The core language: names resolved, operators bound, syntax reduced to functions, matches, lets and applications."""
