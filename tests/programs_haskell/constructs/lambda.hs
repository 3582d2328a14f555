main = do
  print ((\x y -> x * y) 3 4, (\(a, b) -> a + b) (1, 2), map (\x -> case x of { Just y -> y; Nothing -> 0 }) [Just 1, Nothing])
  print (zipWith (\a b -> (b, a)) [1, 2] "xy")
