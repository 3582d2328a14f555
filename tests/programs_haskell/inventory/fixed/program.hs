-- Stock of a shop as records.
module Main where

import Data.List (intercalate)

data Item = Item
  { label :: String
  , price :: Int
  , quantity :: Int
  , reorder :: Int
  }
  deriving (Eq, Show)

value :: Item -> Int
value item = price item * quantity item

sell :: Int -> Item -> Maybe Item
sell n item
  | n > quantity item = Nothing
  | otherwise = Just item {quantity = quantity item - n}

isLow :: Item -> Bool
isLow item = quantity item <= reorder item

toOrder :: [Item] -> [String]
toOrder items = [label item | item <- items, isLow item]

update :: String -> (Item -> Maybe Item) -> [Item] -> Maybe [Item]
update _ _ [] = Nothing
update name change (item : items)
  | label item == name = fmap (: items) (change item)
  | otherwise = fmap (item :) (update name change items)

stock :: [Item]
stock = [Item "pen" 2 40 10, Item "book" 15 6 5, Item "lamp" 30 3 1]

main :: IO ()
main = do
  print (sum (map value stock))
  case update "book" (sell 2) stock of
    Nothing -> putStrLn "not enough"
    Just items -> putStrLn (intercalate ", " (toOrder items) ++ "; " ++ show (sum (map value items)))
