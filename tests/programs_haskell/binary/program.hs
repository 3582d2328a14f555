-- Binary numbers as lists of bits, lowest first: addition with a carry, multiplication, comparison.
module Main where

type Bits = [Int]

toBits :: Int -> Bits
toBits 0 = []
toBits n = n `mod` 2 : toBits (n `div` 2)

fromBits :: Bits -> Int
fromBits = foldr (\bit rest -> bit + 2 * rest) 0

fullAdder :: Int -> Int -> Int -> (Int, Int)
fullAdder a b carry = (sumOfThree `mod` 2, sumOfThree `div` 3)
  where
    sumOfThree = a + b + carry

add :: Bits -> Bits -> Bits
add = go 0
  where
    go 0 [] ys = ys
    go 0 xs [] = xs
    go carry xs ys = bit : go carry' (drop 1 xs) (drop 1 ys)
      where
        (bit, carry') = fullAdder (first xs) (first ys) carry
    first (x : _) = x
    first [] = 0

times :: Bits -> Bits -> Bits
times [] _ = []
times (b : bs) ys = add (if b == 1 then ys else []) (0 : times bs ys)

main :: IO ()
main = do
  print (fromBits (add (toBits 11) (toBits 6)))
  print (fromBits (times (toBits 5) (toBits 7)))
