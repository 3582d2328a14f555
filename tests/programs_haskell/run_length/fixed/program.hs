-- Run-length coding: "aaab" is "3a1b".
module Main where

import Data.Char (isDigit)

encode :: String -> String
encode = concatMap unit . runs

unit :: (Char, Int) -> String
unit (c, n) = show n ++ [c]

runs :: String -> [(Char, Int)]
runs [] = []
runs (c : cs) = (c, length same + 1) : runs rest
  where
    (same, rest) = span (== c) cs

decode :: String -> String
decode [] = []
decode text = case span isDigit text of
  (digits, c : rest) -> replicate (read digits) c ++ decode rest
  _ -> error "a count without a character"

ratio :: String -> String -> Int
ratio original coded = 100 * length coded `div` length original

main :: IO ()
main = do
  let text = "aaaabbbccd"
      coded = encode text
  putStrLn coded
  putStrLn (decode coded)
  print (ratio text coded)
