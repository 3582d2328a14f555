"""The core language: names resolved, operators bound by fixity, syntax reduced to functions, matches, lets and applications."""
