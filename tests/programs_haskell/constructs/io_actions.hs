main = do
  putStr "a"
  putStr "b\n"
  mapM_ print [1, 2]
  let say s = putStrLn ("say " ++ s)
  say "x"
  rs <- mapM (\x -> do { print x; return (x * 2) }) [3, 4]
  print rs
  sequence_ [putStr "p", putStr "q", putStrLn ""]
  x <- return 5
  if x > 3 then putStrLn "big" else return ()
