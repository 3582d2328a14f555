-- Wraps a text to a width and centres the lines.
module Main where

wrap :: Int -> String -> [String]
wrap limit text = case words text of
  [] -> []
  first : rest -> fill limit [first] (length first) rest

fill :: Int -> [String] -> Int -> [String] -> [String]
fill _ line _ [] = [unwords (reverse line)]
fill limit line width (word : rest)
  | wider <= limit = fill limit (word : line) wider rest
  | otherwise = unwords (reverse line) : fill limit [word] (length word) rest
  where
    wider = width + 1 + length word

centre :: Int -> String -> String
centre limit line = replicate left ' ' ++ line
  where
    left = (limit - length line) `div` 2

box :: Int -> [String] -> [String]
box limit ls = [edge] ++ map inside ls ++ [edge]
  where
    edge = "+" ++ replicate limit '-' ++ "+"
    inside l = "|" ++ take limit (centre limit l ++ repeat ' ') ++ "|"

main :: IO ()
main = mapM_ putStrLn (box 12 (wrap 12 "the quick brown fox jumps over the lazy dog"))
