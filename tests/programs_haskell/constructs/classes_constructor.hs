class Container f where
  empty :: f a
  insert :: a -> f a -> f a
  toL :: f a -> [a]
newtype Stack a = Stack [a]
newtype Queue a = Queue ([a], [a])
instance Container Stack where
  empty = Stack []
  insert x (Stack xs) = Stack (x : xs)
  toL (Stack xs) = xs
instance Container Queue where
  empty = Queue ([], [])
  insert x (Queue (f, b)) = Queue (f, x : b)
  toL (Queue (f, b)) = f ++ reverse b
fill :: Container f => f Int -> f Int
fill c = foldr insert c [1, 2, 3]
main = print (toL (fill empty `asTypeOf` Stack []), toL (fill (Queue ([], []))))
