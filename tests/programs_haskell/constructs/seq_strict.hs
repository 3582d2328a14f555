import Data.List (foldl')
mean xs = go 0 0 xs
  where go !s !n [] = s `div` n
        go !s !n (y : ys) = go (s + y) (n + 1) ys
data S = S !Int !Int deriving Show
main = do
  print (mean [1 .. 100], foldl' (flip (:)) [] [1, 2, 3])
  print (foldr (\x (S a b) -> S (a + x) (b + 1)) (S 0 0) [1 .. 10])
  print ((+ 1) $! 2, 1 `seq` 2)
