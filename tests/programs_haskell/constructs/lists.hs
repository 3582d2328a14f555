main = do
  print (head [1, 2], tail [1, 2], last "abc", init "abc", null [], length "four", reverse [1, 2, 3])
  print (take 2 [1, 2, 3], drop 2 [1, 2, 3], splitAt 1 "ab", takeWhile (< 3) [1 ..], dropWhile (< 3) [1 .. 5])
  print (zip [1, 2, 3] "ab", unzip [(1, 'a'), (2, 'b')], concat [[1], [2, 3]], concatMap show [1, 2], replicate 3 'x')
  print ([1, 2, 3] !! 1, elem 2 [1, 2], lookup 2 [(1, "a"), (2, "b")], span even [2, 4, 5, 6], words " a b ", unwords ["x", "y"])
