-- The primes below a limit, with the sieve of Eratosthenes over an ordered list.
module Main where

primesUpTo :: Int -> [Int]
primesUpTo limit = sieve [2 .. limit]
  where
    sieve [] = []
    sieve (p : rest)
      | p * p > limit = p : rest
      | otherwise = p : sieve (rest `without` multiples p limit)

multiples :: Int -> Int -> [Int]
multiples p limit = [start, start + p .. limit]
  where
    start = p + p * p

-- Both lists are in ascending order.
without :: [Int] -> [Int] -> [Int]
without [] _ = []
without xs [] = xs
without (x : xs) (y : ys)
  | x < y = x : without xs (y : ys)
  | x == y = without xs ys
  | otherwise = without (x : xs) ys

twins :: [Int] -> [(Int, Int)]
twins ps = [(p, q) | (p, q) <- zip ps (tail ps), q - p == 2]

main :: IO ()
main = do
  let ps = primesUpTo 60
  print ps
  print (length ps)
  print (twins ps)
