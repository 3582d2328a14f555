main = do
  print (7 `div` 2, (-7) `div` 2, 7 `mod` (-2), (-7) `rem` 2, (-7) `quot` 2)
  print (2 ^ 10, 2 ^ 100, 2 ** 0.5, fromIntegral (3 :: Int) * 1.5)
  print (divMod (-7) 2, quotRem (-7) 2, gcd 12 18, lcm 4 6)
  print (maxBound :: Int, (maxBound :: Int) + 1, negate 5, abs (-3), signum (-2))
