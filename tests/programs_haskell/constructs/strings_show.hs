data T = T String (Maybe Char) [Int] deriving Show
main = do
  print (T "a\"b" (Just '\'') [])
  print (show (Just (Just (-1))), shows 1 "x", unlines ["a", "b"], lines "a\n\nb")
  putStrLn (show 1.0 ++ show (-1) ++ show 'x' ++ show "s" ++ show [1, 2] ++ show (1, True) ++ show ())
