-- Counts the words of a text and prints the most frequent ones.
module Main where

import Data.Char (isAlpha, toLower)
import Data.List (sortBy)
import qualified Data.Map as Map

clean :: String -> String
clean word = filter isAlpha word

countWords :: [String] -> Map.Map String Int
countWords = foldr add Map.empty
  where
    add word counts = Map.insertWith (+) word 1 counts

mostFrequent :: Int -> Map.Map String Int -> [(String, Int)]
mostFrequent n counts = take n (sortBy order (Map.toList counts))
  where
    order (w, a) (v, b)
      | a /= b = compare b a
      | otherwise = compare w v

line :: Int -> (String, Int) -> String
line width (word, n) = word ++ replicate (width - length word) ' ' ++ show n

main :: IO ()
main = do
  let text = "The cat and the dog. The end, and the beginning; and no more."
      counts = countWords (filter (not . null) (map clean (words text)))
  mapM_ (putStrLn . line 8) (mostFrequent 3 counts)
  print (Map.size counts)
