-- Statistics of a list with as few passes as possible: folds of pairs in place of several folds.
module Main where

sumAndLength :: [Int] -> (Int, Int)
sumAndLength xs = foldr (\x (total, count) -> (x + total, 1 + count)) (0, 0) xs

mean :: [Int] -> Int
mean xs = total `div` count
  where
    (total, count) = sumAndLength xs

range :: [Int] -> (Int, Int)
range [] = error "range of nothing"
range (x : xs) = foldr (\y (low, high) -> (min y low, max y high)) (x, x) xs

deviations :: [Int] -> [Int]
deviations xs = map (subtract middle) xs
  where
    middle = mean xs

variance :: [Int] -> Int
variance xs = mean (map (\d -> d * d) (deviations xs))

main :: IO ()
main = do
  let samples = [4, 8, 15, 16, 23, 42]
  print (mean samples)
  print (range samples)
  print (variance samples)
