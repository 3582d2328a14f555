-- Riders and their horses: how many of each, from the heads and the feet that were counted.
module Main where

data Answer = Answer { men :: Int, horses :: Int, note :: String } deriving Show

solve :: Int -> Int -> Answer
solve heads feet = Answer people animals (describe people animals)
  where
    animals = horsesFor heads feet
    people = heads - animals

horsesFor :: Int -> Int -> Int
horsesFor heads feet = search 0
  where
    search n
      | feetOf (heads - n) n == feet = n
      | n > heads = impossible heads feet
      | otherwise = search (n + 1)

feetOf :: Int -> Int -> Int
feetOf people animals = 2 * people + 4 * animals

impossible :: Int -> Int -> Int
impossible heads feet
  | odd feet = error "feet come in pairs"
  | feet < 2 * heads = error "too few feet"
  | otherwise = error "too many feet"

describe :: Int -> Int -> String
describe people animals = plural people "man" "men" ++ " and " ++ plural animals "horse" "horses"

plural :: Int -> String -> String -> String
plural 1 one _ = "1 " ++ one
plural n _ many = show n ++ " " ++ many

main :: IO ()
main = do
  let answer = solve 8 20
  putStrLn (note answer)
  print (men answer, horses answer)
