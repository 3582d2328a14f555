main = do
  print [(x, y) | x <- [1 .. 3], y <- "ab", odd x]
  print [x * x | x <- [1 ..  10], let y = x * x, y > 20, even y]
  print [y | Just y <- [Just 1, Nothing, Just 3]]
  print [(a, b, c) | c <- [1 .. 20], b <- [1 .. c], a <- [1 .. b], a * a + b * b == c * c]
