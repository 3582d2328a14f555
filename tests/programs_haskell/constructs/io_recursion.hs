count :: Int -> Int -> IO Int
count n limit
  | n > limit = return n
  | otherwise = do
      print n
      count (n + 1) limit
loop 0 = return ()
loop n = putStr (show n ++ " ") >> loop (n - 1)
main = do
  r <- count 1 3
  print r
  loop 5
  putStrLn ""
