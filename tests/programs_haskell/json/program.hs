-- A JSON printer.
module Main where

import Data.List (intercalate)

data Json
  = Null
  | Flag Bool
  | Num Int
  | Text String
  | Array [Json]
  | Object [(String, Json)]

class ToJson a where
  toJson :: a -> Json

instance ToJson Bool where
  toJson = Flag

instance ToJson Int where
  toJson = Num

instance ToJson a => ToJson (Maybe a) where
  toJson Nothing = Null
  toJson (Just x) = toJson x

data Book = Book String Int (Maybe Int)

instance ToJson Book where
  toJson (Book title year pages) =
    Object [("title", Text title), ("year", toJson year), ("pages", toJson pages), ("old", toJson (year < 1950))]

render :: Json -> String
render Null = "null"
render (Flag b) = if b then "true" else "false"
render (Num n) = show n
render (Text s) = quoted s
render (Array items) = "[" ++ intercalate ", " (map render items) ++ "]"
render (Object fields) = "{" ++ joined (map field fields) ++ "}"
  where
    field (key, value) = quoted key ++ ":" ++ render value

joined :: [String] -> String
joined = intercalate ";"

quoted :: String -> String
quoted s = "\"" ++ concatMap escape s ++ "\""

escape :: Char -> String
escape '"' = "\\\""
escape '\\' = "\\\\"
escape c = [c]

main :: IO ()
main = do
  putStrLn (render (toJson (Book "Dracula" 1897 (Just 418))))
  putStrLn (render (Array (map toJson [Book "The \"Other\"" 1972 Nothing])))
