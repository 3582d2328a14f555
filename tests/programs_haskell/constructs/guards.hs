classify n
  | n < 0 = "negative"
  | n == 0 = "zero"
  | n < 10, even n = "small even"
  | n < 10 = "small odd"
  | otherwise = "large"
collatz :: Int -> Int
collatz 1 = 0
collatz n | even n = 1 + collatz (n `div` 2)
          | otherwise = 1 + collatz (3 * n + 1)
main = mapM_ (putStrLn . classify) [-5, 0, 4, 7, 12] >> print (map collatz [1 .. 10])
