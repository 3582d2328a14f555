-- Cheapest routes with a priority queue that is a sorted list.
module Main where

import Data.List (insert)
import qualified Data.Map as Map

type Network = Map.Map String [(String, Int)]

edges :: Network -> String -> [(String, Int)]
edges network place = Map.findWithDefault [] place network

cheapest :: Network -> String -> Map.Map String Int
cheapest network start = visit [(0, start)] Map.empty
  where
    visit [] done = done
    visit ((cost, place) : queue) done
      | Map.member place done = visit queue done
      | otherwise = visit (foldr insert queue (offers cost place)) (Map.insert place cost done)
    offers cost place = [(weight, neighbour) | (neighbour, weight) <- edges network place]

network1 :: Network
network1 =
  Map.fromList
    [ ("harbour", [("market", 4), ("castle", 9)])
    , ("market", [("castle", 3), ("park", 8)])
    , ("castle", [("park", 2)])
    ]

report :: Map.Map String Int -> [String]
report costs = [place ++ " " ++ show cost | (place, cost) <- Map.toList costs]

main :: IO ()
main = mapM_ putStrLn (report (cheapest network1 "harbour"))
