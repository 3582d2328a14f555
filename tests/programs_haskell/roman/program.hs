-- Roman numbers, to and from.
module Main where

table :: [(Int, String)]
table =
  [ (1000, "M"), (900, "CM"), (500, "D"), (400, "CD")
  , (100, "C"), (90, "XC"), (50, "L"), (60, "XL")
  , (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")
  ]

toRoman :: Int -> String
toRoman 0 = ""
toRoman n = letters ++ toRoman (n - size)
  where
    (size, letters) = largest n table

largest :: Int -> [(Int, String)] -> (Int, String)
largest n entries = case filter ((<= n) . fst) entries of
  entry : _ -> entry
  [] -> error "no roman number for zero or less"

digit :: Char -> Int
digit c = case lookup [c] [(letters, size) | (size, letters) <- table] of
  Just size -> size
  Nothing -> error ("not a roman digit: " ++ [c])

fromRoman :: String -> Int
fromRoman cs = sum (zipWith signed digits (tail digits ++ [0]))
  where
    digits = map digit cs
    signed a b = if a < b then negate a else a

main :: IO ()
main = do
  putStrLn (unwords (map toRoman [4, 9, 48, 2024]))
  print (map fromRoman ["XIV", "XC", "MCMLXXXVII"])
