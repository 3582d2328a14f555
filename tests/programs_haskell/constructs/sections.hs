main = do
  print (map (+ 1) [1, 2], map (2 *) [1, 2], map (`div` 2) [4, 6], map (10 `div`) [2, 5])
  print (filter (/= 'a') "banana", map (subtract 1) [1, 2], (.) (+ 1) (* 2) 5, foldr (\x -> (x :)) [] "ab")
