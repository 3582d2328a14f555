-- Caesar's cipher, and its solution by the frequency of letters.
module Main where

import Data.Char (chr, isLower, isUpper, ord, toLower)
import Data.List (maximumBy)
import Data.Ord (comparing)

rotate :: Char -> Int -> Char -> Char
rotate base n c = chr (ord base + (ord c - ord base + n) `mod` 26)

shift :: Int -> Char -> Char
shift n c
  | isLower c = rotate 'a' n c
  | isUpper c = rotate 'A' n c
  | otherwise = c

encrypt :: Int -> String -> String
encrypt n = map (shift n)

decrypt :: Int -> String -> String
decrypt n = encrypt (negate n)

frequency :: String -> Char -> Int
frequency text c = length (filter ((== c) . toLower) text)

guess :: String -> Int
guess text = (ord common - ord 'e') `mod` 26
  where
    common = maximumBy (comparing (frequency text)) ['a' .. 'z']

main :: IO ()
main = do
  let secret = encrypt 3 "Meet me near the Green Tree"
  putStrLn secret
  print (guess secret)
  putStrLn (decrypt 3 secret)
