-- A merge sort with a key, on records.
module Main where

data Runner = Runner {runnerName :: String, minutes :: Int, seconds :: Int}

sortOn' :: Ord k => (a -> k) -> [a] -> [a]
sortOn' key xs = case xs of
  [] -> []
  [x] -> [x]
  _ -> merge key (sortOn' key front) (sortOn' key back)
  where
    (front, back) = halves xs

halves :: [a] -> ([a], [a])
halves (x : y : rest) = (x : as, y : bs)
  where
    (as, bs) = halves rest
halves xs = (xs, [])

merge :: Ord k => (a -> k) -> [a] -> [a] -> [a]
merge _ [] ys = ys
merge _ xs [] = xs
merge key (x : xs) (y : ys)
  | key x <= key y = x : merge key xs (y : ys)
  | otherwise = y : merge key (x : xs) ys

total :: Runner -> Int
total r = 60 * minutes r + seconds r

ranking :: [Runner] -> [(Int, String)]
ranking runners = zip [1 ..] (map runnerName (sortOn' total runners))

main :: IO ()
main = do
  let runners = [Runner "ann" 12 40, Runner "bob" 11 59, Runner "cid" 12 5]
  mapM_ print (ranking runners)
  print (sortOn' negate [3, 1, 2 :: Int])
