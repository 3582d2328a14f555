data Tree a = Leaf | Node (Tree a) a (Tree a)
instance Functor Tree where
  fmap _ Leaf = Leaf
  fmap f (Node l x r) = Node (fmap f l) (f x) (fmap f r)
instance Foldable Tree where
  foldr _ z Leaf = z
  foldr f z (Node l x r) = foldr f (f x (foldr f z r)) l
build [] = Leaf
build (x : xs) = Node (build (filter (< x) xs)) x (build (filter (>= x) xs))
main = do
  let t = build [5, 2, 8, 1, 9]
  print (sum t, product t, length t, maximum t)
  print (elem 8 t, foldr (:) [] (fmap (* 2) t), null Leaf, concatMap show t)
  mapM_ print t
  print (traverse (\x -> if x > 0 then Right x else Left x) [1, 2, -3, 4])
