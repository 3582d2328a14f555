newtype State s a = State (s -> (a, s))
run (State f) = f
instance Functor (State s) where fmap f m = m >>= \x -> return (f x)
instance Applicative (State s) where
  pure x = State (\s -> (x, s))
  mf <*> mx = mf >>= \f -> mx >>= \x -> pure (f x)
instance Monad (State s) where
  State f >>= k = State (\s -> let (a, s') = f s in run (k a) s')
tick :: State Int Int
tick = State (\n -> (n, n + 1))
labels :: [a] -> State Int [(Int, a)]
labels [] = return []
labels (x : xs) = do
  n <- tick
  rest <- labels xs
  return ((n, x) : rest)
main = print (run (labels "abc") 10) >> print (fst (run (mapM (const tick) [1, 2, 3]) 0))
