pairs xs ys = do
  x <- xs
  y <- ys
  if x == y then [] else return (x, y)
main = print (pairs [1, 2] [2, 3], [1, 2] >>= \x -> [x, x * 10], (,) <$> "ab" <*> [1, 2])
