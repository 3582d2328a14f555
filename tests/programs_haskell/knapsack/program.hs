-- The knapsack problem with a lazy table: every entry is defined by others.
module Main where

import qualified Data.Map as Map

data Thing = Thing {weight :: Int, worth :: Int}

solve :: Int -> [Thing] -> Int
solve capacity things = entry (length things) capacity
  where
    table = Map.fromList [((i, room), best i room) | i <- [0 .. length things], room <- [0 .. capacity]]
    entry i room = Map.findWithDefault 0 (i, room) table
    best 0 _ = 0
    best i room
      | weight thing > room = entry (i - 1) room
      | otherwise = min (best (i - 1) room) (worth thing + entry (i - 1) (room - weight thing))
      where
        thing = things !! (i - 1)

density :: Thing -> Double
density thing = fromIntegral (worth thing) / fromIntegral (weight thing)

main :: IO ()
main = do
  let things = [Thing 2 30, Thing 3 40, Thing 1 15]
  print (solve 4 things)
  print (map density things)
