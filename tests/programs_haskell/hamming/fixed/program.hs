-- Numbers that have no prime factor above 5, as an infinite list that is defined by itself.
module Main where

hamming :: [Integer]
hamming = 1 : merge (map (* 2) hamming) (merge (map (* 3) hamming) (map (* 5) hamming))

-- Two ascending streams as one, without repetitions.
merge :: [Integer] -> [Integer] -> [Integer]
merge (x : xs) (y : ys) = case compare x y of
  LT -> x : merge xs (y : ys)
  GT -> y : merge (x : xs) ys
  EQ -> x : merge xs ys
merge xs [] = xs
merge [] ys = ys

gaps :: [Integer] -> [Integer]
gaps xs = zipWith (-) (tail xs) xs

longestGap :: Int -> Integer
longestGap n = maximum (gaps (take n hamming))

main :: IO ()
main = do
  print (take 15 hamming)
  print (takeWhile (< 30) (dropWhile (< 16) hamming))
  print (longestGap 15)
