import Control.Monad
main = do
  forM_ (zip [1 ..] "ab") $ \(i, c) -> putStrLn (show i ++ [c])
  when True $ putStrLn "when"
  unless True $ putStrLn "unless"
  xs <- forM [1, 2] (\x -> return (x + 1))
  print xs
  replicateM_ 2 (putStr "r")
  putStrLn ""
  print =<< foldM (\a x -> do { putStrLn ("add " ++ show x); return (a + x) }) 0 [1, 2]
  print (replicateM 2 "ab", zipWithM (\a b -> if b == 0 then Nothing else Just (a `div` b)) [4, 6] [2, 3], join [[1], [2]])
