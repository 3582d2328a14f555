-- Shortest paths in a graph without weights.
module Main where

import Data.Maybe (fromMaybe)

type Graph = [(Char, [Char])]

neighbours :: Graph -> Char -> [Char]
neighbours graph node = fromMaybe [] (lookup node graph)

shortest :: Graph -> Char -> Char -> Maybe [Char]
shortest graph from to = search graph to [from] [[from]]

search :: Graph -> Char -> [Char] -> [[Char]] -> Maybe [Char]
search _ _ _ [] = Nothing
search graph to seen (path : rest)
  | node == to = Just path
  | otherwise = search graph to (seen ++ new) (rest ++ [reverse (n : reverse path) | n <- new])
  where
    node = last path
    new = filter (`notElem` seen) (neighbours graph node)

distances :: Graph -> Char -> [(Char, Int)]
distances graph from = [(to, length path - 1) | (to, _) <- graph, Just path <- [shortest graph from to]]

city :: Graph
city =
  [ ('a', "bc")
  , ('b', "d")
  , ('c', "e")
  , ('d', "f")
  , ('e', "b")
  , ('f', "ce")
  , ('g', "a")
  ]

main :: IO ()
main = do
  print (shortest city 'a' 'e')
  print (shortest city 'a' 'g')
  print (distances city 'd')
