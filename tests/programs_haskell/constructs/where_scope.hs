area r = piece * r * r
  where piece = 3
quad a b c = (disc, root)
  where disc = b * b - 4 * a * c
        root | disc < 0 = 0
             | otherwise = half disc
        half d = d `div` 2
main = print (area 2, quad 1 5 4, quad 5 1 5)
