-- Conway's game of life on an unbounded board.
module Main where

import Data.List (nub, sort)

type Cell = (Int, Int)

around :: Cell -> [Cell]
around (x, y) = [(x + dx, y + dy) | dx <- [-1, 0, 1], dy <- [-1, 0, 1], (dx, dy) /= (0, 0)]

livingAround :: [Cell] -> Cell -> Int
livingAround board cell = length (filter (`elem` board) (around cell))

survives :: [Cell] -> Cell -> Bool
survives board cell = n == 2 || n == 3
  where
    n = livingAround board cell

isBorn :: [Cell] -> Cell -> Bool
isBorn board cell = cell `notElem` board && livingAround board cell == 3

generation :: [Cell] -> [Cell]
generation board = sort (filter (survives board) board ++ filter (isBorn board) (nub (concatMap around board)))

draw :: [Cell] -> [String]
draw board = [[if (x, y) `elem` board then '#' else '.' | x <- [0 .. 3]] | y <- [0 .. 3]]

main :: IO ()
main = do
  let board = [(1, 0), (1, 1), (1, 2)]
  mapM_ (mapM_ putStrLn . draw) (take 2 (iterate generation board))
