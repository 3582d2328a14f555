-- Collatz sequences: the longest one below a limit, with a table of lengths that are known.
module Main where

import qualified Data.Map as Map

next :: Int -> Int
next n
  | even n = n `div` 2
  | otherwise = 3 * n - 1

type Table = Map.Map Int Int

stepsFrom :: Table -> Int -> (Int, Table)
stepsFrom table n = case Map.lookup n table of
  Just known -> (known, table)
  Nothing ->
    let (rest, table') = stepsFrom table (next n)
        steps = rest + 1
     in (steps, Map.insert n steps table')

tableUpTo :: Int -> Table
tableUpTo limit = foldl (\table n -> snd (stepsFrom table n)) (Map.fromList [(1, 0)]) [2 .. limit]

longest :: Int -> (Int, Int)
longest limit = foldr1 longer [(n, s) | (n, s) <- Map.toList (tableUpTo limit), n <= limit]
  where
    longer (a, s) (b, t) = if t > s then (b, t) else (a, s)

main :: IO ()
main = do
  print (takeWhile (/= 1) (iterate next 6))
  print (longest 4)
