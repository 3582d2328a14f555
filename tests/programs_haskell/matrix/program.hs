-- Matrices as lists of rows: products, powers, Fibonacci numbers.
module Main where

import Data.List (transpose)

type Matrix = [[Integer]]

dot :: [Integer] -> [Integer] -> Integer
dot xs ys = sum (zipWith (*) xs ys)

multiply :: Matrix -> Matrix -> Matrix
multiply a b = [[dot row column | column <- b] | row <- a]

identity :: Int -> Matrix
identity n = [[if i == j then 1 else 0 | j <- [1 .. n]] | i <- [1 .. n]]

power :: Matrix -> Int -> Matrix
power m 0 = identity (length m)
power m n
  | even n = multiply half half
  | otherwise = multiply m (power m (n - 1))
  where
    half = power m (n `div` 2)

fibonacci :: Int -> Integer
fibonacci n = head (power [[1, 1], [1, 0]] n !! 1)

render :: Matrix -> String
render = unlines . map (unwords . map show)

main :: IO ()
main = do
  putStr (render (multiply [[1, 2], [3, 4]] [[0, 1], [2, 1]]))
  print (map fibonacci [1 .. 10])
