-- Replaces every leaf of a tree by the smallest leaf, in one pass: the minimum is passed down before it is known.
module Main where

data Tree = Leaf Int | Fork Tree Tree

draw :: Tree -> String
draw (Leaf n) = show n
draw (Fork l r) = "(" ++ draw l ++ " " ++ draw r ++ ")"

replaceAll :: Tree -> Tree
replaceAll tree = result
  where
    (smallest, result) = walk smallest tree

walk :: Int -> Tree -> (Int, Tree)
walk m (Leaf n) = (n, Leaf m)
walk m (Fork l r) = (min a b, Fork l' r')
  where
    (a, l') = walk m l
    (b, r') = walk m r

fromList :: [Int] -> Tree
fromList [n] = Leaf n
fromList ns = Fork (fromList front) (fromList back)
  where
    (front, back) = splitAt (length ns `div` 2) ns

size :: Tree -> Int
size (Leaf _) = 1
size (Fork l r) = size l + size r

main :: IO ()
main = do
  let tree = fromList [7, 3, 9, 4, 8]
  putStrLn (draw tree)
  putStrLn (draw (replaceAll tree))
  print (size (replaceAll tree))
