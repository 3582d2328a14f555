-- The least and the greatest number of a list; a slice of one of them leaves out the other.
module Main where

data Pair a b = Pair a b deriving Show

minmax :: [Int] -> Pair Int Int
minmax xs = case xs of
  (y:ys) -> case ys of
    [] -> Pair y y
    (z:zs) -> let m = minmax (z:zs)
              in Pair (least y (first m)) (greatest y (second m))

least :: Int -> Int -> Int
least x y = if isSmaller x y then x else y

greatest :: Int -> Int -> Int
greatest x y = if isSmaller x y then y else x

isSmaller :: Int -> Int -> Bool
isSmaller x y = x < y

first :: Pair a b -> a
first (Pair x _) = x

second :: Pair a b -> b
second (Pair _ y) = y

main :: IO ()
main = print (minmax [4, 1, 7])
