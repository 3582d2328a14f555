describe xs = case xs of
  [] -> "empty"
  [_] -> "one"
  (_:_:rest)
    | null rest -> "two"
    | otherwise -> more
    where more = "many " ++ show (length xs)
main = mapM_ (putStrLn . describe) ["", "a", "ab", "abc"]
