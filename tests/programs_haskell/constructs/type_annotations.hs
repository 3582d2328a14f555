main = do
  print (read "5" :: Int, (fromIntegral (3 :: Int) :: Double), (minBound :: Char), [] :: [Int])
  let n = 3 :: Integer
      f :: Num a => a -> a
      f x = x + 1
  print (n * 10 ^ 20, f 1, f 1.5)
