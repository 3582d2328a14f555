main = do
  print (foldr (-) 0 [1, 2, 3], foldl (-) 0 [1, 2, 3], foldr1 (-) [1, 2, 3], foldl1 (-) [1, 2, 3])
  print (scanl (+) 0 [1, 2, 3], scanr (+) 0 [1, 2, 3], scanl1 max [3, 1, 4], sum [1 .. 10], product [1 .. 5])
