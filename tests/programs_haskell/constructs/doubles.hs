main = do
  print [0.1, 1.0, 1.5e10, 1.0e-3, 123456.789, 1234567.0, 12345678.9, 0.0, -2.5]
  print (sqrt 2 :: Double, pi :: Double, exp 1 :: Double)
  print (truncate 2.7 :: Int, round 2.5 :: Int, round 3.5 :: Int, ceiling 2.1 :: Int, floor (-2.1) :: Int)
  print (1 / 0 :: Double, 0.1 + 0.2 :: Double, fromIntegral (7 :: Int) / 2 :: Double)
