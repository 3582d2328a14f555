-- Giving change: the number of ways, the ways, and the one with fewest coins.
module Main where

ways :: Int -> [Int] -> Int
ways 0 _ = 1
ways _ [] = 0
ways amount (coin : coins)
  | amount < 0 = 0
  | otherwise = ways (amount - coin) coins + ways amount coins

allWays :: Int -> [Int] -> [[Int]]
allWays 0 _ = [[]]
allWays _ [] = []
allWays amount (coin : coins)
  | coin > amount = allWays amount coins
  | otherwise = map (coin :) (allWays (amount - coin) (coin : coins)) ++ allWays amount coins

fewest :: Int -> [Int] -> Maybe [Int]
fewest amount coins = case allWays amount coins of
  [] -> Nothing
  options -> Just (foldr1 shorter options)
  where
    shorter a b = if length a <= length b then a else b

main :: IO ()
main = do
  print (ways 10 [5, 2, 1])
  print (fewest 11 [5, 2, 1])
  print (length (allWays 10 [5, 2, 1]))
