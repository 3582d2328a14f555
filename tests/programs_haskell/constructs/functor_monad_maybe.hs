safeDiv _ 0 = Nothing
safeDiv a b = Just (a `div` b)
calc a b c = do
  x <- safeDiv a b
  y <- safeDiv x c
  return (x + y)
main = do
  print (calc 100 5 2, calc 1 0 2, fmap (+ 1) (Just 2), (+) <$> Just 1 <*> Just 2)
  print (sequence [Just 1, Just 2], sequence [Just 1, Nothing], mapM (\x -> if x > 0 then Just x else Nothing) [1, 2])
  print (Just 5 >>= \x -> if x > 3 then Nothing else Just x, maybe 0 (* 2) (Just 4), Just [1] <> Nothing <> Just [2])
