-- Eight queens, for smaller boards.
module Main where

-- The rows of the queens, last column first.
queens :: Int -> [[Int]]
queens size = place size
  where
    place 0 = [[]]
    place n = [row : others | others <- place (n - 1), row <- [1 .. size], safe row others]

safe :: Int -> [Int] -> Bool
safe row others = and [row /= r && abs (row - r) /= distance | (r, distance) <- zip others [1 ..]]

draw :: Int -> [Int] -> [String]
draw size rows = [[if r == row then 'Q' else '.' | r <- rows] | row <- [1 .. size]]

main :: IO ()
main = do
  let solutions = queens 4
  print (length solutions)
  mapM_ putStrLn (draw 4 (head solutions))
